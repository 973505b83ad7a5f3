import { isRequirementId } from '../catalogue/catalogue.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { type Exchange, plainExchange } from '../trace/exchange.ts';
import type { Intent, Trace } from '../trace/trace.ts';
import type { Verdict } from './verdict.ts';

/**
 * What a run knew at a moment (µs of its clock): all that had been answered by then; what was under way is unanswered,
 * and may have been counted.
 */
export function cutAt(trace: Trace, time: number): Trace {
  const known = trace.exchanges.filter(({ sent, answered }) => (answered ?? sent) <= time);
  const underWay = trace.exchanges.filter(({ sent, answered }) => sent <= time && (answered ?? sent) > time);
  return {
    header: trace.header,
    exchanges: known,
    unanswered: [...underWay.map(intentOf), ...trace.unanswered.filter(({ sent }) => sent <= time)],
    notes: trace.notes.filter((note) => note.time <= time && note.code !== 'failure-shown'),
    footer: null,
    ...(trace.condensed ? { condensed: trace.condensed } : {}),
  };
}

function intentOf(exchange: Exchange): Intent {
  // Of a load run an exchange shares most of its fields with others, and has them not by itself.
  const { answered: _, status: __, failure: ___, headers: ____, truncated: _____, ...intent } = plainExchange(exchange);
  return intent;
}

/** What many answers show together, if at all. */
export function isOfLimits(id: RequirementId): boolean {
  return /^(LIMIT-|HDR-[4578]$|STATUS-429$)/.test(id);
}

/** In the note of a failure: some requirement on limits is broken, and the whole run tells which. */
export const LIMITS = 'limits';

/**
 * A failure that was shown while the run went on is never taken back: where the whole run is judged otherwise, the
 * requirement keeps the verdict and the proof that it had at that moment, which the trace gives again. So do those on
 * limits, where it was not said which fails and none does in the end. A note that the trace does not bear out shows
 * nothing.
 *
 * @param verdicts on the whole trace
 * @param judgeCut judges what was known at the moment
 */
export function keepShown(
  trace: Trace,
  verdicts: readonly Verdict[],
  judgeCut: (cut: Trace) => readonly Verdict[],
): readonly Verdict[] {
  const failsByLimits = verdicts.some(({ id, verdict }) => isOfLimits(id) && ['fail', 'waived'].includes(verdict));
  const shown = new Map<RequirementId, number>();
  for (const { code, text, time } of trace.notes) {
    if (code !== 'failure-shown') continue;
    const named = isRequirementId(text) ? [text] : [];
    const open = text === LIMITS && !failsByLimits ? verdicts.map(({ id }) => id).filter(isOfLimits) : named;
    for (const id of open) if (!shown.has(id)) shown.set(id, time);
  }
  const cuts = new Map<number, readonly Verdict[]>();
  return verdicts.map((verdict) => {
    const time = shown.get(verdict.id);
    if (time === undefined || verdict.verdict === 'fail') return verdict;
    const then = cuts.get(time) ?? judgeCut(cutAt(trace, time));
    cuts.set(time, then);
    const before = then.find(({ id }) => id === verdict.id);
    if (before?.verdict !== 'fail') return verdict;
    const note = `The answers showed this ${(time / 1e6).toFixed(1)} s after the start of the run.`;
    return { ...before, notes: [...before.notes, note] };
  });
}
