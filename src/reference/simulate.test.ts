import { expect, test } from 'vitest';
import { SECOND } from '../deployment/deployment.ts';
import { seededRandom } from '../random/random.ts';
import { conductOf } from './conduct.ts';
import type { Network } from './network.ts';
import { fullPlan, planHistory } from './plan-histories.test-support.ts';
import { randomSchedule } from './schedules.test-support.ts';
import { simulate } from './simulate.test-support.ts';

const ROUGH: Network = { uplink: [1000, 900_000], work: [100, 400_000], downlink: [1000, 900_000], lost: 0.1 };

function history(seed: number, network: Network = ROUGH) {
  const schedule = randomSchedule(seededRandom(seed), { keys: 3, seconds: 150, requests: 600 });
  return simulate(schedule, { conduct: conductOf('log', null), seed, network });
}

test('the same seed gives the same history, another seed another one', () => {
  expect(history(5)).toEqual(history(5));
  expect(history(5)).not.toEqual(history(6));
});

test('exchanges come in order of sent, and an answer comes after its request', () => {
  const exchanges = history(7);
  expect(exchanges.map(({ seq }) => seq)).toEqual(exchanges.map((_, index) => index + 1));
  for (const [index, { sent, answered, status, failure }] of exchanges.entries()) {
    expect(sent).toBeGreaterThanOrEqual(exchanges[index - 1]?.sent ?? 0);
    expect(status === null).toBe(failure !== null);
    if (answered !== null) expect(answered).toBeGreaterThan(sent);
  }
});

test('about as many requests go without an answer as the network loses', () => {
  const exchanges = history(8);
  const lost = exchanges.filter(({ failure }) => failure !== null).length;
  expect(lost / exchanges.length).toBeGreaterThan(0.05);
  expect(lost / exchanges.length).toBeLessThan(0.16);
});

test('a lone key is told what is left, and is refused when nothing is', () => {
  const requests = Array.from({ length: 102 }, (_, index) => ({
    at: index * 1000,
    key: 'key-1',
    kind: 'read' as const,
  }));
  const exchanges = simulate(requests, { conduct: conductOf('anchored', null), seed: 1 });
  const remaining = exchanges.map(({ headers }) => Number(headers.remaining[0]));
  expect(new Set(remaining)).toEqual(new Set(Array.from({ length: 100 }, (_, index) => index)));
  expect(exchanges.filter(({ status }) => status === 429)).toHaveLength(2);
});

test('the Date header is that of the skewed server', () => {
  const [exchange] = simulate([{ at: 0, key: 'key-1', kind: 'read' }], {
    conduct: conductOf('skewed-ahead', null),
    seed: 1,
    epoch: 0,
  });
  expect(exchange?.headers.date).toEqual(['Thu, 01 Jan 1970 02:00:00 GMT']);
});

test('the plan gives every budget refusals, a return and no unprovoked failure', () => {
  const exchanges = planHistory(fullPlan(), { conduct: conductOf('grid-process', null), seed: 2 });
  for (const kind of ['read', 'write'] as const) {
    for (const key of ['key-1', 'key-2']) {
      const own = exchanges.filter((each) => each.key === key && each.kind === kind);
      const refused = own.findIndex(({ status }) => status === 429);
      expect(refused).toBeGreaterThan(0);
      expect(own.slice(refused).some(({ status }) => status === 200)).toBe(true);
    }
  }
  expect(Math.max(...exchanges.map(({ sent }) => sent))).toBeLessThan(160 * SECOND);
});
