import type { RequirementId } from '../../src/catalogue/requirement.ts';
import { EarlierParts } from '../../src/diagnosis/earlier-parts.ts';
import { openMoments } from '../../src/judge/moments.ts';
import { cutAt, type LIMITS } from '../../src/judge/shown.ts';
import { provedByAnswers, provedByHistory } from '../../src/judge/so-far.ts';
import type { Exchange } from '../../src/trace/exchange.ts';
import type { Intent, Trace } from '../../src/trace/trace.ts';

/**
 * The moment (µs of the run's clock) of the answer from which the judge can prove that a requirement fails, or some
 * requirement on limits, by the recorded trace alone: each answer is taken as the last one that is known. Null where no
 * part of the trace proves it.
 *
 * @param bursts the requests of the run as they were sent together
 */
export function provableAt(
  trace: Trace,
  bursts: readonly (readonly Intent[])[],
  id: RequirementId | typeof LIMITS,
): number | null {
  const answered = trace.exchanges
    .filter((each) => each.answered !== null)
    .toSorted((one, other) => timeOf(one) - timeOf(other));
  return byAnswers(trace, answered, id) ?? byHistory(trace, { answered, bursts }, id);
}

/** Whether single answers prove it never turns back: so the first is found by halving. */
function byAnswers(trace: Trace, answered: readonly Exchange[], id: string): number | null {
  const proves = (index: number): boolean => {
    const last = answered[index];
    return last !== undefined && provedByAnswers(cutAt(trace, timeOf(last))).some(({ verdict }) => verdict.id === id);
  };
  let low = 0;
  let high = answered.length - 1;
  if (!proves(high)) return null;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (proves(middle)) high = middle;
    else low = middle + 1;
  }
  const first = answered[low];
  return first ? timeOf(first) : null;
}

/** Budgets are judged at the end of each burst, and where one begins to refuse or accepts again. */
function byHistory(
  trace: Trace,
  { answered, bursts }: { readonly answered: readonly Exchange[]; readonly bursts: readonly (readonly Intent[])[] },
  id: string,
): number | null {
  const moments = openMoments();
  const earlier = new EarlierParts();
  moments.learn({ exchanges: [], intents: bursts });
  for (const exchange of answered) {
    const time = timeOf(exchange);
    moments.learn({ exchanges: [exchange], intents: [] });
    if (!moments.take('budgets')) continue;
    const { proved } = provedByHistory(trace, time, earlier);
    if (proved.some(({ verdict, named }) => !named || verdict.id === id)) return time;
  }
  // Between two of these moments, the run itself may have looked at one that shows it.
  return trace.notes.find(({ code, text }) => code === 'failure-shown' && text === id)?.time ?? null;
}

function timeOf({ answered, sent }: Exchange): number {
  return answered ?? sent;
}
