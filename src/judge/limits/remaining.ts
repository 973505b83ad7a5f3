import { type Deficit, findDeficits, findEarlyRefusal, findUnspentRefusal } from '../../oracle/capacity.ts';
import type { Contradiction } from '../../oracle/check.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { Proof } from '../verdict.ts';
import type { Cause } from './cause.ts';
import { summaryOf } from './cause-proofs.ts';
import { describe, explainContradiction, proof } from './proofs.ts';
import type { Ruling } from './ruling.ts';
import { disturbed, type Examined, judged, nameOf } from './thresholds.ts';

const UNREADABLE = 'No answer carries a usable X-RateLimit-Remaining.';

/** HDR-4: Remaining is the limit less what was counted. */
export function ruleOnRemaining(examined: Examined): Ruling {
  const findings = judged(examined);
  const { history } = findings;
  const part = nameOf(examined);
  const valued = history.events.filter((event) => event.remaining !== null);
  const witnesses = valued.length;
  const expected =
    'X-RateLimit-Remaining is the number of requests left: from 0 to the limit, less one with each counted.';
  const impossible =
    valued.find((event) => outOfRange(event, history)) ?? valued.find((event) => leavesAll(event, examined));
  if (impossible) {
    const summary = `X-RateLimit-Remaining is ${impossible.remaining}, with a limit of ${history.limit}.`;
    const argument = [
      describe(impossible.exchange),
      'Remaining is never negative, and an accepted request leaves less than the limit.',
    ];
    return {
      verdict: 'fail',
      part,
      summary,
      witnesses,
      proofs: [proof(expected, summary, [impossible.exchange], argument)],
    };
  }
  if (examined.disturbed) return disturbed(examined);
  if (witnesses === 0)
    return { verdict: 'not tested', part, summary: UNREADABLE, witnesses, remedy: 'Correct HDR-1 and HDR-2 first.' };
  const miscounted = examined.cause?.requirement === 'HDR-4' ? countedTwice(examined, examined.cause) : null;
  if (miscounted) return { verdict: 'fail', part, summary: miscounted.received, witnesses, proofs: [miscounted] };
  const sound = examined.otherLimit?.findings ?? (examined.otherWindow ? null : findings);
  if (examined.otherWindow || sound?.remaining) {
    return { verdict: 'pass', part, summary: 'Every Remaining is the limit less what was counted.', witnesses };
  }
  if (!findings.decisions && !examined.otherLimit) {
    const summary = 'The decisions follow no window, so that what is left in it cannot be told.';
    return { verdict: 'inconclusive', part, summary, witnesses, remedy: 'Correct the window and the limit first.' };
  }
  const contradiction = mostTelling(findings.refuted.flatMap(({ contradictions }) => contradictions));
  const shown = contradiction ? explainContradiction(contradiction, history) : { evidence: [], argument: [] };
  const summary = 'X-RateLimit-Remaining is not the limit less what was counted, under any window mechanism.';
  return {
    verdict: 'fail',
    part,
    summary,
    witnesses,
    proofs: [proof(expected, summary, shown.evidence, shown.argument)],
  };
}

/** Two answers, one after the other, of which the later has less left than the requests up to it account for. */
function countedTwice({ budget }: Examined, cause: Cause): Proof {
  const [deficit] = findDeficits(budget.history, 1);
  const received = summaryOf(cause);
  const expected = 'Each request that is counted leaves one less.';
  if (!deficit) return proof(expected, received, [], [received]);
  const { earlier, later, between } = deficit;
  const argument = [
    describe(earlier.exchange),
    `#${later.exchange.seq} was sent after that, and at most ${between} other requests can have come between.`,
    describe(later.exchange),
    received,
  ];
  return proof(expected, received, [earlier.exchange, later.exchange], argument);
}

function outOfRange({ remaining: value, outcome }: Event, { limit }: History): boolean {
  if (value === null) return false;
  return value < 0 || value > limit || (outcome === 'accepted' && value > limit - 1 && limit > 0 && value !== limit);
}

