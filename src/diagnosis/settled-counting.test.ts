import { expect, test } from 'vitest';
import { type Event, WINDOW } from '../oracle/history.ts';
import { SHAPES } from '../oracle/shapes.ts';
import { Work } from '../oracle/work.ts';
import { Fitter } from './fitter.ts';
import { conformingWorld } from './world.ts';

const SECOND = 1_000_000;

/**
 * Failed requests, one after the other and each between two that succeed: whether each is counted for good.
 *
 * @param counted the class of each request, and whether it is counted
 */
function worldOf(counted: readonly (readonly [group: string, isCounted: boolean])[]) {
  let left = 100;
  const answered = (at: number, outcome: Event['outcome'], group: string): Event =>
    ({
      exchange: { seq: at },
      ...{ from: at * SECOND, to: at * SECOND + 1000, outcome, group, remaining: left, reset: WINDOW },
    }) as unknown as Event;
  const events = counted.flatMap(([group, isCounted], at) => {
    left -= Number(isCounted);
    const failed = answered(4 * at + 5, 'failed', group);
    left -= 1;
    // A failed request that is not counted may be given back up to two seconds later.
    return [failed, answered(4 * at + 8, 'accepted', '')];
  });
  const [first, ...others] = SHAPES;
  const history = {
    ...{ key: 'key-1', kind: 'read' as const, limit: 100, shown: 100, events, unit: 1000 },
    ...{ offset: { low: 0, high: 0 }, until: Number.POSITIVE_INFINITY },
  };
  return { ...conformingWorld([history]), shapes: first ? [first] : others };
}

const CLASSES = Array.from('abcdefghijkl', (name) => `404 ${name}`);

test('each class of failed requests is counted or not', () => {
  const world = worldOf(CLASSES.map((name, at) => [name, at % 3 === 0]));
  const fit = new Fitter(new Work(10_000_000)).fit(world);
  expect([...(fit?.choice.failedCounted ?? [])]).toEqual(CLASSES.filter((_, at) => at % 3 === 0));
  expect(fit?.choice.undecided.size).toBe(0);
});

test('a class of which some requests are counted and others are not refutes a mechanism, whatever stays open beside it', () => {
  const { histories, ...world } = worldOf([
    ['404 z', false],
    ['404 z', true],
  ]);
  const [history] = histories;
  const told = history?.events ?? [];
  // In the next window twelve of these were counted: of each class it is open whether it was.
  const later = 65 * SECOND;
  const open = CLASSES.flatMap((group, at) =>
    ['unclear', 'failed'].map((outcome) => ({ ...told[0], group, outcome, from: later + at, to: later + 1000 })),
  ).map((event) => ({ ...event, remaining: null, reset: null }) as unknown as Event);
  const last = { ...told[1], from: later + 4 * SECOND, to: later + 4 * SECOND + 1000, reset: 2 * WINDOW };
  const isExplained = (events: readonly Event[]): boolean => {
    const all = [...events, ...open, { ...last, remaining: 99 - CLASSES.length } as Event];
    const asked = { ...world, histories: histories.map((each) => ({ ...each, events: all })) };
    return new Fitter(new Work(10_000_000)).fit(asked) !== null;
  };
  expect(isExplained(told.slice(0, 2))).toBe(true);
  expect(isExplained(told)).toBe(false);
});
