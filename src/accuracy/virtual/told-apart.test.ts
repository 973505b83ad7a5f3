import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import { SECOND } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { limiterOf } from '../../reference/mechanisms/mechanics.ts';
import { slidingLog } from '../../reference/mechanisms/sliding-log.ts';
import { drawRun } from './draw-run.ts';
import { PLAIN_RUN } from './plain-run.test-support.ts';
import { ANCHORED, COUNTER, failed, GRID, verdictsOn } from './situation.test-support.ts';
import { virtualRun } from './virtual-run.ts';

const ofReads: Deviation = {
  operator: 'charged-as-other-kind',
  parameters: { kind: 'write', operations: ['update-category'] },
};

const raised: Deviation = {
  operator: 'other-limit',
  parameters: { kind: 'write', limit: 31, limitHeader: 31, remainingFrom: 31, from: { at: 75 * SECOND } },
};
const blocksUnseen: Deviation = {
  operator: 'moved-end',
  parameters: { kinds: ['write'], trigger: 'first refusal', to: { after: 60 * SECOND }, idle: 0, told: false },
};

thorough('requests in one millisecond that are one entry of a log are a race, though few of them overlap', async () => {
  const entries = () => limiterOf(slidingLog({ member: 1_000 }));
  const { trace } = await virtualRun({
    ...PLAIN_RUN,
    keys: 2,
    network: { uplink: [20, 60], work: [10, 40], downlink: [20, 60], lost: 0 },
    conduct: (times) => ({ ...PLAIN_RUN.conduct(times), limiters: { read: entries(), write: entries() } }),
  });
  const failures = judgeTrace(trace).verdicts.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : []));
  expect(failures).toContain('LIMIT-ATOMIC');
  expect(failures).not.toContain('LIMIT-HISTORY');
});

thorough('nodes that take ten requests at a time refuse early, and tell too few left', async () => {
  const failures = await failed({ mechanism: GRID, stranger: 'leases' });
  expect(failures.toSorted()).toEqual(['HDR-4', 'HDR-5', 'LIMIT-R', 'LIMIT-W']);
});

thorough('counters that a job clears later than the marker says are no use by others', async () => {
  expect(await failed({ mechanism: GRID, keys: 4, stranger: 'sweep' })).toEqual(['HDR-7']);
});

thorough('headers that tell of the other kind’s budget as it is are no wrong Remaining', async () => {
  const failures = await failed({ mechanism: COUNTER, deviations: [ofReads] });
  expect(failures).toContain('HDR-3');
  expect(failures).not.toContain('HDR-4');
});

thorough('what explains writes is half of what explains reads, where one deviation holds for both', async () => {
  const { trace } = await virtualRun(drawRun('two deviations', 8940009).options);
  const failures = judgeTrace(trace).verdicts.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : []));
  expect(failures.toSorted()).toEqual(['HDR-5', 'LIMIT-ANON', 'LIMIT-SCOPE']);
});

thorough('counts of both kinds that expire together are told beside keys that share a budget', async () => {
  const { trace } = await virtualRun(drawRun('two deviations', 8996000).options);
  const failures = judgeTrace(trace).verdicts.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : []));
  expect(failures.toSorted()).toEqual(['LIMIT-KEY', 'LIMIT-WINDOW']);
});

thorough('a limit that headers state from a moment on is no old count at the end of a window', async () => {
  const failures = await failed({ mechanism: { name: 'grid', phase: 'first-request' }, keys: 4, deviations: [raised] });
  expect(failures.toSorted()).toEqual(['HDR-3', 'LIMIT-W']);
});

thorough('a block that the marker does not tell is no use by others', async () => {
  expect(await failed({ mechanism: ANCHORED, deviations: [blocksUnseen] })).toContain('LIMIT-WINDOW');
});

thorough('a request just before the run is no second deviation beside a limit that is off by one', async () => {
  const one: Deviation = {
    operator: 'other-limit',
    parameters: { kind: 'write', limit: 31, limitHeader: 30, remainingFrom: 30, from: 'always' },
  };
  const verdicts = await verdictsOn({
    mechanism: { name: 'grid', phase: 'clock' },
    keys: 2,
    deviations: [one],
    others: [{ key: 'key-1', kind: 'write', requests: 1, at: -3 * SECOND, every: 0 }],
  });
  const failures = verdicts.filter(({ verdict }) => verdict === 'fail');
  expect(failures).toMatchObject([
    { id: 'LIMIT-W', summary: 'The number of writes in a window is limited to 31, not 30.' },
  ]);
});

const ONCE_MISTAKEN = [
  ['requests that are not counted now and then are no race beside failed ones that give back', 'sporadic-weight', 7005],
  ['a Remaining beside a race has no rule of its own', 'nodes-apart', 292273],
  [
    'requests of the other kind that are charged too are in no budget of another operation',
    'sporadic-admission',
    293505,
  ],
  ['late headers of a burst tell its nodes by the highest first', 'nodes-apart', 293514],
  ['a cap on concurrent requests is no limit that keys share', 'early-refusal', 882013],
] as const;

thorough.each(ONCE_MISTAKEN)('%s', async (_, operator, seed) => {
  const { options, broken, mayFollow } = drawRun('one deviation', seed, operator);
  const { verdicts } = judgeTrace((await virtualRun(options)).trace);
  const failures = verdicts.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : []));
  expect(failures).toEqual(expect.arrayContaining([...broken]));
  expect([...broken, ...mayFollow]).toEqual(expect.arrayContaining(failures));
});

thorough('a limit that is lower in every other minute is no use by others, though no header tells it', async () => {
  const lower = { kind: 'write', limit: 20, limitHeader: 30, remainingFrom: 20 } as const;
  const from = { at: 103 * SECOND, lasts: 60 * SECOND, every: 120 * SECOND };
  const verdicts = await verdictsOn({
    mechanism: { name: 'grid', phase: 'clock' },
    keys: 2,
    deviations: [{ operator: 'other-limit', parameters: { ...lower, from } }],
  });
  expect(verdicts.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual(['LIMIT-W']);
});

test.each(sampled([1, 10, 30], 3))(
  'others who take %i writes of each key in one window are no other limit',
  async (requests) => {
    const others = ['key-1', 'key-2'].map((key) => {
      return { key, kind: 'write', requests, at: 43 * SECOND + 20_000, every: 200 } as const;
    });
    expect(await failed({ mechanism: { name: 'grid', phase: 'clock' }, keys: 2, others })).toEqual([]);
  },
);
