import { expect, test } from 'vitest';
import { ALL_LAYERS } from './check.ts';
import { contradictedIn } from './first-contradiction.ts';
import type { Event, History } from './history.ts';
import { commonPhase, phaseByMarkers } from './marker-phase.ts';
import { SHAPES, variantOf } from './shapes.ts';
import { Work } from './work.ts';

const SECOND = 1_000_000;
const LENGTH = 65 * SECOND;

/** Requests one second apart in windows of 65 s from 0 on, with the right Remaining except for some. */
function historyWith(wrong: ReadonlySet<number>): History {
  const events = Array.from({ length: 150 }, (_, second): Event => {
    const from = second * SECOND + 1000;
    const window = Math.floor(from / LENGTH);
    const remaining = 99 - (second - Math.ceil((window * LENGTH) / SECOND));
    return {
      exchange: { seq: second },
      ...{ from, to: from + 1000, outcome: 'accepted', group: '' },
      remaining: wrong.has(second) ? 0 : remaining,
      reset: (window + 1) * LENGTH,
    } as unknown as Event;
  });
  return {
    ...{ key: 'key-1', kind: 'read', limit: 100, shown: 100, events, unit: 1000 },
    ...{ offset: { low: 0, high: 0 }, until: Number.POSITIVE_INFINITY },
  };
}

const none = { failedCounted: new Set<string>(), undecided: new Set<string>(), loose: false };
const contradicted = (history: History, window: number) =>
  contradictedIn(
    variantOf(SHAPES[0] ?? never(), none),
    history,
    commonPhase(history, window).phase,
    { layers: ALL_LAYERS, window },
    new Work(1e9),
  );

function never(): never {
  throw new Error('there are mechanisms');
}

test('as many requests contradict a mechanism as are told something else, wherever they are', () => {
  for (const wrong of [[], [3], [3, 80], [0, 1, 2, 149]]) {
    expect(contradicted(historyWith(new Set(wrong)), LENGTH)).toBe(wrong.length);
  }
});

test('the phase of windows that are not a minute long is told by their own length', () => {
  const history = historyWith(new Set());
  expect(phaseByMarkers(history, LENGTH)).not.toBeNull();
  expect(phaseByMarkers(history)).toBeNull();
  expect(commonPhase(history, LENGTH).off).toBe(0);
});

test('a marker of its own puts none of the others off', () => {
  const history = historyWith(new Set());
  const events = history.events.map((event, at) => (at === 0 ? { ...event, reset: 31 * SECOND } : event));
  expect(commonPhase({ ...history, events }, LENGTH).off).toBe(1);
});

test('windows no longer than a clock may lag come to an end', () => {
  const { events, ...rest } = historyWith(new Set());
  const history = { ...rest, events: events.slice(0, 20) };
  for (const shape of SHAPES) {
    const found = contradictedIn(
      variantOf(shape, none),
      history,
      null,
      { layers: ALL_LAYERS, window: SECOND },
      new Work(1e9),
    );
    expect(found).toBeGreaterThan(0);
  }
});
