import type { RequirementId } from '../catalogue/requirement.ts';
import type { Random } from '../random/random.ts';
import type { Kind } from '../trace/exchange.ts';
import type { OperationFacts } from './attribute.ts';

/** The part of a deployment that a deviation changes. */
export type Component = 'scope' | 'weight' | 'limit' | 'window' | 'mechanism' | 'concurrency' | 'reporters';

/** What a deviation can be about: the operations of a profile, and the keys of a run. */
export interface Surface {
  readonly operations: readonly OperationFacts[];
  /** Aliases: `key-1` … */
  readonly keys: readonly string[];
}

/**
 * One way in which a deployment can differ from a conforming one. The judge searches these, takes requirement, sentence
 * and remedy from them, and the reference server carries them out. The parameters are data that a client can read off a
 * run.
 */
export interface Operator<Id extends string, Parameters> {
  readonly id: Id;
  readonly component: Component;
  /**
   * The requirements that the deviation breaks by itself: these and no others fail for it. Empty where it breaks none.
   */
  breaks(parameters: Parameters): readonly RequirementId[];
  /** What single answers may contradict besides: right to say, and no miss when it is not said. */
  mayShow(parameters: Parameters): readonly RequirementId[];
  /** One plain sentence about the deployment. */
  sentence(parameters: Parameters): string;
  /** What usually causes it, and what to do. */
  remedy(parameters: Parameters): string;
  /**
   * Whether it is usual that the deviation holds for some keys only, so that one may be drawn so, and its remedy says
   * why; left out: it never is.
   */
  mayBeOfSome?(parameters: Parameters): boolean;
  /** Parameters at random; null where the surface gives no occasion (one key cannot share a budget). */
  draw(random: Random, surface: Surface): Parameters | null;
}

/** Both kinds, in their order. */
export const BOTH: readonly Kind[] = ['read', 'write'];

/** The requirement of each kind's limit. */
export function limitRequirements(kinds: readonly Kind[]): readonly RequirementId[] {
  return kinds.map((kind) => (kind === 'read' ? 'LIMIT-R' : 'LIMIT-W'));
}

/** Which requests of these kinds are meant: `reads`, `writes`, or `requests` for both. */
export function plural(kinds: readonly Kind[]): string {
  const [only] = kinds;
  return kinds.length === 1 && only !== undefined ? `${only}s` : 'requests';
}

/** The same in the singular. */
export function singular(kinds: readonly Kind[]): string {
  return plural(kinds).slice(0, -1);
}

/** What is added to a sentence that holds for one kind only: ` (reads only)`; else nothing. */
export function onlyFor(kinds: readonly Kind[]): string {
  return kinds.length === 1 ? ` (${plural(kinds)} only)` : '';
}

/** A length in µs in words: `57 s`, `1.5 s`, `30 ms`. */
export function lengthText(microseconds: number): string {
  if (Math.abs(microseconds) < 1_000_000) return `${Math.round(microseconds / 1000)} ms`;
  return `${Number((microseconds / 1e6).toFixed(1))} s`;
}

/** Names in words: `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[]): string {
  const [last, ...others] = [...names].reverse();
  if (last === undefined) return '';
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
}

/** One of some values at random. Throws a RangeError where there is none. */
export function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new RangeError('nothing to choose from');
  return value;
}

/** A whole number between the two, both included. */
export function whole(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** Both kinds three times in four, else one of them. */
export function drawKinds(random: Random): readonly Kind[] {
  return random() < 0.75 ? BOTH : [pick(random, BOTH)];
}
