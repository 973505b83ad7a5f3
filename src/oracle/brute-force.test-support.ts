import { exchangeOf } from '../trace/trace.test-support.ts';
import type { Event, History } from './history.ts';

/** A request of a tiny history. Times are whole seconds, so every decision time can be tried. */
export interface TinyRequest {
  readonly from: number;
  readonly to: number;
  readonly accepted: boolean;
  readonly remaining: number;
}

export type TinyMechanism = 'anchored' | 'grid' | 'log';

/**
 * Whether some order and decision times (whole seconds) explain the history: the truth, found by trying all of them.
 */
export function bruteForce(mechanism: TinyMechanism, requests: readonly TinyRequest[], limit: number, window: number) {
  const phases = mechanism === 'grid' ? Array.from({ length: window }, (_, phase) => phase) : [0];
  return phases.some((phase) => place(mechanism, requests, limit, window, phase, [], new Set()));
}

function place(
  mechanism: TinyMechanism,
  requests: readonly TinyRequest[],
  limit: number,
  window: number,
  phase: number,
  counted: readonly number[],
  done: ReadonlySet<number>,
  last = Number.NEGATIVE_INFINITY,
): boolean {
  if (done.size === requests.length) return true;
  return requests.some((request, index) => {
    if (done.has(index)) return false;
    for (let time = Math.max(request.from, last); time <= request.to; time++) {
      const before = countedBefore(mechanism, counted, window, phase, time);
      const accepted = before < limit;
      if (accepted !== request.accepted || request.remaining !== (accepted ? limit - before - 1 : 0)) continue;
      const next = accepted ? [...counted, time] : counted;
      if (place(mechanism, requests, limit, window, phase, next, new Set([...done, index]), time)) return true;
    }
    return false;
  });
}

function countedBefore(
  mechanism: TinyMechanism,
  counted: readonly number[],
  window: number,
  phase: number,
  time: number,
) {
  if (mechanism === 'log') return counted.filter((one) => one > time - window).length;
  if (mechanism === 'grid') {
    const index = Math.floor((time - phase) / window);
    return counted.filter((one) => Math.floor((one - phase) / window) === index).length;
  }
  let start = Number.NEGATIVE_INFINITY;
  let inside = 0;
  for (const one of counted) {
    if (one >= start + window) {
      start = one;
      inside = 0;
    }
    inside++;
  }
  return time >= start + window ? 0 : inside;
}

/** The same history for the oracle, in µs. */
export function tinyHistory(requests: readonly TinyRequest[], limit: number): History {
  const headers = { limit: [], remaining: [], reset: [], date: [], retryAfter: [], other: {} };
  const events = requests
    .map(
      ({ from, to, accepted, remaining }, index): Event => ({
        exchange: exchangeOf(index + 1, {
          experiment: 'tiny',
          step: 'probe',
          operation: 'get',
          group: 'service',
          target: '/service',
          connection: index,
          sent: from * 1e6,
          answered: to * 1e6,
          status: accepted ? 200 : 429,
          headers,
        }),
        from: from * 1e6,
        to: to * 1e6,
        outcome: accepted ? 'accepted' : 'refused',
        group: '',
        remaining,
        reset: null,
      }),
    )
    .sort((one, other) => one.from - other.from);
  const offset = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  return {
    key: 'key-1',
    kind: 'read',
    limit,
    shown: limit,
    events,
    unit: null,
    offset,
    until: Number.POSITIVE_INFINITY,
  };
}
