import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tried } from '../../test/sampled.test-support.ts';
import { judge } from '../judge/conclude.ts';
import { limitsThat, traceOf } from '../judge/trace-builder.test-support.ts';
import { WHOLE } from '../plan/allowance.ts';
import { EVERYTHING } from '../plan/plan.ts';
import { scheduleOf } from '../plan/schedule.ts';
import { operationOf, profileWith } from '../profile/profile.test-support.ts';
import type { Operation, Profile } from '../profile/profile.ts';
import { repeatable } from '../profile/repetition.ts';
import { GROUPS, type Group } from '../trace/exchange.ts';
import { authentication } from './experiments/authentication.ts';
import { further } from './experiments/further.ts';
import { observed } from './experiments/observed.ts';
import { odd } from './experiments/odd.ts';
import { status } from './experiments/status.ts';
import { untilAnswered } from './experiments/until-answered.ts';
import { openStatefulSession, STOCK, type TargetOptions } from './stateful-target.test-support.ts';

const json = (text: string) => ({ contentType: 'application/json', text });

/** Operations of one group, as vendors name them: on fixed things, on captured ones, and on both. */
function operationsOf(group: Group, fixed: string): Readonly<Record<string, Operation>> {
  const base = operationOf({ group, path: `/${group}/${fixed}` });
  const write = { ...base, kind: 'write' as const, body: json('{"name":"x {{uuid}}"}') };
  const id = `${group}_id`;
  const made = { ...write, path: `/${group}/{{${id}}}` };
  const first = [{ name: id, from: { pointer: '/0/id' } }];
  const named = [{ name: id, from: { pointer: '/id' } }];
  const beside = [{ name: `${group}_beside`, from: { pointer: '/id' } }];
  const about = json(`{"name":"beside {{${id}}}"}`);
  const bare = { body: null };
  const all: readonly Operation[] = [
    { ...base, id: 'list', path: `/${group}` },
    { ...base, id: 'first', path: `/${group}`, capture: first },
    { ...base, id: 'get' },
    { ...base, id: 'get-put', prepare: ['put'] },
    { ...write, id: 'put', method: 'PUT' },
    { ...write, id: 'put-cleared', method: 'PUT', cleanup: ['delete'] },
    { ...write, ...bare, id: 'delete', method: 'DELETE', prepare: ['put'] },
    { ...write, ...bare, id: 'delete-bare', method: 'DELETE' },
    { ...write, ...bare, id: 'archive', method: 'POST', path: `${base.path}/archive`, prepare: ['put'] },
    { ...write, ...bare, id: 'publish', method: 'POST', path: `${base.path}/publish`, prepare: ['put'] },
    { ...write, id: 'post', method: 'POST', path: `/${group}`, capture: named },
    { ...write, id: 'post-fixed', method: 'POST', path: `/${group}`, capture: named, body: json('{"name":"one"}') },
    { ...made, ...bare, id: 'get-made', kind: 'read', method: 'GET', prepare: ['post'] },
    { ...made, ...bare, id: 'delete-made', method: 'DELETE', prepare: ['post'] },
    { ...made, ...bare, id: 'delete-fixed', method: 'DELETE', prepare: ['post-fixed'] },
    { ...made, ...bare, id: 'delete-first', method: 'DELETE', prepare: ['post', 'first'] },
    { ...made, ...bare, id: 'publish-made', method: 'POST', path: `${made.path}/publish`, prepare: ['post'] },
    { ...made, id: 'put-made', method: 'PUT', prepare: ['post'] },
    { ...write, id: 'post-beside', method: 'POST', path: `/${group}`, capture: beside, body: about, prepare: ['post'] },
    { ...write, id: 'post-cleared', method: 'POST', path: `/${group}`, capture: named, cleanup: ['delete-made'] },
  ];
  const rename = (name: string): string => `${group}-${name}`;
  return Object.fromEntries(
    all.map((each) => [
      each.id,
      {
        ...each,
        id: rename(each.id),
        prepare: each.prepare.map(rename),
        cleanup: each.cleanup.map(rename),
        capture: each.capture.map((one) => (each.prepare.length > 0 ? one : { ...one })),
      },
    ]),
  );
}

