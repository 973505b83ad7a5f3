import { expect, test } from 'vitest';
import { type Event, type History, WINDOW } from './history.ts';
import { lacksSince } from './least-left.ts';
import type { Variant } from './variant.ts';

const SECOND = 1_000_000;
const NONE: ReadonlySet<string> = new Set();

function variant(mechanism: Variant['mechanism'], failedCounted = NONE): Variant {
  const counting = { failedCounted, undecided: NONE, refusedCounted: false };
  return { mechanism, lag: 0, reset: 'oldest', latch: false, counting };
}

const GRID = variant('grid');

/** One request a second in one window, each answered within a millisecond. */
function historyOf(...answers: readonly (Partial<Event> & Pick<Event, 'outcome' | 'remaining'>)[]): History {
  const events = answers.map((each, at) => ({
    ...{ exchange: { seq: at }, from: at * SECOND, to: at * SECOND + 1000, group: '', reset: WINDOW },
    ...each,
  })) as unknown as readonly Event[];
  return {
    ...{ key: 'key-1', kind: 'read', limit: 100, shown: 100, events, unit: 1000 },
    ...{ offset: { low: 0, high: 0 }, until: Number.POSITIVE_INFINITY },
  };
}

const accepted = (remaining: number, more: Partial<Event> = {}) =>
  ({ ...more, outcome: 'accepted', remaining }) as const;
const unclear = (more: Partial<Event> = {}) => ({ ...more, outcome: 'unclear', remaining: null }) as const;

test('an answer lacks what neither an earlier answer left nor a request since explains', () => {
  expect(lacksSince(historyOf(accepted(99), accepted(98), accepted(97)), GRID)).toBeNull();
  const found = lacksSince(historyOf(accepted(99), accepted(98), accepted(95)), GRID);
  expect(found).toMatchObject({ kind: 'remaining', event: { remaining: 95 }, lacking: { high: 2 } });
});

test('requests that may have been counted before an earlier answer explain nothing after it', () => {
  const before = [unclear(), unclear(), unclear(), accepted(99), accepted(98)];
  expect(lacksSince(historyOf(...before, accepted(97)), GRID)).toBeNull();
  expect(lacksSince(historyOf(...before, accepted(96)), GRID)).toMatchObject({ event: { remaining: 96 } });
  expect(lacksSince(historyOf(...before, unclear(), accepted(96)), GRID)).toBeNull();
});

test('a request that is under way together with an answer may have been counted after it', () => {
  const long = unclear({ to: 5 * SECOND });
  expect(lacksSince(historyOf(accepted(99), long, accepted(98), accepted(96)), GRID)).toBeNull();
});

test('a request whose window may have begun while it was under way may have been counted before that', () => {
  const reset = 2 * WINDOW;
  // The first answer of a window was made when nothing had been counted in it.
  const turn = [accepted(50), accepted(100, { reset })];
  expect(lacksSince(historyOf(...turn, accepted(99, { reset }), accepted(98, { reset })), GRID)).toBeNull();
  const later = [accepted(50), accepted(99, { reset }), accepted(98, { reset }), accepted(96, { reset })];
  expect(lacksSince(historyOf(...later), GRID)).toMatchObject({ event: { remaining: 96 } });
});

test('a share that loses weight is rounded, so one more may be missing', () => {
  const history = historyOf(accepted(99), accepted(98), accepted(96), accepted(93));
  expect(lacksSince(history, GRID)).toMatchObject({ event: { remaining: 96 } });
  expect(lacksSince(history, variant('counter'))).toMatchObject({ event: { remaining: 93 } });
});

test('what an answer leaves before its request is counted is missing from the next one', () => {
  const failed = { outcome: 'failed', group: '404', remaining: 98 } as const;
  const history = historyOf(accepted(99), accepted(98), failed, accepted(96));
  expect(lacksSince(history, variant('grid', new Set(['404'])))).toMatchObject({ event: { remaining: 96 } });
  // If it is counted only until its count is given back, this may come later.
  expect(lacksSince(history, GRID)).toBeNull();
});

test('nothing is lacking where somebody else may use the key, or counts are lost', () => {
  const history = historyOf(accepted(99), accepted(95));
  expect(lacksSince(history, GRID)).not.toBeNull();
  expect(lacksSince({ ...history, shared: true }, GRID)).toBeNull();
  expect(lacksSince({ ...history, racing: true }, GRID)).toBeNull();
});
