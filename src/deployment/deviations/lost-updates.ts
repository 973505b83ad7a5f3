import type { Kind } from '../../trace/exchange.ts';
import { drawKinds, lengthText, limitRequirements, type Operator, onlyFor, pick } from '../operator.ts';

/** Requests that are counted at once overwrite each other's count. */
export interface LostUpdates {
  readonly kinds: readonly Kind[];
  /** Time between reading a count and writing it, in µs. */
  readonly gap: number;
  /** Each request reads and writes; or only those that find no window and create one. */
  readonly when: 'always' | 'window is made';
}

/** In µs: what is longer is hardly the time between two steps of one request. */
const WHILE_ONE_IS_SERVED = 100_000;

/** A count that is read, and later written as the read value plus one. */
export const lostUpdates: Operator<'lost-updates', LostUpdates> = {
  id: 'lost-updates',
  component: 'concurrency',
  breaks: () => ['LIMIT-ATOMIC'],
  mayShow: ({ kinds }) => limitRequirements(kinds),
  sentence: ({ kinds, gap, when }) =>
    when === 'always'
      ? `Requests that arrive ${gap > WHILE_ONE_IS_SERVED ? `within ${lengthText(gap)} of each other` : 'at once'} are not all counted before the next is let through${onlyFor(kinds)}.`
      : `Requests that open a window at once are not all counted${onlyFor(kinds)}.`,
  remedy: ({ gap }) =>
    gap > WHILE_ONE_IS_SERVED
      ? 'Usually the count is read from a copy that is renewed now and then, and written back as one more. Count each request in one step that the store makes atomic, such as INCR or a script.'
      : 'Usually the limit is checked in one step and the request counted in a later one, such as when its answer is finished; or the count is read and written in two steps, so that requests overwrite each other’s count; or equal requests are joined and counted as one. Check and count each request in one step that the store makes atomic, such as INCR or a script.',
  draw: (random) => ({
    kinds: drawKinds(random),
    gap: pick(random, [2_000, 5_000, 20_000, 50_000]),
    when: pick(random, ['always', 'always', 'window is made']),
  }),
};
