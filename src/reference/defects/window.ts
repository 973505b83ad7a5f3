import { gcraLimiter, leakyBucketLimiter, tokenBucketLimiter } from '../mechanisms/buckets.ts';
import { faultyLogLimiter } from '../mechanisms/faulty-sliding.ts';
import { faultyWindowLimiter, type WindowFaults } from '../mechanisms/faulty-window.ts';
import { clockPhase, gridLimiter } from '../mechanisms/grid.ts';
import { SECOND } from '../mechanisms/limiter.ts';
import { called, type Defect, limiter, WINDOWS } from './defect.ts';

function faulty(name: string, number: number | null, description: string, faults: WindowFaults): Defect {
  const change = limiter(() => faultyWindowLimiter(faults));
  return {
    name,
    number,
    description,
    must: ['LIMIT-WINDOW'],
    may: WINDOWS,
    observable: true,
    variant: 'anchored',
    change,
  };
}

function ofLength(seconds: number, within: boolean): Defect {
  return {
    name: `window-of-${seconds}-seconds`,
    number: 28,
    description: `fixed windows of ${seconds} s`,
    must: within ? [] : ['LIMIT-WINDOW'],
    may: WINDOWS,
    observable: within ? 'within the tolerance for clocks that tick in whole seconds' : true,
    change: limiter(() => gridLimiter({ phase: clockPhase, window: seconds * SECOND })),
  };
}

function bucket(name: string, number: number, description: string, make: typeof gcraLimiter): Defect {
  const must = ['LIMIT-WINDOW', 'LIMIT-HISTORY'] as const;
  return { name, number, description, must, may: WINDOWS, observable: true, change: limiter(make) };
}

/** Windows that are no minute, that end too late, too early or never, and limiters that have none. */
export const WINDOW_DEFECTS: readonly Defect[] = [
  ofLength(57, false),
  ofLength(58, false),
  ofLength(59, true),
  ofLength(61, true),
  ofLength(62, false),
  ofLength(30, false),
  ofLength(120, false),
  called(
    'refreshed TTL',
    faulty('refreshed-by-requests', 29, 'each request moves the end of the window to one minute from now', {
      refreshedBy: 'requests',
    }),
  ),
  called(
    'refreshed TTL',
    faulty('refreshed-unseen', 30, 'each request moves the end of the window, and the marker does not tell', {
      refreshedBy: 'requests',
      pinnedMarker: true,
    }),
  ),
  called(
    'refreshed TTL',
    faulty('refreshed-by-refusals', 31, 'each refusal moves the end of the window to one minute from now', {
      refreshedBy: 'refusals',
    }),
  ),
  called(
    'refreshed TTL',
    faulty(
      'refreshed-by-refusals-unseen',
      31,
      'each refusal moves the end of the window, and the marker does not tell',
      {
        refreshedBy: 'refusals',
        pinnedMarker: true,
      },
    ),
  ),
  called('no expiry', faulty('never-back', 32, 'the count never expires', { eternalFrom: 1 })),
  called(
    'no expiry',
    faulty('second-window-never-ends', 33, 'the count of the second window never expires', { eternalFrom: 2 }),
  ),
  {
    name: 'old-count-new-marker',
    number: 34,
    description: 'the first request of a window is judged by the last one’s count, under the new marker',
    must: ['HDR-4'],
    may: WINDOWS,
    observable: true,
    variant: 'anchored',
    change: limiter(() => faultyWindowLimiter({ carriesCount: true })),
  },
  {
    name: 'unused-carried-over',
    number: null,
    description: 'what a window left unused is added to the next',
    must: ['LIMIT-R'],
    may: [...WINDOWS, 'LIMIT-W', 'LIMIT-ATOMIC'],
    observable: true,
    variant: 'anchored',
    change: limiter(() => faultyWindowLimiter({ carriesUnused: true })),
  },
  called('token bucket', bucket('token-bucket', 36, 'a token bucket that is refilled evenly', tokenBucketLimiter)),
  called('GCRA', bucket('gcra', 37, 'the generic cell rate algorithm', gcraLimiter)),
  called('leaky bucket', bucket('leaky-bucket', 38, 'a leaky bucket', leakyBucketLimiter)),
  called(
    'penalty block of 60 s',
    faulty('penalty-block', 39, 'a first refusal blocks the key for one minute from then', { penalty: true }),
  ),
  faulty('back-after-45-seconds', 40, 'the budget is back after 45 s, the marker says 60', {
    length: 45 * SECOND,
    told: 60 * SECOND,
  }),
  {
    name: 'evicts-after-counting',
    number: 42,
    description:
      'a sliding log that throws out old entries after it has decided: a first request after a pause sees them',
    must: ['LIMIT-WINDOW'],
    may: WINDOWS,
    observable: true,
    variant: 'log',
    change: limiter(() => faultyLogLimiter({ evictsLate: true })),
  },
  called(
    'penalty block',
    faulty('growing-block', 43, 'each refusal doubles the time until the budget is back', { backoff: true }),
  ),
];
