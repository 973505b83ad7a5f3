import { WINDOW_S } from '../catalogue/limits.ts';
import { openMoments } from '../judge/moments.ts';
import { type Proved, provedByAnswers, provedByHistory } from '../judge/so-far.ts';
import type { BudgetAnalysis } from '../oracle/analysis.ts';
import type { LoadReading } from './load-reading.ts';

/** What is reported during a run. */
export type LoadNews =
  | { readonly type: 'proved'; readonly proved: Proved }
  | { readonly type: 'said'; readonly text: string }
  | { readonly type: 'counts'; readonly text: string }
  /** Keys that the target does not accept: the run can show nothing. */
  | { readonly type: 'refused'; readonly keys: readonly string[] };

/** By this name, keys that are not accepted are told once. */
const REFUSED = 'refused keys';

/** Minimum real ms between two judgements. */
const JUDGE_EVERY = 500;

/**
 * Follows the records of a load run while they are written: joins what has come, and tells what answers contradict,
 * whatever follows, and which windows let through more than their limit, as soon as these have ended. What breaks the
 * limit there, and by which requirement, the whole run tells best. A failure that is told is noted in the trace, so
 * that the end finds it too.
 *
 * @returns a function that looks once more; it is given the wall time in µs since the Unix epoch
 */
export function watchLoad(reading: LoadReading, tell: (news: LoadNews) => void): (now: number) => void {
  const moments = openMoments();
  const shown = new Set<string>();
  const over: Overrun[] = [];
  let windows: readonly Overrun[] = [];
  const due = { answers: false, budgets: false };
  let from = 0;

  const show = (found: readonly Proved[]): void => {
    for (const proved of found) {
      if (shown.has(proved.verdict.id)) continue;
      shown.add(proved.verdict.id);
      reading.trace?.show(proved);
      tell({ type: 'proved', proved });
    }
  };
  const tellEnded = (known: number): void => {
    for (const each of windows) {
      if (each.end > known || over.some((told) => isSame(told, each))) continue;
      over.push(each);
      tell({ type: 'said', text: each.text });
    }
  };
  const judge = (known: number): void => {
    const soFar = reading.trace?.soFar();
    if (!soFar) return;
    if (due.answers) show(provedByAnswers(soFar));
    const { proved, budgets } = provedByHistory(soFar, known);
    // A failure without a name yet is reported by the windows that accepted too many requests.
    show(proved.filter(({ named }) => named));
    windows = budgets.flatMap(overrunsOf);
    due.answers = false;
    due.budgets = false;
  };

  return (now) => {
    const added = reading.follow(now);
    const { trace } = reading;
    if (!trace) return;
    tell({ type: 'counts', text: reading.progress(now) });
    const keys = reading.refusedKeys;
    if (keys.length > 0 && !shown.has(REFUSED)) {
      shown.add(REFUSED);
      tell({ type: 'refused', keys });
    }
    moments.learn({ exchanges: added, intents: [] });
    const { known } = reading;
    due.answers = moments.take('answers') || due.answers;
    due.budgets = (added.length > 0 && trace.contradicted() > 0) || due.budgets;
    if ((due.answers || due.budgets) && now >= from) {
      const started = performance.now();
      judge(known);
      // Judging takes at most half of the time, because k6 also needs the machine.
      from = now + Math.max(JUDGE_EVERY, 2 * (performance.now() - started)) * 1000;
    }
    tellEnded(known);
  };
}

/** A window that accepted more than its limit, and the time by which it has certainly ended. */
interface Overrun {
  readonly budget: string;
  readonly end: number;
  readonly text: string;
}

/** Later answers tell the end of a window more closely, but two windows of a budget never end this close together. */
function isSame(one: Overrun, other: Overrun): boolean {
  return one.budget === other.budget && Math.abs(one.end - other.end) < (WINDOW_S / 2) * 1e6;
}

function overrunsOf({ key, kind, limit, windows }: BudgetAnalysis): readonly Overrun[] {
  return windows
    .filter(({ overshoot }) => overshoot > 0)
    .map(({ accepted, end: { low, high } }) => {
      const end = Number.isFinite(high) ? high : low;
      const budget = `${key} ${kind}`;
      const text = `OVER ${budget}: ${accepted} of ${limit} accepted in the window that ended at ${(end / 1e6).toFixed(1)} s`;
      return { budget, end, text };
    });
}
