import { type Random, shuffled } from './random.ts';

/**
 * What a run decides by its seed and by nothing else, so that it shows in the recording and in the target's own log:
 * the driver asks these functions what to send, and whoever verifies a certificate asks them again. A recording that
 * was made with another seed, or from which such requests were taken out, differs.
 */

/** What of a request says which one it is, before it is sent and in the recording alike. */
export interface Recognised {
  readonly operation: string | null;
  readonly credential: string;
  readonly fault: string;
  readonly variation: string | null;
  readonly method: string;
}

/** Steps of an experiment whose requests may come in any order: that of the seed. */
export const IN_SEEDED_ORDER: ReadonlySet<string> = new Set(['scope', 'header', 'evasion', 'open']);

/** The label of the source that orders an experiment's requests. */
export function orderLabel(experiment: string): string {
  return `order of ${experiment}`;
}

/** The requests of one experiment in the order that the seed gives, whatever order they are given in. */
export function inSeededOrder<Request>(
  random: Random,
  requests: readonly Request[],
  recognise: (request: Request) => Recognised,
): Request[] {
  const named = requests.map((request) => ({ request, name: nameOf(recognise(request)) }));
  named.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
  return shuffled(random, named).map(({ request }) => request);
}

/** Two requests of one name may change places unseen. */
export function nameOf({ operation, credential, fault, variation, method }: Recognised): string {
  return JSON.stringify([operation, credential, fault, variation, method]);
}

/**
 * Seconds between two polls of a spent budget, by step: now and then, where the budget should come back, and when it is
 * late.
 */
export const POLL_EVERY_S = { poll: 4, 'poll-dense': 0.25, 'poll-late': 1 } as const;

export type PollStep = keyof typeof POLL_EVERY_S;

export function isPollStep(step: string): step is PollStep {
  return Object.hasOwn(POLL_EVERY_S, step);
}

/**
 * The label of the source that a poll's pause is drawn from: one for each, by how many polls its experiment sent
 * before.
 */
export function pollLabel(experiment: string, earlier: number): string {
  return `poll ${earlier} of ${experiment}`;
}

/**
 * Least seconds between what came before in its experiment and a poll: within a fifth of what is usual for the step.
 */
export function pollPause(random: Random, step: PollStep): number {
  return POLL_EVERY_S[step] * (0.8 + 0.4 * random());
}

/**
 * Polls of a step in so many seconds: one more than pauses as usual leave room for, since shorter and longer ones come
 * to the same.
 */
export function mostPolls(step: PollStep, seconds: number): number {
  return Math.ceil(seconds / POLL_EVERY_S[step]) + 1;
}

/** The label of the source of `unknownPath`. */
export const UNKNOWN_PATH = 'unknown path';

/** A path that no deployment has: any access log shows it. */
export function unknownPath(random: Random): string {
  const name = Math.floor(random() * 2 ** 32).toString(16);
  return `/no-such-path-${name.padStart(8, '0')}`;
}

/** The label of the source of `madeUpKey`. */
export const MADE_UP_KEY = 'made-up-key';

/**
 * So many characters of its made-up key are recorded with a run: enough to know it by, and the same whatever its
 * length.
 */
export const MADE_UP_SHOWN = 8;

/** A key that nobody has given out, as long as another, and of as many characters as are recorded at the least. */
export function madeUpKey(length: number, random: Random): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  const drawn = () => letters[Math.floor(random() * letters.length)];
  return Array.from({ length: Math.max(MADE_UP_SHOWN, length) }, drawn).join('');
}

/**
 * The source of the values that a run fills its requests in with. Two runs with one seed must not make the same names
 * on the target, so the clock is part of it.
 *
 * @param epoch wall clock in µs since the Unix epoch at time 0 of the run's clock
 */
export function valuesLabel(epoch: number): string {
  return `values at ${epoch}`;
}
