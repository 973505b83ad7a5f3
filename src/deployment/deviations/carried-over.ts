import type { Kind } from '../../trace/exchange.ts';
import { drawKinds, limitRequirements, type Operator, onlyFor, pick } from '../operator.ts';

/** An ended window affects the next one. */
export interface CarriedOver {
  readonly kinds: readonly Kind[];
  /**
   * The unused rest is added to the next window; its refusals are counted in the next one in advance, up to the limit;
   * or the old count still applies to the first request of the next one.
   */
  readonly what: 'unused' | 'refusals' | 'old count';
  /** The most refusals that are counted in the next window, or unused requests that are added; absent: the limit. */
  readonly most?: number;
}

/** A window that does not begin from zero. */
export const carriedOver: Operator<'carried-over', CarriedOver> = {
  id: 'carried-over',
  component: 'window',
  breaks: ({ kinds, what }) => (what === 'old count' ? ['HDR-4'] : limitRequirements(kinds)),
  mayShow: ({ what }) => SHOWN[what],
  sentence: ({ kinds, what, most }) =>
    `${SENTENCES[what]}${most === undefined ? '' : `, up to ${most}`}${onlyFor(kinds)}.`,
  remedy: ({ what }) => REMEDIES[what],
  draw: (random) => ({ kinds: drawKinds(random), what: pick(random, ['unused', 'refusals', 'old count']) }),
};

const SHOWN = {
  unused: ['LIMIT-ATOMIC'],
  refusals: ['HDR-4'],
  'old count': ['LIMIT-WINDOW', 'HDR-7'],
} as const;

const SENTENCES = {
  unused: 'What a window left unused is added to the next one',
  refusals: 'What a window refused is counted in the next one in advance',
  'old count': 'The first request after a window’s end is still judged by the old count',
} as const;

const REMEDIES = {
  unused: 'Usually unused requests are meant as a bonus (roll-over). The limit is one for each window: drop them.',
  refusals:
    'Usually refused requests are counted, and what is over the limit is kept as a debt. Begin each window with nothing counted.',
  'old count': 'Usually old entries are removed after the decision. Remove them before it.',
} as const;
