import { expect, test } from 'vitest';
import { SECOND, WINDOW } from '../../deployment/deployment.ts';
import { isWithin } from '../../deployment/deviations/other-limit.ts';
import { type Placed, stretchesOf } from './stretches.ts';

const TIME = { low: 0, high: 240 * SECOND };

/** One that lies in the time, or not, at each of these seconds. */
function placed(within: readonly number[], outside: readonly number[]): readonly Placed[] {
  const at = (second: number, isIn: boolean): Placed => ({
    ...{ from: second * SECOND, to: second * SECOND + 1000, isIn },
  });
  return [...within.map((second) => at(second, true)), ...outside.map((second) => at(second, false))];
}

test.each([
  ['from a moment on', [90, 200], [10, 70], undefined],
  ['up to one', [10, 70], [90, 200], undefined],
  ['between two', [90, 100], [10, 70, 130, 220], undefined],
  ['in every other minute', [70, 119, 190], [10, 59, 130, 170], 2 * WINDOW],
  ['in one of three', [70, 110], [10, 59, 121, 179, 182, 235], undefined],
])('the time is parted %s', (_, within, outside, every) => {
  const [found] = stretchesOf(placed(within, outside), TIME, null);
  expect(found?.stretches.every).toBe(every);
  for (const { from, isIn } of placed(within, outside)) {
    expect(found && isWithin(found.stretches, from)).toBe(isIn);
  }
});

test('what begins with a window takes fewer bits than what begins at any time', () => {
  const all = placed([61, 119, 181], [10, 59, 121, 179]);
  const [onBeat] = stretchesOf(all, TIME, { low: 0, high: 0 });
  const [offBeat] = stretchesOf(all, TIME, null);
  expect(onBeat).toMatchObject({ stretches: { at: WINDOW, lasts: WINDOW, every: 2 * WINDOW }, bits: 1 });
  expect(offBeat?.bits).toBeGreaterThan(6);
});

test('no time is parted where both are mixed, or one is missing', () => {
  expect(stretchesOf(placed([10, 30, 50, 71, 95, 133, 155, 178], [20, 40, 60, 83, 110, 144, 166]), TIME, null)).toEqual(
    [],
  );
  expect(stretchesOf(placed([10, 30], []), TIME, null)).toEqual([]);
  expect(stretchesOf(placed([], [10, 30]), TIME, null)).toEqual([]);
});
