import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { virtualClock } from '../../clock/virtual-clock.ts';
import type { Mechanism } from '../../deployment/deployment.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { behaviourOf, type Times } from '../../reference/behaviour.ts';
import { conductOf } from '../../reference/conduct.ts';
import { variantNamed } from '../../reference/variants.ts';
import { plainExchange } from '../../trace/exchange.ts';
import { readTrace } from '../../trace/read-trace.ts';
import { drawRun } from './draw-run.ts';
import { PLAIN_RUN } from './plain-run.test-support.ts';
import { virtualRun } from './virtual-run.ts';
import { writeRun } from './write-run.ts';

test('the plan of certify runs to its end in virtual time, and the reference server conforms', async () => {
  const { trace, exact } = await virtualRun(PLAIN_RUN);
  expect(judgeTrace(trace).overall).toBe('conforms');
  expect(trace.footer).toMatchObject({ outcome: 'complete', exchanges: trace.exchanges.length });
  expect(exact.exchanges).toHaveLength(trace.exchanges.length);
  const seen = new Map(trace.exchanges.map((each) => [each.seq, each]));
  for (const { seq, sent, answered } of exact.exchanges) {
    const recorded = seen.get(seq);
    expect(sent).toBeGreaterThanOrEqual(recorded?.sent ?? Infinity);
    expect(answered).toBeLessThanOrEqual(recorded?.answered ?? -Infinity);
  }
});

test.each(['grid-clock', 'grid-process', 'log-now', 'log-refused', 'counter', 'counter-refused-now'])(
  'a run on %s sends no more than is planned, and ends in time',
  async (variant) => {
    const conduct = conductOf(variant, null);
    for (const [keys, seconds] of [
      [4, 128],
      [1, 130],
    ] as const) {
      const { trace } = await virtualRun({ ...PLAIN_RUN, keys, conduct });
      const planned = trace.header.experiments.filter(({ omitted }) => omitted === null);
      const sent = Map.groupBy(trace.exchanges, ({ experiment }) => experiment);
      expect(trace.exchanges.length).toBeLessThanOrEqual(planned.reduce((sum, { requests }) => sum + requests, 0));
      expect(trace.footer?.ended).toBeLessThanOrEqual(seconds * 1e6);
      expect([...sent.keys()].filter((id) => !planned.some((each) => each.id === id))).toEqual([]);
    }
  },
);

test('what a burst was to show and refusals hid is asked for again where the key has some left', async () => {
  // Sliding counters, of which the second window begins with little left.
  for (const seed of [5000, 5008, 5009]) {
    const { trace } = await virtualRun(drawRun('conforming', seed, null).options);
    const { profile, keys } = trace.header;
    const plain = trace.exchanges.filter(({ fault, status }) => fault === 'none' && status !== 429);
    const answered = new Set(plain.map(({ operation, key }) => `${operation} ${key}`));
    const wanted = profile.operations.flatMap(({ id }) => keys.full.map((key) => `${id} ${key}`));
    expect(wanted.filter((each) => !answered.has(each))).toEqual([]);
  }
});

test('a log that logs refusals, and reads when it answers which entry frees the next slot, conforms', async () => {
  const log: Mechanism = { name: 'log', logRefused: true, reset: 'slot' };
  const choices = {
    ...variantNamed('log-late-read').options,
    mechanism: { read: log, write: log },
    countRefused: true,
  };
  const conduct = (times: Times) => behaviourOf({ choices, deviations: [] }, times);
  for (const seed of [1, 2]) {
    expect(judgeTrace((await virtualRun({ ...PLAIN_RUN, keys: 4, seed, conduct })).trace).overall).toBe('conforms');
  }
});

test('the same seed gives the same run, and another one another', async () => {
  const [one, same, other] = await Promise.all([5, 5, 6].map((seed) => virtualRun(drawRun('bad day', seed).options)));
  expect(same?.lines).toEqual(one?.lines);
  expect(other?.lines).not.toEqual(one?.lines);
});

test('use by others is taken off the budget, and is not in the trace', async () => {
  const others = [{ key: 'key-1', kind: 'read', requests: 40, at: -1_000_000, every: 100 } as const];
  const { trace } = await virtualRun({ ...PLAIN_RUN, others });
  const first = trace.exchanges.filter(({ kind, key, status }) => kind === 'read' && key === 'key-1' && status === 200);
  expect(Math.max(...first.slice(0, 5).map(({ headers }) => Number(headers.remaining[0])))).toBeLessThan(60);
});

test('a run is written as a trace that can be read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'virtual-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { trace, lines } = await virtualRun(PLAIN_RUN);
  const file = join(folder, 'trace.ndjson');
  writeRun(file, trace, lines);
  const read = (await readTrace(file)).exchanges.map(plainExchange);
  expect(JSON.stringify(read)).toBe(JSON.stringify(trace.exchanges.map(plainExchange)));
});

test('waiting for what never happens is an error, and no end of waiting', async () => {
  await expect(virtualClock(0).run(new Promise(() => {}))).rejects.toThrow(/never happen/);
});
