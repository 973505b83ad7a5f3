import { expect, test } from 'vitest';
import type { Event } from '../../oracle/history.ts';
import { lostIn } from './crowd.ts';
import { bitsOfRace, nowAndThen } from './losses.ts';

/** Of a crowd only what was told is looked at, and the window in which. */
const told = (remaining: readonly number[], reset: number | null = 60e6): Event[] =>
  remaining.map((left, at) => ({ from: at, to: at, remaining: left, reset }) as Event);

test.each<[string, readonly Event[], number]>([
  ['each was told another number', told([9, 8, 7, 6]), 0],
  ['all were told the same', told([9, 9, 9, 9]), 3],
  ['read late, the same is told twice and the next not at all', told([9, 7, 7, 6]), 0],
  ['what found nothing left says no more', told([2, 1, 0, 0, 0]), 0],
  ['another window tells the same again', [...told([9, 8]), ...told([9, 8], 120e6)], 0],
  ['without a marker all is one window', told([9, 9], null), 1],
  ['nothing is told', [], 0],
])('how many of a crowd are missing: %s', (_, crowd, lost) => {
  expect(lostIn(crowd).lost).toBe(lost);
});

test('a crowd of any size is looked at', () => {
  expect(lostIn(told(Array.from({ length: 300_000 }, () => 9))).lost).toBe(299_999);
});

test('a race is cheaper where it has lost most of each crowd, and forgetting where it has lost few, in crowds and alone', () => {
  const crowds = (lost: number) => Array.from({ length: 10 }, () => ({ lost, of: 30 }));
  const forgetting = (lost: number) => nowAndThen('read', 0, [...crowds(lost), { lost: 0, of: 80 }]).bits - 12;
  expect(bitsOfRace(crowds(29))).toBeLessThan(forgetting(29));
  const few = [{ lost: 2, of: 30 }, { lost: 1, of: 30 }, ...crowds(0)];
  expect(nowAndThen('read', 0, [...few, { lost: 0, of: 80 }]).bits - 12).toBeLessThan(bitsOfRace(few));
});