const NAMES = Object.keys(operationsOf('labels', 'tall'));

const profiles: fc.Arbitrary<Profile> = fc
  .record({
    chosen: fc.array(
      fc.record({
        group: fc.constantFrom(...GROUPS),
        names: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 5 }),
        fixed: fc.constantFrom(...STOCK, 'new'),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(({ chosen }) => {
    const operations = new Map<string, Operation>();
    for (const { group, names, fixed } of chosen) {
      const all = operationsOf(group, fixed);
      const add = (name: string): void => {
        const operation = all[name];
        if (!operation || operations.has(operation.id)) return;
        const bare = (id: string): string => id.slice(group.length + 1);
        for (const id of [...operation.prepare, ...operation.cleanup]) add(bare(id));
        operations.set(operation.id, operation);
      };
      names.forEach(add);
    }
    const every = [...operations.values()];
    const writes = every.filter((each) => each.kind === 'write');
    const listed = every.filter((each) => each.method === 'GET' && each.prepare.length === 0);
    return profileWith({
      operations: every,
      probes: {
        invalidParameter: listed.map((each) => ({ ...each, operation: each.id, name: each.id, query: { page: '-1' } })),
        notFound: every
          .filter((each) => each.method === 'GET' || each.method === 'DELETE')
          .slice(0, 2)
          .filter((each) => each.path.split('/').length > 2)
          .map((each) => ({ ...each, operation: each.id, name: each.id, path: `/${each.group}/none` })),
        forbidden: writes.map((each) => ({ ...each, operation: each.id, name: each.id })),
        internalFailure: [],
      },
    });
  });

const targets: fc.Arbitrary<TargetOptions> = fc.record({
  seed: fc.nat(),
  thingsFirst: fc.boolean(),
  perKey: fc.boolean(),
  sameName: fc.constantFrom('another', 'same', 'refused'),
});

/** The single requests of a certification, with bursts at the same time, on another key and on the same. */
async function run(profile: Profile, options: TargetOptions) {
  const { session, exchanges } = openStatefulSession(profile, options);
  const bursts = async (key: string): Promise<void> => {
    for (let round = 0; round < 4; round += 1) {
      for (const kind of ['read', 'write'] as const) {
        const [operation] = repeatable(profile.operations, kind);
        if (!operation) continue;
        const spec = { experiment: 'burst', step: 'burst', operation, key, pair: `op ${operation.id}` };
        await session.sendAtOnce(Array.from({ length: 6 }, () => spec)).catch(() => []);
        await session.attempt(spec);
      }
    }
  };
  const plan = { selection: EVERYTHING, mode: 'certify', tracks: [], allowance: WHOLE } as const;
  const { early, late } = scheduleOf(profile, session.keys, plan);
  const send = untilAnswered(session, { left: 0 });
  await Promise.all([
    authentication(session, early, send, true, Number.POSITIVE_INFINITY).then(() =>
      status(session, early, send, { control: 'key-1' }),
    ),
    bursts('key-1'),
    bursts('key-2'),
  ]);
  await further(session, late, send, false);
  await odd(session);
  await observed(session, 'key-1', { keyInQuery: true, failuresInARow: true });
  await session.cleanUp();
  return exchanges;
}

const RUNS = Number(process.env.THINGS_APART_RUNS ?? tried(80));

test('no conforming server fails for what one request of the run has changed and another met', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(profiles, targets, async (profile, options) => {
      const trace = traceOf([], { header: { profile } });
      const { verdicts } = judge({ ...trace, exchanges: await run(profile, options) }, limitsThat());
      const failed = verdicts.filter(({ verdict }) => verdict === 'fail');
      expect(failed.map(({ id, summary, proofs }) => ({ id, summary, argument: proofs[0]?.argument }))).toEqual([]);
      if (verdicts.some(({ id, verdict }) => id === 'AUTH-7' && verdict === 'pass')) compared += 1;
    }),
    { numRuns: RUNS },
  );
  expect(compared).toBeGreaterThan(RUNS / 4);
});
