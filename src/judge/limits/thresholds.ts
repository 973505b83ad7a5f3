import type { Findings } from '../../oracle/analyse.ts';
import type { Contradiction } from '../../oracle/check.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { Proof } from '../verdict.ts';
import type { BudgetCase } from './budget-case.ts';
import type { Misfit } from './misfit.ts';
import { evidenceOf, explainContradiction, explainMisfit, proof } from './proofs.ts';
import type { Ruling } from './ruling.ts';
import { describeUnseen } from './unseen.ts';

/** A budget's case, with what does not fit where nothing explains its decisions. */
export interface Examined extends BudgetCase {
  readonly misfit: Misfit | null;
  /** The decisions of some budget of the run fit no window, so that headers that do not fit are no defect of their own. */
  readonly miscounted: boolean;
}

export function nameOf({ budget }: BudgetCase): string {
  return `${budget.key} ${budget.kind}`;
}

/** The history that is left to judge once a cause is taken as given. */
export function judged({ findings, cause }: BudgetCase): Findings {
  const all = cause?.findings ?? [findings];
  return all.reduce((one, other) => (other.history.events.length > one.history.events.length ? other : one));
}

const DISTURBED =
  'The key had been used shortly before the run, or is used by others: its first answer already missed requests.';
export const WAIT = 'Use keys that nobody else uses, wait two minutes, and run again.';

export function disturbed(examined: BudgetCase): Ruling {
  const summary = examined.unseen ? describeUnseen(examined.unseen) : DISTURBED;
  return { verdict: 'inconclusive', part: nameOf(examined), summary, witnesses: 0, remedy: WAIT };
}

/** LIMIT-R and LIMIT-W: the limit is reached, and not passed. */
export function ruleOnThreshold(examined: Examined): Ruling {
  const { otherLimit, misfit } = examined;
  const { history, decisions, best } = judged(examined);
  const { limit } = history;
  const part = nameOf(examined);
  const witnesses = history.events.length;
  if (examined.disturbed) return disturbed(examined);
  if (otherLimit) {
    const never = otherLimit.limit === Number.MAX_SAFE_INTEGER;
    const summary = never
      ? `${countAccepted(history)} requests were sent and none was refused, with a limit of ${limit} per minute.`
      : `${otherLimit.limit} requests are let through in a window, and not ${limit}.`;
    return { verdict: 'fail', part, summary, witnesses, proofs: [overshootProof(examined, summary)] };
  }
  if (misfit?.kind === 'overshoot' || misfit?.kind === 'early refusal') {
    const summary =
      misfit.kind === 'overshoot'
        ? `More than ${limit} requests were let through in one window.`
        : `A request was refused although fewer than ${limit} had been counted.`;
    return { verdict: 'fail', part, summary, witnesses, proofs: [overshootProof(examined, summary)] };
  }
  if (!decisions) {
    const summary = 'The decisions follow no window, so its limit cannot be counted (see LIMIT-WINDOW).';
    return { verdict: 'inconclusive', part, summary, witnesses, remedy: 'Correct the window first.' };
  }
  const exact = history.events.find(
    (event) =>
      event.outcome === 'refused' &&
      (best.model.alternatives(event).some(({ high }) => high === limit) ||
        firstOfAll(history, event) ||
        followsTheLast(examined, event)),
  );
  if (exact) return { verdict: 'pass', part, summary: `${limit} requests pass, and the next is refused.`, witnesses };
  const refused = history.events.some(({ outcome }) => outcome === 'refused');
  const summary = refused
    ? `The budget was spent, but lost answers leave open whether exactly ${limit} requests passed.`
    : `No budget was spent: ${countAccepted(history)} of ${limit} requests were counted in all.`;
  return refused
    ? { verdict: 'inconclusive', part, summary, witnesses, remedy: 'Run again over a network that loses no answers.' }
    : { verdict: 'not tested', part, summary, witnesses, remedy: 'Run the full plan, which spends each budget.' };
}

function countAccepted({ events }: History): number {
  return events.filter(({ outcome }) => outcome === 'accepted').length;
}

