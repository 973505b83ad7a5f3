import { budgetKey, type Exchange, isFullKey, NO_HEADERS, plainExchange } from '../trace/exchange.ts';

/** Requests to send again, in order. */
export interface Sequence {
  readonly steps: readonly Step[];
  /**
   * - `single`: each answer shows the failure by itself
   * - `at once`: the earlier requests matter but their timing does not: one after the other, in one window
   * - `as recorded`: at their recorded moments
   */
  readonly pace: 'single' | 'at once' | 'as recorded';
  /**
   * µs from the first request to the end of its window, according to the recorded markers; null if they showed none, or
   * if it does not matter.
   */
  readonly window: number | null;
  /**
   * Whether its recorded answers show the failure by themselves; otherwise it has the requests that led to the proof.
   */
  readonly shows: boolean;
  /**
   * Whether it shows the failure each time it is sent, as far as the run shows: all sent requests are known, and every
   * similar part of the run showed the failure too. Otherwise it proves little if it does not show the failure.
   */
  readonly isCertain: boolean;
  /** How many more ways the run showed for which the budgets of the keys do not suffice. */
  readonly untried?: number;
}

/** Requests that were sent at the same time; mostly one. */
export interface Step {
  /** µs from the first request of the sequence. */
  readonly at: number;
  readonly exchanges: readonly Exchange[];
}

/** µs from the first request to the last, if the pace matters. */
export function lengthOf({ steps, pace }: Sequence): number {
  return pace === 'as recorded' ? (steps.at(-1)?.at ?? 0) : 0;
}

export function requestsOf({ steps }: Pick<Sequence, 'steps'>): readonly Exchange[] {
  return steps.flatMap(({ exchanges }) => exchanges);
}

/** Whether an answer says something about a budget: not if the request had no accepted key, or the answer says so. */
export function tellsOfBudget(exchange: Exchange): boolean {
  return budgetKey(exchange) !== null && exchange.status !== 401;
}

/** The budget that a request draws on. */
export function budgetOf(exchange: Exchange): string {
  return `${budgetKey(exchange) ?? 'none'} ${exchange.kind}`;
}

/** Requests that prepare another one, or remove what it created, are sent again with it. */
function isSentAgain({ step, experiment }: Exchange): boolean {
  return step !== 'prepare' && step !== 'remove' && experiment !== 'clean-up';
}

/** A request that prepared another one, or removed what it created, as a request by itself; others unchanged. */
export function byItself(exchange: Exchange): Exchange {
  return isSentAgain(exchange) ? exchange : { ...plainExchange(exchange), experiment: 'replay', step: 'evidence' };
}

/** The request as if its answer were unknown: it may have been counted. */
export function withoutAnswer(exchange: Exchange): Exchange {
  return { ...plainExchange(exchange), answered: null, status: null, failure: 'timeout', headers: NO_HEADERS };
}

/**
 * The requests whose effect is known when they are sent again. What is sent along with them may draw on another budget,
 * or on none.
 */
export function asSentAgain(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.map((each) => (isSentAgain(each) ? each : withoutAnswer(each)));
}

/**
 * The steps of some requests of a run that are to be sent again, in order of sending.
 *
 * @param together whether a request that was sent before the previous one was answered is sent at the same time again
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

/**
 * Whether the answers to a sequence match the recorded ones: each status as often on each key, in each of its parts.
 */
export function sameAnswers(sequence: Sequence, answers: readonly Exchange[]): boolean {
  const told = (exchanges: readonly Exchange[]): string =>
    exchanges
      .filter(isSentAgain)
      .map(({ experiment, step, key, kind, status }) => [experiment, step, key, kind, status].join(' '))
      .sort()
      .join();
  return told(requestsOf(sequence)) === told(answers);
}

/** Odd requests that a recording does not contain completely: their bodies or headers are missing. */
const WITHHELD = ['wrong-types', 'content-type', 'headers'];

/**
 * Whether a request can be sent again exactly, except for the values that are new in every request of its operation.
 */
export function isSentAsItWas({ experiment, variation }: Exchange): boolean {
  return experiment !== 'odd' || variation === null || !WITHHELD.includes(variation);
}

/** The full keys that a sequence uses. */
export function fullKeysOf(sequence: Sequence): readonly string[] {
  return [...new Set(requestsOf(sequence).flatMap(({ key }) => (isFullKey(key) ? [key] : [])))];
}

/** The same on another key: clause 8 states the same limit for every key. */
export function onKey(sequence: Sequence, from: string, to: string): Sequence {
  const steps = sequence.steps.map((step) => ({
    ...step,
    exchanges: step.exchanges.map((each) => (each.key === from ? { ...plainExchange(each), key: to } : each)),
  }));
  return { ...sequence, steps };
}
