import type { Kind } from '../../trace/exchange.ts';
import { BOTH, drawKinds, limitRequirements, type Operator, onlyFor, pick } from '../operator.ts';

/** An ended window affects the next one. */
export interface CarriedOver {
  readonly kinds: readonly Kind[];
  /**
   * - `unused`: the unused rest is added to the next window
   * - `refusals`: its refusals are counted in the next one in advance, up to the limit
   * - `old count`: it still applies to the first request of the next one
   * - `share`: a part of what it counted is counted in the next one
   */
  readonly what: 'unused' | 'refusals' | 'old count' | 'share';
  /**
   * Which part, from 0 to 1; elapsed: as much as has passed of the next window, where a sliding counter has as much as
   * is left of it. Absent for the others.
   */
  readonly share?: number | 'elapsed';
  /** The most refusals that are counted in the next window, or unused requests that are added; absent: the limit. */
  readonly most?: number;
}

/** A window that does not begin from zero. */
export const carriedOver: Operator<'carried-over', CarriedOver> = {
  id: 'carried-over',
  component: 'window',
  breaks({ kinds, what, share }) {
    if (what === 'old count') return ['HDR-4'];
    return share === 'elapsed' ? ['LIMIT-WINDOW'] : limitRequirements(kinds);
  },
  mayShow: ({ kinds, what }) => (what === 'share' ? [...limitRequirements(kinds), ...SHOWN.share] : SHOWN[what]),
  sentence({ kinds, what, share, most }) {
    if (typeof share === 'number')
      return `Of what a window counted, ${Math.round(share * 100)} % is still counted in the next one${onlyFor(kinds)}.`;
    return `${SENTENCES[what]}${most === undefined ? '' : `, up to ${most}`}${onlyFor(kinds)}.`;
  },
  remedy: ({ what }) => REMEDIES[what],
  draw(random) {
    const kinds = drawKinds(random);
    const what = pick(random, ['unused', 'refusals', 'old count', 'share'] as const);
    return what === 'share'
      ? { kinds: BOTH, what, share: pick(random, [0.5, 0.25, 'elapsed'] as const) }
      : { kinds, what };
  },
};

const SHOWN = {
  unused: ['LIMIT-ATOMIC'],
  refusals: ['HDR-4'],
  'old count': ['LIMIT-WINDOW', 'HDR-7'],
  share: ['LIMIT-WINDOW', 'HDR-4', 'HDR-5'],
} as const;

const SENTENCES = {
  unused: 'What a window left unused is added to the next one',
  refusals: 'What a window refused is counted in the next one in advance',
  'old count': 'The first request after a window’s end is still judged by the old count',
  share: 'What a window counted is still counted in the next one, the more the longer this one lasts',
} as const;

const REMEDIES = {
  unused: 'Usually unused requests are meant as a bonus (roll-over). The limit is one for each window: drop them.',
  refusals:
    'Usually refused requests are counted, and what is over the limit is kept as a debt. Begin each window with nothing counted.',
  'old count': 'Usually old entries are removed after the decision. Remove them before it.',
  share:
    'Usually a sliding counter weighs the old count wrongly. Weigh it with the part of the window that is still to come, which ends at 0.',
} as const;
