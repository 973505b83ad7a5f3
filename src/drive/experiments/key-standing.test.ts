import { expect, test } from 'vitest';
import { wholeProfile } from '../../accuracy/virtual/draw-profile.ts';
import { PLAIN_RUN } from '../../accuracy/virtual/plain-run.test-support.ts';
import { type OtherUse, type VirtualRunOptions, virtualRun } from '../../accuracy/virtual/virtual-run.ts';
import type { RequirementId } from '../../catalogue/requirement.ts';
import { deviationsFromSchedule } from '../../certificate/schedule.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { wholePlan } from '../../plan/plan.test-support.ts';
import { makePlan } from '../../plan/plan.ts';
import { conductOf } from '../../reference/conduct.ts';
import type { KeySet } from '../../reference/credentials.ts';
import type { Service } from '../../reference/service.ts';
import type { Trace } from '../../trace/trace.ts';
import { runPlan } from '../run-plan.ts';
import type { Session } from '../session.ts';
import { leadOf } from './key-standing.ts';

const OPTIONS: VirtualRunOptions = { ...PLAIN_RUN, keys: 4 };

/** A deployment to which the keys whose aliases match are unknown. */
function withoutKeys(aliases: RegExp): NonNullable<VirtualRunOptions['around']> {
  return (service: Service, { full }: KeySet): Service => {
    const unknown = full.filter((_, index) => aliases.test(`key-${index + 1}`));
    return {
      ...service,
      receive: (request, now) => {
        const { authorization, 'x-api-key': own } = request.headers;
        const key = own ?? authorization?.replace('Bearer ', '') ?? '';
        return service.receive({ ...request, headers: unknown.includes(key) ? {} : request.headers }, now);
      },
    };
  };
}

const told = ({ notes }: Trace) => notes.filter(({ code }) => code === 'preflight').map(({ text }) => text);

test.each(['certify', 'check'] as const)('%s ends after a few requests if no key is accepted', async (mode) => {
  for (const [keys, aliases] of [
    [1, 'key-1 is'],
    [2, 'key-1, key-2 are'],
    [4, 'key-1, key-2, key-3, key-4 are'],
  ] as const) {
    const { trace } = await virtualRun({ ...OPTIONS, keys, mode, around: withoutKeys(/./) });
    expect(told(trace)).toEqual([expect.stringMatching(`^${aliases} not accepted \\(401 with either header\\)`)]);
    expect(trace.exchanges.length).toBeLessThanOrEqual(4 + 2 * keys);
  }
});

test.each(['certify', 'check'] as const)('%s names each key that is not accepted, and no other', async (mode) => {
  for (const [pattern, aliases] of [
    [/[23]/, 'key-2, key-3 are'],
    [/[14]/, 'key-1, key-4 are'],
    [/2/, 'key-2 is'],
  ] as const) {
    const { trace } = await virtualRun({ ...OPTIONS, mode, around: withoutKeys(pattern) });
    expect(told(trace)).toEqual([expect.stringMatching(`^${aliases} not accepted`)]);
  }
});

test('an operation that accepts no key is no sign that the keys are wrong', async () => {
  const [read = ''] = wholeProfile().operations.flatMap(({ kind, method, path }) =>
    kind === 'read' && method === 'GET' ? path : [],
  );
  const around = (service: Service): Service => ({
    ...service,
    receive: (request, now) =>
      service.receive(
        request.url.endsWith(read) && request.method === 'GET' ? { ...request, headers: {} } : request,
        now,
      ),
  });
  const { trace } = await virtualRun({ ...OPTIONS, mode: 'check', around });
  expect(trace.exchanges.filter(({ step, status }) => step === 'key' && status === 401).length).toBe(8);
  expect(told(trace)).toEqual([]);
  expect(trace.notes.some(({ code, experiment }) => code === 'experiment-ended' && experiment === 'status')).toBe(true);
});

test('a certification that spends no budget names them, too', async () => {
  const script = (session: Session) => {
    const selection = new Set<RequirementId>(['AUTH-2', 'STATUS-404']);
    const { profile, keys } = session;
    return runPlan(makePlan({ profile, keys, selection, mode: 'certify' }), session);
  };
  const { trace } = await virtualRun({ ...OPTIONS, script, around: withoutKeys(/[34]/) });
  expect(told(trace)).toEqual([expect.stringMatching(/^key-3, key-4 are not accepted/)]);
  expect(trace.exchanges.length).toBeLessThanOrEqual(8);
});

test('check sends its requests with the key that has most left, or one that the seed draws', async () => {
  const used = (trace: Trace) =>
    [...new Set(trace.exchanges.filter(({ step }) => step === 'control').map(({ key }) => key))].join();
  const others = ['key-1', 'key-3', 'key-4'].map((key) => ({ key, kind: 'read', requests: 20, at: -1e6, every: 100 }));
  const { trace } = await virtualRun({ ...OPTIONS, mode: 'check', others: others as readonly OtherUse[] });
  expect(used(trace)).toBe('key-2');
  expect(judgeTrace(trace).exitCode).toBe(0);
  expect(deviationsFromSchedule(trace)).toEqual([]);
  const drawn = new Set<string>();
  for (let seed = 1; seed <= 12; seed += 1)
    drawn.add(used((await virtualRun({ ...OPTIONS, mode: 'check', seed })).trace));
  expect(drawn.size).toBeGreaterThan(2);
});

test('check waits for a spent budget until the marker of the refusal, where nothing else says how long', async () => {
  const others = [{ key: 'key-1', kind: 'write', requests: 30, at: -10e6, every: 100 }] as const;
  const conduct = conductOf('anchored', null);
  const { trace } = await virtualRun({ ...OPTIONS, keys: 1, mode: 'check', conduct, others });
  expect(trace.exchanges.flatMap(({ headers }) => headers.retryAfter)).toEqual([]);
  expect(judgeTrace(trace).verdicts.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  expect(trace.footer?.ended).toBeLessThan(55e6);
});

test('the track that leads is the one with the fewest first requests of those that begin first', () => {
  const { tracks } = wholePlan(wholeProfile(), 4);
  expect(leadOf(tracks)?.id).toBe('boundary-read@key-3');
  const later = tracks.map((each) => (each.key === 'key-3' ? { ...each, start: 20 } : each));
  expect(leadOf(later)?.id).toBe('boundary-write@key-2');
});