/** A refusal after exactly the limit's number of requests since the run began, whatever the mechanism. */
function firstOfAll({ events, limit }: History, refusal: Event): boolean {
  const others = events.filter((event) => event !== refusal && event.from <= refusal.to);
  const accepted = others.filter(({ outcome }) => outcome === 'accepted').length;
  const maybe = others.filter(({ outcome }) => outcome === 'failed' || outcome === 'unclear').length;
  return accepted <= limit && accepted + maybe === limit;
}

/** µs after a first refusal in which the rest of its burst has been answered. */
const BURST = 5_000_000;

/** Whether the first refusal of a budget came after exactly the limit's number of requests, and no other was let through with them. */
export function showsLimit({ events, limit }: History): boolean {
  const refusal = events.find(({ outcome }) => outcome === 'refused');
  if (!refusal) return false;
  const before = events.filter(({ outcome, from }) => outcome !== 'refused' && from <= refusal.to + BURST);
  return before.length === limit && before.every(({ outcome }) => outcome === 'accepted');
}

/**
 * A refusal after an accepted request that left 0, where the mechanism found accounts for every Remaining: then the limit was reached to
 * the request, even if lost answers, or what a sliding counter estimates, leave the plain count of requests open.
 */
function followsTheLast(examined: Examined, refusal: Event): boolean {
  const { history, remaining, decisions } = judged(examined);
  if (!remaining || !decisions) return false;
  return history.events.some(
    ({ outcome, remaining: left, to }) => outcome === 'accepted' && left === 0 && to < refusal.from,
  );
}

/** The contradiction over a decision that needs least to follow: a refusal that comes too early is plainest. */
function overDecisions({ refuted, best }: Findings): Contradiction | undefined {
  const all = refuted.flatMap(({ contradictions }) => contradictions);
  const of = (wanted: Contradiction['kind']) => all.filter(({ kind }) => kind === wanted);
  const closest = of('too early').reduce<Contradiction | undefined>(
    (one, other) => (one && (one.allowed?.high ?? 0) >= (other.allowed?.high ?? 0) ? one : other),
    undefined,
  );
  return closest ?? of('too late')[0] ?? of('overfull')[0] ?? best.contradictions[0];
}

function overshootProof(examined: Examined, received: string): Proof {
  const { findings, misfit } = examined;
  const { history } = findings;
  const contradiction = misfit ? null : overDecisions(findings);
  const shown = misfit
    ? explainMisfit(misfit, history)
    : contradiction
      ? explainContradiction(contradiction, history)
      : { evidence: [], argument: [] };
  const expected = `${history.limit} ${history.kind} operations pass in a window of one minute, and the next is refused.`;
  return proof(expected, received, shown.evidence, shown.argument, null);
}

