import { SECOND, WINDOW } from '../../deployment/deployment.ts';
import { gridWindows } from '../mechanisms/fixed-window.ts';
import type { AnyLimiter } from '../mechanisms/limiter.ts';
import { limiterOf } from '../mechanisms/mechanics.ts';
import { phaseOf } from '../mechanisms/phase.ts';
import { slidingLog } from '../mechanisms/sliding-log.ts';
import { COUNTING, type Defect, deviating, deviation, handMade, limiter, WINDOWS } from './defect.ts';

/** Time between two steps of a race, in µs. */
const GAP = 30_000;
const STRAGGLE = 1_200_000;

const LOST = { diagnosis: 'lost update' } as const;
const LATE = { diagnosis: 'check-then-act race' } as const;

/** Limiters that count wrongly if requests arrive at the same time. */
export const CONCURRENCY_DEFECTS: readonly Defect[] = [
  deviating('read-then-write', 44, deviation('lost-updates', { gap: GAP, when: 'always' }), LOST),
  deviating('check-then-increment', 45, deviation('late-counting', { lag: GAP, answered: 'when counted' }), LATE),
  deviating('counted-after-answer', 46, deviation('late-counting', { lag: 150_000, answered: 'when decided' }), LATE),
  deviating('stale-replica', 14, deviation('late-counting', { lag: 50_000, answered: 'when decided' }), {
    ...LATE,
    description: 'counts are read from a replica that is 50 ms behind',
  }),
  deviating('two-nodes', 47, deviation('nodes-apart', { nodes: 2, sync: null, routing: 'in turn' }), {
    diagnosis: '2 unshared counters',
  }),
  deviating('synced-nodes', 48, deviation('nodes-apart', { nodes: 2, sync: SECOND, routing: 'in turn' })),
  handMade('timestamp-members', 'a sliding log in which requests within 20 ms are one entry', {
    number: 49,
    must: ['LIMIT-ATOMIC'],
    may: [...COUNTING, 'LIMIT-R', 'LIMIT-W', 'STATUS-429'],
    change: limiter(() => limiterOf(slidingLog({ member: 20_000 }))),
    ...LOST,
    variant: 'log',
  }),
  deviating('cold-create', 50, deviation('lost-updates', { gap: GAP, when: 'window is made' }), LOST),
  handMade('clearing-straggler', 'a slow request that began in the last window clears the counts of this one', {
    number: 35,
    must: [],
    may: WINDOWS,
    change: limiter(clearingStraggler),
    // Only a burst across the end of a window would show it, but then it is unknown in which window each request was
    // counted.
    observable:
      'the plan sends nothing into a window before each request of the last one has been answered, so that there is nothing to clear',
  }),
];

/**
 * Every tenth request counts some time after it has read the clock. If a new window has begun by then, it clears that
 * window.
 */
function clearingStraggler(): AnyLimiter {
  const counting = limiterOf(gridWindows(phaseOf('clock', 0)));
  let asked = 0;
  return {
    ...counting,
    decide(budget, limit, now) {
      if (++asked % 10 !== 0) return counting.decide(budget, limit, now);
      return {
        wait: STRAGGLE,
        resume(later) {
          if (Math.floor(later / WINDOW) !== Math.floor(now / WINDOW)) counting.clear?.();
          return counting.decide(budget, limit, later);
        },
      };
    },
  };
}
