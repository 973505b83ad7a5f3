import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Event, History } from '../oracle/history.ts';
import type { Exchange } from '../trace/exchange.ts';
import { byMarker, byWindow, withEvents } from './world.ts';

const SECOND = 1_000_000;
const WINDOW = 60 * SECOND;

/** Accepted requests sent so long after the start, each under way for so long, with markers computed by a rule. */
function requests(times: readonly (readonly [number, number])[], marker: (from: number, to: number) => number) {
  return [...times]
    .sort(([one], [other]) => one - other)
    .map(([from, under], seq): Event => {
      const to = from + under;
      const told = { outcome: 'accepted', group: '', remaining: 50, reset: marker(from, to) } as const;
      return { exchange: { seq } as Exchange, from, to, ...told };
    });
}

const TIMES = fc.array(fc.tuple(fc.nat(5 * WINDOW), fc.nat(2 * SECOND)), { minLength: 1, maxLength: 60 });
/** The end of the window on a grid in which a time lies. */
const endOf = (time: number): number => (Math.floor(time / WINDOW) + 1) * WINDOW;

test('markers that are computed from the time left when a request was counted are grouped by window', () => {
  fc.assert(
    fc.property(TIMES, (times) => {
      const events = requests(times, (from, to) => to + (endOf(from) - from));
      const expected = [...Map.groupBy(events, ({ from }) => endOf(from)).values()];
      expect(byWindow(events, WINDOW)).toEqual(expected);
    }),
  );
});

test('markers that are the ends of windows are grouped by these, whatever the unit', () => {
  fc.assert(
    fc.property(TIMES, fc.constantFrom(1, 1000, SECOND), (times, unit) => {
      const events = requests(times, (from) => endOf(from));
      expect([...byMarker(events, unit).keys()]).toEqual([...new Set(events.map(({ reset }) => reset))]);
    }),
  );
});

test('markers that slide with each request are no windows', () => {
  const often = Array.from({ length: 60 }, (_, at) => [at * SECOND, 1000] as const);
  expect(
    byWindow(
      requests(often, (from) => from + WINDOW),
      WINDOW,
    ),
  ).toBeNull();
});

test('events stay the same ones where none is replaced, so that what is known of them is not found anew', () => {
  const events = requests(
    [
      [0, SECOND],
      [2 * SECOND, SECOND],
    ],
    endOf,
  );
  const history = { events } as unknown as History;
  expect(withEvents(history, (event) => event).events).toBe(events);
  expect(withEvents(history, (event) => (event === events[0] ? null : event)).events).toEqual(events.slice(1));
  const unread = withEvents(history, (event) => ({ ...event, remaining: null })).events;
  expect(unread.map(({ remaining }) => remaining)).toEqual([null, null]);
});