/** LIMIT-ATOMIC: requests that arrive at once are counted one by one. */
export function ruleOnAtomicity(examined: Examined): Ruling {
  const { misfit, cause, otherLimit } = examined;
  const findings = judged(examined);
  const { history } = findings;
  const part = nameOf(examined);
  const crowd = largestCrowd(history.events);
  if (examined.disturbed) return disturbed(examined);
  if (misfit?.kind === 'overshoot' && crowd.length > 1 && !cause) {
    const summary = `More than ${history.limit} requests were let through when they arrived at once.`;
    const shown = explainMisfit(misfit, history);
    const argument = [...shown.argument, `Up to ${crowd.length} of them were under way at once.`];
    const expected = 'The limit holds exactly for requests that arrive at once.';
    return {
      verdict: 'fail',
      part,
      summary,
      witnesses: crowd.length,
      proofs: [proof(expected, summary, shown.evidence, argument)],
    };
  }
  const lost = findings.remaining ? null : lostUpdate(findings);
  if (lost) {
    const [one, other, later] = lost;
    const summary = 'Requests that arrived at once were given the same remaining value, and were not all counted.';
    const argument = [
      `#${one.exchange.seq} and #${other.exchange.seq} were under way at once, and both say ${one.remaining} left.`,
      `#${later.exchange.seq} was sent after both had been answered, and says ${later.remaining} left: more than had to be counted by then allows.`,
    ];
    const expected = 'Each request that is counted leaves one less.';
    return {
      verdict: 'fail',
      part,
      summary,
      witnesses: crowd.length,
      proofs: [proof(expected, summary, evidenceOf([one.exchange, other.exchange, later.exchange]), argument)],
    };
  }
  if (crowd.length < 10) {
    const summary = `At most ${crowd.length} requests were under way at once.`;
    return { verdict: 'not tested', part, summary, witnesses: 0, remedy: 'Run an experiment with bursts.' };
  }
  if (!findings.decisions && !otherLimit) {
    const summary = 'The decisions follow no window, so that bursts cannot be counted.';
    return { verdict: 'inconclusive', part, summary, witnesses: 0, remedy: 'Correct the window first.' };
  }
  if (!history.events.some(({ outcome, remaining: left }) => outcome === 'refused' || left !== null)) {
    const summary = 'No answer refuses or says what is left, so that nothing shows how bursts are counted.';
    const remedy = 'Correct the headers and the limit first.';
    return { verdict: 'inconclusive', part, summary, witnesses: 0, remedy };
  }
  if (otherLimit?.limit === Number.MAX_SAFE_INTEGER) {
    const summary =
      'None of the requests was refused, so that nothing shows how those that arrive at once are counted.';
    const remedy = `Correct ${history.kind === 'read' ? 'LIMIT-R' : 'LIMIT-W'} first.`;
    return { verdict: 'inconclusive', part, summary, witnesses: 0, remedy };
  }
  const repeated = repeats(crowd);
  const notes = repeated
    ? ['Requests under way at once were given the same remaining value, which a value read after counting explains.']
    : [];
  return {
    verdict: 'pass',
    part,
    summary: `Bursts of up to ${crowd.length} were counted exactly.`,
    witnesses: crowd.length,
    notes,
  };
}

/** The most requests that were all under way at one moment. */
function largestCrowd(events: readonly Event[]): readonly Event[] {
  const answered = events.filter(({ outcome }) => outcome === 'accepted' || outcome === 'refused');
  const ends = Float64Array.from(answered, ({ to }) => to).sort();
  let moment = 0;
  let most = 0;
  let ended = 0;
  for (const [index, { from }] of answered.entries()) {
    while ((ends[ended] ?? Number.POSITIVE_INFINITY) < from) ended++;
    if (index + 1 - ended <= most) continue;
    most = index + 1 - ended;
    moment = index;
  }
  const last = answered[moment];
  return last ? answered.slice(0, moment + 1).filter(({ to }) => to >= last.from) : [];
}

function repeats(crowd: readonly Event[]): boolean {
  const accepted = crowd.filter(({ outcome, remaining }) => outcome === 'accepted' && remaining !== null);
  return new Set(accepted.map(({ remaining }) => remaining)).size < accepted.length;
}

/** Two overlapping answers with one value, and a later one that shows that one of them was not counted. */
function lostUpdate(findings: Findings): readonly [Event, Event, Event] | null {
  const later = findings.refuted
    .flatMap(({ contradictions }) => contradictions)
    .filter(({ kind, event, allowed }) => {
      const most = findings.history.shown - 1 - (allowed?.low ?? 0);
      return kind === 'remaining' && event !== null && (event.remaining ?? 0) > most;
    })
    .map(({ event }) => event)
    .reduce((one, other) => ((other?.from ?? 0) > (one?.from ?? 0) ? other : one), null);
  if (!later) return null;
  const earlier = findings.history.events.filter(({ outcome, to }) => outcome === 'accepted' && to < later.from);
  for (const [index, one] of earlier.entries()) {
    const twin = earlier
      .slice(index + 1, index + 200)
      .find((other) => other.remaining === one.remaining && other.remaining !== null && other.from <= one.to);
    if (twin && later.from - one.from < 60_000_000) return [one, twin, later];
  }
  return null;
}
