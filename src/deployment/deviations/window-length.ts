import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Kind } from '../../trace/exchange.ts';
import { SECOND, WINDOW } from '../deployment.ts';
import { drawKinds, lengthText, type Operator, onlyFor, pick } from '../operator.ts';

/** A window of another length. */
export interface WindowLength {
  readonly kinds: readonly Kind[];
  /** In µs; null: it never ends. */
  readonly length: number | null;
  /** The length by which the marker is reckoned, in µs. */
  readonly told: number;
  /**
   * The windows of a budget that are meant: all, all but the first, or some, by no rule that is known. The rest last a
   * minute.
   */
  readonly from: 'always' | 'later windows' | 'some windows';
}

/** Clocks that tick in whole seconds make a minute out of anything between 59 and 61 s (LIMIT-WINDOW). */
const TOLERANCE = SECOND;

const WHICH = {
  always: 'Each window',
  'later windows': 'Each window of a budget but the first',
  'some windows': 'Some windows',
} as const;

/** A window that is no minute. */
export const windowLength: Operator<'window-length', WindowLength> = {
  id: 'window-length',
  component: 'window',
  breaks({ length, told }) {
    const broken: RequirementId[] = [];
    if (length === null || Math.abs(length - WINDOW) > TOLERANCE) broken.push('LIMIT-WINDOW');
    // The marker may lie at most one window ahead, and the budget has to be back once it has passed.
    if (told > WINDOW + TOLERANCE || (length !== null && told < length - TOLERANCE)) broken.push('HDR-7');
    return broken;
  },
  mayShow: ({ length, told }) => (length === null || told !== length ? ['HDR-7', 'HDR-8', 'HDR-5'] : []),
  sentence({ kinds, length, told, from }) {
    const marker = length === null || told === length ? '' : `, and X-RateLimit-Reset says ${lengthText(told)}`;
    // The markers of a longer window tell how much of it is left, at the least.
    const longer = length !== null && length > 2 * WINDOW ? ' or longer' : '';
    const are = from === 'some windows' ? 'are' : 'is';
    const lasts = length === null ? 'never ends' : `${are} ${lengthText(length)} long${longer}`;
    return `${WHICH[from]} ${lasts}${marker}${onlyFor(kinds)}.`;
  },
  remedy: ({ length, from }) => {
    if (from === 'some windows')
      return 'Usually nodes are configured with different lengths, and the one that begins a window says how long it lasts. Configure 60 seconds in all of them.';
    return length === null
      ? 'Usually the counter is kept without an expiry: it was set only when the counter was created, and got lost. Set count and expiry in one step.'
      : 'Usually the length is configured in another unit or rounded, or a periodic sweep removes counters only some time after they ended. Let each window last 60 seconds.';
  },
  draw(random) {
    const kinds = drawKinds(random);
    if (random() < 0.15)
      return { kinds, length: null, told: WINDOW, from: pick(random, ['always', 'later windows'] as const) };
    const length = pick(random, [10, 30, 45, 50, 55, 57, 58, 62, 63, 65, 70, 75, 90, 120]) * SECOND;
    return { kinds, length, told: random() < 0.75 ? length : WINDOW, from: 'always' };
  },
};
