import { BUCKET } from '../../oracle/diagnose.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { OtherWindow } from '../../oracle/length.ts';
import type { Proof } from '../verdict.ts';
import { before, describe, explainContradiction, explainMisfit, proof } from './proofs.ts';
import type { Ruling } from './ruling.ts';
import { disturbed, type Examined, judged, nameOf } from './thresholds.ts';

const SECOND = 1_000_000;
/** What clause 8 states, and how far clocks that tick in whole seconds may be from it, in µs. */
const SHORTEST = 59 * SECOND;
const LONGEST = 61 * SECOND;
/** A measurement wider than this says nothing of a minute, in µs. */
const WIDEST = 8 * SECOND;

function interval({ low, high }: { low: number; high: number }): string {
  return `${(low / SECOND).toFixed(1)} to ${(high / SECOND).toFixed(1)} s`;
}

/** Whether windows of another length explain a budget, and this length is none that clocks in whole seconds make of a minute. */
export function isNoMinute(otherWindow: OtherWindow | null): boolean {
  return otherWindow !== null && (otherWindow.length.high < SHORTEST || otherWindow.length.low > LONGEST);
}

/**
 * LIMIT-WINDOW: a spent budget is back after a minute, and not before.
 *
 * @param diagnosis what to call a history that no window explains; a bucket explains it by having none
 */
export function ruleOnWindow(examined: Examined, diagnosis: string | null): Ruling {
  const { otherWindow, misfit, window } = examined;
  const { history } = judged(examined);
  const part = nameOf(examined);
  const witnesses = history.events.length;
  if (examined.disturbed) return disturbed(examined);
  if (otherWindow && isNoMinute(otherWindow)) {
    const summary = `The window is ${interval(otherWindow.length)} long, and not one minute.`;
    return { verdict: 'fail', part, summary, witnesses, proofs: [windowProof(examined, summary)] };
  }
  if (misfit?.kind === 'early return' || misfit?.kind === 'late return') {
    const summary =
      misfit.kind === 'early return'
        ? 'A spent budget was back before its window had ended.'
        : 'A spent budget was not back when its window had ended.';
    return { verdict: 'fail', part, summary, witnesses, proofs: [windowProof(examined, summary)] };
  }
  const trickle = diagnosis === BUCKET ? returnsBitByBit(history) : null;
  if (trickle) {
    const [spent, back] = trickle;
    const summary = 'A spent budget came back bit by bit, and in no window of one minute.';
    const argument = [
      describe(spent.exchange),
      describe(back.exchange),
      'No window of one minute explains the whole history; a bucket does, to which what was taken returns all the time.',
    ];
    const made = proof(EXPECTED, summary, [spent.exchange, back.exchange], argument);
    return { verdict: 'fail', part, summary, witnesses, proofs: [made] };
  }
  if (!window) {
    const summary = 'No budget was seen to be spent and to come back.';
    return {
      verdict: 'not tested',
      part,
      summary,
      witnesses: 0,
      remedy: 'Run the full plan, which waits for the return.',
    };
  }
  if (window.high - window.low <= WIDEST && window.low <= LONGEST && window.high >= SHORTEST) {
    return { verdict: 'pass', part, summary: `The window is ${interval(window)} long.`, witnesses };
  }
  const summary = `The length of the window is only known to be ${interval(window)}.`;
  return {
    verdict: 'inconclusive',
    part,
    summary,
    witnesses: 0,
    remedy: 'Run the full plan, which polls for the return.',
  };
}

/** A refusal, and the first request after it that was let through within a minute. */
function returnsBitByBit({ events }: History): readonly [Event, Event] | null {
  const spent = events.find(({ outcome }) => outcome === 'refused');
  const back = events.find(({ outcome, from }) => spent && outcome === 'accepted' && from > spent.to);
  return spent && back && back.to - spent.from < SHORTEST ? [spent, back] : null;
}

const EXPECTED = 'A spent budget is not back before its window of one minute ends, and is back when it has ended.';

function windowProof({ misfit, findings, otherWindow }: Examined, received: string): Proof {
  const { history } = findings;
  if (misfit?.event) {
    const spent = misfit.spent ?? before(history, misfit.event, ({ outcome }) => outcome === 'refused');
    const shown = explainMisfit(misfit, history);
    const sentences = spent ? [describe(spent.exchange), ...shown.argument] : shown.argument;
    return proof(
      EXPECTED,
      received,
      [spent?.exchange, ...shown.evidence, misfit.event.exchange],
      [...new Set(sentences)],
    );
  }
  const [contradiction] = findings.best.contradictions.concat(findings.refuted.flatMap((each) => each.contradictions));
  const shown = contradiction ? explainContradiction(contradiction, history) : { evidence: [], argument: [] };
  const length = otherWindow
    ? [`Windows of ${interval(otherWindow.length)} explain every answer; windows of 60 s do not.`]
    : [];
  return proof(EXPECTED, received, shown.evidence, [...shown.argument, ...length]);
}
