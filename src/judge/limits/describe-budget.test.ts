import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import { conductOf } from '../../reference/conduct.ts';
import { type SimulatedRequest, simulate } from '../../reference/simulate.test-support.ts';
import { traceOf } from '../../reference/simulated-trace.test-support.ts';
import { judgeLimits } from './judge-limits.ts';

/** The first minute of the clock ends 30 s into the run. */
const EPOCH = Date.UTC(2026, 10, 21, 8, 30) * 1000;
const SECOND = 1_000_000;

/**
 * Bursts over the limit in three minutes, and single requests around the end of each minute, where a count is easily
 * put into the wrong window.
 */
function schedule(limit: number): SimulatedRequest[] {
  const kind = limit === 100 ? 'read' : 'write';
  const times = [30, 90, 150].flatMap((minute) => [
    ...Array.from({ length: limit + 10 }, (_, i) => (minute + 3) * SECOND + 20 * i),
    ...Array.from({ length: 10 }, (_, i) => (minute + 59) * SECOND + i * 200_000),
  ]);
  return times.map((at, connection) => ({ at, key: 'key-1', kind, connection }));
}

const OVER = [
  ['limit-plus-one', 'grid-clock', 1],
  ['limit-plus-one', 'grid-clock-ms', 1],
  ['one-more-counted-down', 'grid-clock', 1],
  [null, 'grid-clock', 0],
] as const;

thorough.each(OVER)('%s (%s): each window tells by how many requests the limit was passed', (defect, variant, over) => {
  for (const limit of [100, 30]) {
    const conduct = conductOf(variant, defect);
    const exchanges = simulate(schedule(limit), { conduct, seed: 3, epoch: EPOCH });
    const [budget] = judgeLimits(traceOf(exchanges, EPOCH, 3)).budgets;
    const full = budget?.windows.filter(({ refused }) => refused > 0) ?? [];
    expect(full).toHaveLength(3);
    for (const { accepted, overshoot, undershoot } of full) {
      expect({ accepted, overshoot, undershoot }).toEqual({ accepted: limit + over, overshoot: over, undershoot: 0 });
    }
  }
});

test('where no window explains the answers, their markers tell how many were let through in each', () => {
  const conduct = conductOf('grid-clock', 'two-nodes');
  const exchanges = simulate(schedule(100), { conduct, seed: 3, epoch: EPOCH });
  const [budget] = judgeLimits(traceOf(exchanges, EPOCH, 3)).budgets;
  const byMarker = Map.groupBy(exchanges, ({ headers }) => headers.reset[0]);
  const full = [...byMarker].filter(([, own]) => own.length > 100);
  expect(full).toHaveLength(3);
  for (const [marker, own] of full) {
    const accepted = own.filter(({ status }) => status === 200).length;
    const window = budget?.windows.find((each) => each.marker === marker);
    expect(window).toMatchObject({
      accepted,
      refused: own.length - accepted,
      overshoot: accepted - 100,
      undershoot: 0,
    });
  }
});

thorough('what refutes a mechanism is told of the budget whose requests do', () => {
  const conduct = conductOf('grid-clock', 'limit-plus-one');
  const quiet = { key: 'key-1', kind: 'read' as const, connection: 0 };
  const requests = [{ ...quiet, at: SECOND }, ...schedule(100).map((each) => ({ ...each, key: 'key-2' }))];
  const exchanges = simulate(requests, { conduct, seed: 3, epoch: EPOCH });
  const { budgets } = judgeLimits(traceOf(exchanges, EPOCH, 3));
  const refuting = budgets.map(({ key, refuted }) => [key, refuted.length > 0]);
  expect(refuting).toEqual([
    ['key-1', false],
    ['key-2', true],
  ]);
});

test('a mechanism is told as a fact only once the answers have refuted the others', () => {
  const conduct = conductOf('anchored', null);
  // Half of a spent budget is half a minute younger, and the second window begins later than the first one ends.
  const bursts = [
    [33, 60],
    [63, 50],
    [96, 110],
    [171, 110],
  ] as const;
  const times = bursts.flatMap(([second, count]) => Array.from({ length: count }, (_, i) => second * SECOND + 20 * i));
  const requests = times.map((at, connection) => ({ at, key: 'key-1', kind: 'read' as const, connection }));
  const exchanges = simulate(requests, { conduct, seed: 3, epoch: EPOCH });
  const early = exchanges.filter(({ sent }) => sent < 90 * SECOND);
  const [whole, begun] = [exchanges, early].map((each) => judgeLimits(traceOf(each, EPOCH, 3)));
  expect(whole?.budgets[0]?.surviving.map(({ mechanism }) => mechanism)).toEqual(['anchored']);

  expect(begun?.budgets[0]?.surviving.map(({ mechanism }) => mechanism)).toEqual(
    expect.arrayContaining(['grid', 'anchored', 'log']),
  );
  const told = begun?.observations.find(({ name }) => name === 'mechanism.key-1.read');
  expect(told?.value).toMatch(/^not decided: grid; anchored; /);
});

test('the marker’s unit and the limiter’s clock are told as the answers show them, and not as one explanation has them', () => {
  const conduct = conductOf('grid-clock-ms', null);
  const { budgets, observations } = judgeLimits(
    traceOf(simulate(schedule(100), { conduct, seed: 3, epoch: EPOCH }), EPOCH, 3),
  );
  const [best] = budgets[0]?.surviving ?? [];
  const named = (name: string) => observations.find((each) => each.name === `${name}.key-1.read`)?.value;
  expect(best?.marker).toBe(named('reset.unit'));
  expect(best?.offset.low).toBeLessThanOrEqual(0);
  expect(best?.offset.high).toBeGreaterThanOrEqual(0);
});
