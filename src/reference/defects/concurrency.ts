import type { RequirementId } from '../../catalogue/requirement.ts';
import { faultyLogLimiter } from '../mechanisms/faulty-sliding.ts';
import { faultyWindowLimiter } from '../mechanisms/faulty-window.ts';
import {
  checkThenIncrementLimiter,
  clearingStragglerLimiter,
  coldCreateLimiter,
  readThenWriteLimiter,
  staleCountLimiter,
  syncedLimiter,
  unsharedLimiter,
} from '../mechanisms/racing.ts';
import { COUNTING, called, type Defect, limiter, WINDOWS } from './defect.ts';

/** Time between two steps of a race, in µs. */
const GAP = 30_000;
const COUNTING_LAG = 150_000;
const STRAGGLE = 1_200_000;

function race(
  name: string,
  number: number,
  description: string,
  must: RequirementId,
  make: Parameters<typeof limiter>[0],
): Defect {
  const may: readonly RequirementId[] = [...COUNTING, 'LIMIT-R', 'LIMIT-W', 'STATUS-429'];
  return { name, number, description, must: [must], may, observable: true, change: limiter(make) };
}

/** Where nodes take turns, one refuses while the other still accepts: a spent budget that is back at once. */
function taking(turns: Defect): Defect {
  return { ...turns, may: [...turns.may, 'LIMIT-WINDOW'] };
}

/** Limiters that lose count when requests arrive at once. */
export const CONCURRENCY_DEFECTS: readonly Defect[] = [
  called(
    'lost update',
    race('read-then-write', 44, 'the count is read, and later written as what was read plus one', 'LIMIT-ATOMIC', () =>
      readThenWriteLimiter(GAP),
    ),
  ),
  called(
    'check-then-act race',
    race('check-then-increment', 45, 'the count is checked, and later incremented', 'LIMIT-ATOMIC', () =>
      checkThenIncrementLimiter(GAP),
    ),
  ),
  called(
    'check-then-act race',
    race('counted-after-answer', 46, 'a request is counted 150 ms after it was answered', 'LIMIT-ATOMIC', () =>
      staleCountLimiter(COUNTING_LAG),
    ),
  ),
  called(
    '2 unshared counters',
    taking(
      race('two-nodes', 47, 'two nodes that take turns, each with a budget of its own', 'LIMIT-R', unsharedLimiter),
    ),
  ),
  taking(
    race(
      'synced-nodes',
      48,
      'two nodes that take turns and share their counts once a second',
      'LIMIT-ATOMIC',
      syncedLimiter,
    ),
  ),
  called('lost update', {
    ...race('timestamp-members', 49, 'a sliding log in which requests within 20 ms are one entry', 'LIMIT-ATOMIC', () =>
      faultyLogLimiter({ memberUnit: 20_000 }),
    ),
    variant: 'log',
  }),
  called(
    'lost update',
    race('cold-create', 50, 'all who find no window create one, and one of them is kept', 'LIMIT-ATOMIC', () =>
      coldCreateLimiter(GAP),
    ),
  ),
  {
    name: 'refusal-refunds',
    number: 51,
    description: 'a refused request takes one off the count',
    must: ['LIMIT-R'],
    may: WINDOWS,
    observable: true,
    variant: 'anchored',
    change: limiter(() => faultyWindowLimiter({ refusalRefunds: true })),
  },
  {
    name: 'clearing-straggler',
    number: 35,
    description: 'a slow request that began in the last window clears the counts of this one',
    must: [],
    may: WINDOWS,
    // A burst that straddles a window's end would show it, and leave open in which window each of its requests was counted.
    observable:
      'the plan sends nothing into a window before each request of the last one has been answered, so that there is nothing to clear',
    change: limiter(() => clearingStragglerLimiter(STRAGGLE)),
  },
];
