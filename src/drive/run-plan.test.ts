import { expect, test } from 'vitest';
import { EVERYTHING, makePlan } from '../plan/plan.ts';
import { operationOf, profileWith } from '../profile/profile.test-support.ts';
import type { Operation, Profile } from '../profile/profile.ts';
import { RequestError } from './http/message.ts';
import { runPlan } from './run-plan.ts';
import { openStatefulSession } from './stateful-target.test-support.ts';

const json = { contentType: 'application/json', text: '{"name":"x {{uuid}}"}' };
const list = operationOf({ id: 'list', group: 'labels', path: '/labels' });
const put = operationOf({ id: 'put', group: 'labels', kind: 'write', method: 'PUT', path: '/labels/tall', body: json });
/** Deletes what nothing creates, so it cannot serve as a preparation. */
const fail = operationOf({ ...put, id: 'fail', method: 'DELETE', path: '/labels/none' });
const unprepared = operationOf({ ...put, id: 'unprepared', prepare: ['fail'] });

async function run(operations: readonly Operation[], check?: () => void, probes: Partial<Profile['probes']> = {}) {
  const plain = profileWith({ operations });
  const profile = { ...plain, probes: { ...plain.probes, ...probes } };
  const options = { seed: 1, thingsFirst: false, perKey: false, sameName: 'another' } as const;
  const { session, exchanges, notes } = openStatefulSession(profile, options, check);
  const plan = makePlan({ profile, keys: session.keys, selection: EVERYTHING, mode: 'certify' });
  await runPlan(plan, session);
  const named = (code: string) => notes.filter((each) => each.code === code).map(({ experiment }) => experiment);
  const planned = plan.experiments.filter((each) => each.omitted === null && each.id !== 'preflight');
  return { exchanges, notes, planned: planned.map(({ id }) => id), ended: named('experiment-ended') };
}

test('an experiment that breaks off ends none of the others', async () => {
  const { planned, ended, notes } = await run([list, fail, unprepared]);
  const broken = planned.filter((id) => !ended.includes(id));
  expect(broken.length).toBeGreaterThan(0);
  expect(broken.every((id) => id.includes('-write@'))).toBe(true);
  expect(ended).toEqual(expect.arrayContaining(planned.filter((id) => !broken.includes(id))));
  const told = notes.filter(({ code }) => code === 'experiment-failed').map(({ experiment }) => experiment);
  expect(told).toEqual(expect.arrayContaining(broken));
});

test('what cannot go down one connection is left out, and all experiments end', async () => {
  const { planned, ended, notes, exchanges } = await run([list, put], () => {
    throw new RequestError('a GET request with a body cannot be pipelined');
  });
  expect(ended).toEqual(expect.arrayContaining(planned));
  expect(exchanges.some(({ step }) => step === 'one-connection')).toBe(false);
  expect(notes.filter(({ text }) => text.startsWith('one-connection of ')).length).toBeGreaterThan(0);
});

test('a good request of the same key follows ten failed ones in a row', async () => {
  const get = operationOf({ id: 'get', group: 'labels', path: '/labels/tall' });
  const missing = { ...get, name: 'not-found-1', operation: 'get', path: '/labels/none' };
  const { exchanges } = await run([list, get, put], undefined, { notFound: [missing] });
  const last = exchanges.filter(({ experiment }) => experiment === 'observed').slice(-11);
  expect(last.map(({ fault }) => fault)).toEqual([...Array.from({ length: 10 }, () => 'missing'), 'none']);
  expect(new Set(last.map(({ key }) => key)).size).toBe(1);
  expect(last.at(-1)?.status).toBe(200);
});
