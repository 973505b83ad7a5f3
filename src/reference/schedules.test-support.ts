import { LIMITS } from '../catalogue/limits.ts';
import { SECOND } from '../deployment/deployment.ts';
import type { Random } from '../random/random.ts';
import type { Fault, Kind } from '../trace/exchange.ts';
import type { SimulatedRequest } from './simulate.test-support.ts';

/** The contents of a random schedule. */
export interface ScheduleShape {
  readonly keys: number;
  /** Length in seconds. */
  readonly seconds: number;
  /** At most this many requests. */
  readonly requests: number;
}

type Part = Omit<SimulatedRequest, 'at' | 'key' | 'kind'>;

/** Requests that differ from a plain one but use the same budget. */
export const VARIATIONS: readonly Part[] = [
  {},
  { variation: 'new-connection' },
  { variation: 'forwarded-for' },
  { variation: 'internal-address' },
  { variation: 'forwarded' },
  { variation: 'real-ip' },
  { variation: 'user-agent' },
  { variation: 'query-string', target: '/service?x=1' },
  { variation: 'path-case', target: '/SERVICE' },
  { variation: 'trailing-slash', target: '/service/' },
  { variation: 'key-spaces', credential: 'bearer' },
  { variation: 'both-headers', credential: 'both-same' },
  { variation: 'scheme-case', credential: 'bearer-lowercase' },
  { credential: 'bearer' },
];

/** The operations of the other groups, by kind. */
export const OPERATIONS: Readonly<Record<Kind, readonly Part[]>> = {
  read: [
    {},
    { operation: 'list-categories', group: 'categories', target: '/categories' },
    { operation: 'search-categories', group: 'categories', method: 'POST', target: '/categories/search' },
    { operation: 'get-label', group: 'labels', target: '/labels/1' },
  ],
  write: [
    {},
    { operation: 'create-category', group: 'categories', method: 'POST', target: '/categories' },
    { operation: 'create-label', group: 'labels', method: 'POST', target: '/labels' },
    { operation: 'delete-label', group: 'labels', method: 'DELETE', target: '/labels/2' },
  ],
};

const FAULTS: readonly Fault[] = ['parameter', 'missing', 'permission', 'internal'];

/**
 * Random bursts, pauses and slow series on a few keys and both kinds, with faults and variations, and some bursts one
 * window apart. No plan would send them, but the judge must be right about them. In order of time.
 */
export function randomSchedule(random: Random, { keys, seconds, requests }: ScheduleShape): SimulatedRequest[] {
  const schedule: SimulatedRequest[] = [];
  let connection = 0;
  const pick = <T>(list: readonly T[], fallback: T): T => list[Math.floor(random() * list.length)] ?? fallback;
  while (schedule.length < requests) {
    const kind: Kind = random() < 0.6 ? 'read' : 'write';
    const key = `key-${1 + Math.floor(random() * keys)}`;
    const start = random() * seconds * SECOND;
    const most = random() < 0.3 ? LIMITS[kind] + 10 : 12;
    const size = Math.min(requests - schedule.length, 1 + Math.floor(random() * most));
    const spread = pick([0, 1_000, 100_000, SECOND, 20 * SECOND], 0);
    const again = random() < 0.2 ? 60 * SECOND : 0;
    const shared = ++connection;
    for (let sent = 0; sent < size; sent++) {
      const at = Math.round(start + random() * spread + (random() < 0.5 ? again : 0));
      const fault = random() < 0.15 ? pick(FAULTS, 'none') : 'none';
      const part = random() < 0.3 ? pick(VARIATIONS, {}) : pick(OPERATIONS[kind], {});
      const own = part.variation === 'new-connection' || spread === 0;
      schedule.push({ ...part, at, key, kind, fault, connection: own ? ++connection : shared });
    }
    if (random() < 0.2) schedule.push({ at: Math.round(start), key: null, kind, fault: 'no-key', connection: shared });
  }
  return schedule.sort((one, other) => one.at - other.at);
}
