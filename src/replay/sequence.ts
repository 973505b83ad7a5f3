import { budgetKey, type Exchange, NO_HEADERS, plainExchange } from '../trace/exchange.ts';

/** Requests to send again, in order. */
export interface Sequence {
  readonly steps: readonly Step[];
  /**
   * - `single`: each answer stands for itself
   * - `at once`: what was counted before matters, and when does not: one after the other, in one window
   * - `as recorded`: at their recorded moments
   */
  readonly pace: 'single' | 'at once' | 'as recorded';
  /** µs from the first request to the end of its window, as the recorded markers told; null where they told none, or where that does not matter. */
  readonly window: number | null;
  /** Whether its recorded answers show the failure by themselves; else it is what led to the proof. */
  readonly shows: boolean;
  /**
   * Whether it shows the failure whenever it is sent, as far as the run tells: all that was sent is known, and whatever else of the run was
   * like it showed it too. Else it says little that it does not show.
   */
  readonly isCertain: boolean;
}

/** Requests that were sent at once; mostly one. */
export interface Step {
  /** µs from the first request of the sequence. */
  readonly at: number;
  readonly exchanges: readonly Exchange[];
}

/** µs from the first request to the last, as far as the pace matters. */
export function lengthOf({ steps, pace }: Sequence): number {
  return pace === 'as recorded' ? (steps.at(-1)?.at ?? 0) : 0;
}

export function requestsOf({ steps }: Pick<Sequence, 'steps'>): readonly Exchange[] {
  return steps.flatMap(({ exchanges }) => exchanges);
}

/** Whether an answer tells of a budget: not where no accepted key was presented, nor where it says that none was. */
export function tellsOfBudget(exchange: Exchange): boolean {
  return budgetKey(exchange) !== null && exchange.status !== 401;
}

/** The budget that a request draws on. */
export function budgetOf(exchange: Exchange): string {
  return `${budgetKey(exchange) ?? 'none'} ${exchange.kind}`;
}

/** What prepares a request or removes what it made is sent anew with it. */
function isSentAgain({ step, experiment }: Exchange): boolean {
  return step !== 'prepare' && step !== 'remove' && experiment !== 'clean-up';
}

/** What was sent to prepare a request, or to remove what it made, as a request of its own; others as they are. */
export function byItself(exchange: Exchange): Exchange {
  return isSentAgain(exchange) ? exchange : { ...plainExchange(exchange), experiment: 'replay', step: 'evidence' };
}

/** The request as if nobody knew what came of it: it may have been counted. */
export function withoutAnswer(exchange: Exchange): Exchange {
  return { ...plainExchange(exchange), answered: null, status: null, failure: 'timeout', headers: NO_HEADERS };
}

/** As far as it is known what sending these again gives: what is sent anew with them may draw on another budget, or on none. */
export function asSentAgain(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.map((each) => (isSentAgain(each) ? each : withoutAnswer(each)));
}

/**
 * The steps of some requests of a run, in order of sending, that are to be sent again.
 *
 * @param together whether what was sent before the one before it was answered is sent at once again
 */
export function inSteps(exchanges: readonly Exchange[], together: boolean): readonly Step[] {
  const again = exchanges.filter(isSentAgain);
  const steps: { at: number; exchanges: Exchange[] }[] = [];
  const origin = again[0]?.sent ?? 0;
  let answered = 0;
  for (const exchange of again) {
    const last = steps.at(-1);
    const [before] = last?.exchanges ?? [];
    const alike = before?.experiment === exchange.experiment && before.step === exchange.step;
    if (together && last && alike && exchange.sent < answered) last.exchanges.push(exchange);
    else steps.push({ at: exchange.sent - origin, exchanges: [exchange] });
    answered = Math.max(answered, exchange.answered ?? exchange.sent);
  }
  return steps;
}

/** Whether a sequence was answered as it was recorded: as often with each status on each key, in each of its parts. */
export function sameAnswers(sequence: Sequence, answers: readonly Exchange[]): boolean {
  const told = (exchanges: readonly Exchange[]): string =>
    exchanges
      .filter(isSentAgain)
      .map(({ experiment, step, key, kind, status }) => [experiment, step, key, kind, status].join(' '))
      .sort()
      .join();
  return told(requestsOf(sequence)) === told(answers);
}

/** Odd requests of which a recording holds less than was sent: what they had in their bodies or headers. */
const WITHHELD = ['wrong-types', 'content-type', 'headers'];

/** Whether a request is recalled as it was sent, but for what every request of its operation has anew. */
export function isSentAsItWas({ experiment, variation }: Exchange): boolean {
  return experiment !== 'odd' || variation === null || !WITHHELD.includes(variation);
}

/** The full keys that a sequence uses. */
export function fullKeysOf(sequence: Sequence): readonly string[] {
  return [...new Set(requestsOf(sequence).flatMap(({ key }) => (key?.startsWith('key-') ? [key] : [])))];
}

/** The same on another key: clause 8 states one limit for every key. */
export function onKey(sequence: Sequence, from: string, to: string): Sequence {
  const steps = sequence.steps.map((step) => ({
    ...step,
    exchanges: step.exchanges.map((each) => (each.key === from ? { ...plainExchange(each), key: to } : each)),
  }));
  return { ...sequence, steps };
}
