import type { Kind } from '../../trace/exchange.ts';
import { SECOND } from '../deployment.ts';
import { drawKinds, lengthText, limitRequirements, type Operator, plural, whole } from '../operator.ts';

/** Counters are lost: windows that were under way begin again. */
export interface CountersLost {
  readonly kinds: readonly Kind[];
  /** When, in µs of the run's clock: the first time, if there are more. */
  readonly at?: number;
  /** How often they are lost again at the least, some or all of them; left out: all are lost once. */
  readonly again?: number;
  /** In place of times: so many counters are kept, and the one that was used the longest ago is dropped. */
  readonly kept?: number;
  /** Whether one store keeps counters of both kinds, or what is counted of so many keys; left out: each kind has one. */
  readonly store?: 'of both kinds' | 'of keys';
}

/** A restart, or a store that removes what is still in use: clause 8 excuses no minute. */
export const countersLost: Operator<'counters-lost', CountersLost> = {
  id: 'counters-lost',
  component: 'window',
  breaks: ({ kinds }) => limitRequirements(kinds),
  mayShow: () => ['HDR-4', 'HDR-8', 'LIMIT-WINDOW', 'LIMIT-ATOMIC'],
  sentence({ kinds, at = 0, again, kept, store }) {
    if (kept !== undefined)
      return `Only ${keptText(kept, kinds, store)}, so that counts of ${plural(kinds)} are lost while others are in use.`;
    return again === undefined
      ? `All counts of ${plural(kinds)} were lost, as by a restart, at the latest ${lengthText(at)} after the start of the run.`
      : `Counts of ${plural(kinds)} were lost ${again === 0 ? 'once or more' : `at least ${again + 1} times`}, first within ${lengthText(at)} of the start of the run.`;
  },
  remedy({ again, kept }) {
    if (kept !== undefined)
      return 'Usually counters are kept in a cache that drops the one that was used the longest ago. Keep each counter until its window ends.';
    return again === undefined
      ? 'Usually the process was restarted and keeps its counters in its own memory. Keep them in a store that outlives it.'
      : 'Usually the store is too small and removes counters of windows that have not ended, or the process is restarted again and again. Keep each counter until its window ends.';
  },
  draw(random, { keys }) {
    const kinds = drawKinds(random);
    // The restricted key has counters, too.
    if (random() < 0.3 && keys.length > 1) {
      const kept = whole(random, 2, keys.length * kinds.length);
      return { kinds, kept, ...(kinds.length > 1 && { store: 'of both kinds' }) };
    }
    return { kinds, at: whole(random, 5, 110) * SECOND };
  },
};

/** `6 counters of reads and writes together are kept`. */
function keptText(kept: number, kinds: readonly Kind[], store: CountersLost['store']): string {
  if (store === 'of keys') return `the counters of ${kept === 1 ? 'one key' : `${kept} keys`} are kept`;
  const whose = store ? 'reads and writes together' : kinds.length > 1 ? 'each kind' : plural(kinds);
  return `${kept} ${kept === 1 ? 'counter' : 'counters'} of ${whose} ${kept === 1 ? 'is' : 'are'} kept`;
}
