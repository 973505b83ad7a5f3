import type { Kind } from '../../trace/exchange.ts';
import { drawKinds, limitRequirements, type Operator, onlyFor, pick } from '../operator.ts';

/** An ended window affects the next one. */
export interface CarriedOver {
  readonly kinds: readonly Kind[];
  /** The unused rest is added to the next window; or the old count still applies to the first request of the next one. */
  readonly what: 'unused' | 'old count';
}

/** A window that does not begin from zero. */
export const carriedOver: Operator<'carried-over', CarriedOver> = {
  id: 'carried-over',
  component: 'window',
  breaks: ({ kinds, what }) => (what === 'unused' ? limitRequirements(kinds) : ['HDR-4']),
  mayShow: ({ what }) => (what === 'unused' ? ['LIMIT-ATOMIC'] : ['LIMIT-WINDOW', 'HDR-7']),
  sentence: ({ kinds, what }) =>
    what === 'unused'
      ? `What a window left unused is added to the next one${onlyFor(kinds)}.`
      : `The first request after a window’s end is still judged by the old count${onlyFor(kinds)}.`,
  remedy: ({ what }) =>
    what === 'unused'
      ? 'Usually unused requests are meant as a bonus (roll-over). The limit is one for each window: drop them.'
      : 'Usually old entries are removed after the decision. Remove them before it.',
  draw: (random) => ({ kinds: drawKinds(random), what: pick(random, ['unused', 'old count']) }),
};
