import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Event, type History, WINDOW } from '../oracle/history.ts';
import { SHAPES } from '../oracle/shapes.ts';
import { Work } from '../oracle/work.ts';
import { besideOthers } from './beside-others.ts';
import { Fitter } from './fitter.ts';
import { backgroundTraffic } from './others.ts';
import { conformingWorld } from './world.ts';

const SECOND = 1_000_000;
const SINCE = 10 * SECOND;

/** Requests that are sent together, and how many requests others send before them. */
interface Burst {
  readonly size: number;
  readonly others: number;
}

/**
 * Bursts one second apart in one window on the clock's grid. All requests of a burst are under way until the last one
 * is answered.
 */
function historyOf(bursts: readonly Burst[]): History {
  let left = 100;
  const events = bursts.flatMap(({ size, others }, at) => {
    left -= others;
    const from = SINCE + at * SECOND;
    return Array.from({ length: size }, (_, index) => {
      left -= 1;
      return {
        exchange: { seq: at * 100 + index },
        ...{ from: from + index, to: from + 50_000 + index, outcome: 'accepted', group: '' },
        ...{ remaining: left, reset: WINDOW },
      } as unknown as Event;
    });
  });
  return {
    ...{ key: 'key-1', kind: 'read', limit: 100, shown: 100, events, unit: 1000 },
    ...{ offset: { low: 0, high: 0 }, until: Number.POSITIVE_INFINITY },
  };
}

const counted = { failedCounted: new Set<string>(), undecided: new Set<string>() };

test('of the requests of others none is lost in those that are under way with an answer that lacks some', () => {
  const burst = fc.record({ size: fc.integer({ min: 1, max: 12 }), others: fc.integer({ min: 0, max: 5 }) });
  const [grid] = SHAPES;
  if (!grid) throw new Error('there are mechanisms');
  fc.assert(
    fc.property(fc.array(burst, { minLength: 1, maxLength: 5 }), (bursts) => {
      // The last request is alone, so what it lacks came before it.
      const history = historyOf([...bursts, { size: 1, others: 0 }]);
      const traffic = backgroundTraffic([history], grid, counted, new Work(10_000_000));
      expect(traffic?.requests).toBe(bursts.reduce((sum, { others }) => sum + others, 0));
    }),
  );
});

test('a marker that is years off tells of nobody who opened a window then', () => {
  const history = historyOf([{ size: 3, others: 0 }]);
  const YEAR = 365 * 86_400 * SECOND;
  const far = { ...history, events: history.events.map((event) => ({ ...event, reset: -26 * YEAR })) };
  const first = history.events[0]?.from ?? 0;
  for (const { events } of besideOthers([history, far])) {
    expect(Math.min(...events.map(({ from }) => from))).toBeGreaterThan(first - 3 * WINDOW);
  }
});

test('no use by others explains a refusal with the marker of a window that had ended', () => {
  const answered = (at: number, outcome: Event['outcome'], remaining: number, reset: number): Event =>
    ({
      exchange: { seq: at },
      ...{ from: at * SECOND, to: at * SECOND + 1000, outcome, group: '', remaining, reset },
    }) as unknown as Event;
  const first = Array.from({ length: 30 }, (_, at) => answered(at, 'accepted', 29 - at, WINDOW));
  const history = { ...historyOf([]), limit: 30, shown: 30 };
  const explained = (late: Event): number => {
    const world = conformingWorld([{ ...history, events: [...first, late] }]);
    return [...new Fitter(new Work(10_000_000)).all({ ...world, histories: besideOthers(world.histories) })].length;
  };
  expect(explained(answered(65, 'refused', 0, WINDOW))).toBe(0);
  expect(explained(answered(65, 'refused', 0, 2 * WINDOW))).toBeGreaterThan(0);
});