/**
 * Whether an accepted request was told of as much left as the limit where the windows that explain it count down from more: then no
 * window ended between the request and its answer, and the request was not taken off.
 */
function leavesAll({ outcome, remaining }: Event, { otherLimit, findings: { history } }: Examined): boolean {
  const counted = otherLimit && otherLimit.since === null ? otherLimit.findings.history.shown : history.limit;
  return outcome === 'accepted' && counted > history.limit && remaining === history.limit;
}

/** The contradiction over a value whose bounds are closest: the one that needs least to follow. */
function mostTelling(contradictions: readonly Contradiction[]): Contradiction | null {
  const values = contradictions.filter(({ kind }) => kind === 'remaining');
  const over = values.length > 0 ? values : contradictions.filter(({ event }) => event !== null);
  const width = ({ allowed }: Contradiction) => (allowed ? allowed.high - allowed.low : Number.POSITIVE_INFINITY);
  return over.reduce<Contradiction | null>((one, other) => (one && width(one) <= width(other) ? one : other), null);
}

/** HDR-5: Remaining and refusals agree. */
export function ruleOnRefusals(examined: Examined): Ruling {
  const { history } = judged(examined);
  const part = nameOf(examined);
  const refused = history.events.filter(({ outcome, remaining: value }) => outcome === 'refused' && value !== null);
  const witnesses = refused.length;
  const below = refused.find(({ remaining: value }) => (value ?? 0) < 0);
  if (below) {
    const summary = `A 429 says that ${below.remaining} requests are left.`;
    const made = proof('X-RateLimit-Remaining is 0 on a 429.', summary, [below.exchange], [describe(below.exchange)]);
    return { verdict: 'fail', part, summary, witnesses, proofs: [made] };
  }
  if (examined.disturbed) return disturbed(examined);
  const unspent = findUnspentRefusal(history);
  if (unspent) {
    const { earlier, later, between } = unspent;
    const summary = `A 429 says that ${earlier.remaining} requests are left.`;
    const argument = [
      describe(earlier.exchange),
      `#${later.exchange.seq} was sent after that, and at most ${between} other requests can have been accepted between.`,
      describe(later.exchange),
      `A budget shrinks by nothing but what is counted, so that fewer than ${earlier.remaining} were left at #${earlier.exchange.seq}.`,
    ];
    const expected = 'X-RateLimit-Remaining is 0 on a 429, unless it was read when the budget had come back.';
    const made = proof(expected, summary, [earlier.exchange, later.exchange], argument);
    return { verdict: 'fail', part, summary, witnesses, proofs: [made] };
  }
  const deficit = history.events.some(({ outcome }) => outcome === 'refused') ? findRefusedDeficit(history) : null;
  if (deficit && !examined.cause && !examined.otherLimit) {
    const { earlier, later, between } = deficit;
    const summary = `A request was refused although an answer before it had left ${earlier.remaining}.`;
    const argument = [
      describe(earlier.exchange),
      `#${later.exchange.seq} was sent after that, and at most ${between} other requests can have come between.`,
      describe(later.exchange),
      `A budget shrinks by nothing but what is counted, so #${later.exchange.seq} had to be accepted.`,
    ];
    const expected =
      'No request is refused while a completed answer in the same window left a remaining budget for it.';
    const made: Proof = proof(expected, summary, [earlier.exchange, later.exchange], argument);
    return { verdict: 'fail', part, summary, witnesses, proofs: [made] };
  }
  if (witnesses === 0) {
    const summary = 'No request was refused with a usable X-RateLimit-Remaining.';
    return { verdict: 'not tested', part, summary, witnesses, remedy: 'Run the full plan, which spends each budget.' };
  }
  const late = refused.find(({ remaining: value }) => value !== 0);
  const summary = late
    ? `No request was refused while some were left; #${late.exchange.seq}, a 429, says what had come back by its answer.`
    : 'Every 429 says 0, and none came while some were left.';
  return { verdict: 'pass', part, summary, witnesses };
}

function findRefusedDeficit(history: History): Deficit | null {
  return findDeficits(history).find(({ later }) => later.outcome === 'refused') ?? findEarlyRefusal(history);
}
