import { byApiKey, byBearer } from '../drive/credentials.ts';
import { preflight } from '../drive/experiments/preflight.ts';
import type { Session } from '../drive/session.ts';
import { pairOf, type Shot } from '../drive/shot.ts';
import type { Operation, Probe } from '../profile/profile.ts';
import type { Fault } from '../trace/exchange.ts';

export const EXPERIMENT = 'doctor';

/** Bounds of an examination: a couple of dozen requests, of which at most a dozen are writes of one key. */
const MOST_KEYS = 8;
const MOST_OPERATIONS = 12;
const MOST_PROBES = { parameter: 2, missing: 2, permission: 1, internal: 1 } as const;

/** Tries keys, operations and probes once each, and removes what it has made. Judges nothing: the trace tells what came of it. */
export async function examine(session: Session): Promise<void> {
  const obstacle = await preflight(session);
  if (obstacle !== null) return session.note('preflight', null, obstacle);
  const [firstKey] = session.keys.full;
  if (firstKey === undefined || !(await tryKeys(session, firstKey))) return;
  for (const operation of toTry(session.profile.operations)) await tryOnce(session, operation, firstKey);
  await tryProbes(session, firstKey);
  await session.cleanUp();
}

/** Each key on one operation, the first key in both headers. Gives whether the first key is accepted in either. */
async function tryKeys(session: Session, firstKey: string): Promise<boolean> {
  const operation = session.workhorse(
    session.profile.operations.some(({ kind }) => kind === 'read') ? 'read' : 'write',
  );
  const shot = (key: string, rest: Partial<Shot> = {}): Shot => ({
    experiment: EXPERIMENT,
    step: 'key',
    operation,
    key,
    pair: pairOf(operation),
    ...rest,
  });
  const secret = session.secret(firstKey);
  const plain = await session.attempt(shot(firstKey, { credential: byApiKey(secret) }));
  const bearer = await session.attempt(shot(firstKey, { credential: byBearer(secret) }));
  // What prepares the operation failed: that says nothing of the key.
  if (plain === null || bearer === null) return true;
  if (plain.status === 401 && bearer.status === 401) return false;
  if (plain.status === 401) session.way = 'bearer';
  for (const key of session.keys.full.slice(1, MOST_KEYS)) await session.attempt(shot(key));
  if (session.keys.restricted) await session.attempt(shot('restricted'));
  if (session.keys.revoked) await session.attempt(shot('revoked', { fault: 'bad-key', variation: 'revoked' }));
  return true;
}

/** One of each group and kind first; then those that others are needed for, since trying them tries the others too. */
function toTry(operations: readonly Operation[]): readonly Operation[] {
  const places = new Set<string>();
  const first = operations.filter(({ group, kind }) => {
    const place = `${group} ${kind}`;
    return !places.has(place) && places.add(place);
  });
  const others = operations.filter((each) => !first.includes(each));
  return [...first, ...others.toSorted((a, b) => b.prepare.length - a.prepare.length)].slice(0, MOST_OPERATIONS);
}

async function tryOnce(session: Session, operation: Operation, key: string): Promise<void> {
  if (session.hasControl(operation)) return;
  await session.attempt({ experiment: EXPERIMENT, step: 'operation', operation, key, pair: pairOf(operation) });
}

async function tryProbes(session: Session, firstKey: string): Promise<void> {
  const { invalidParameter, notFound, forbidden, internalFailure } = session.profile.probes;
  const lists: readonly (readonly [keyof typeof MOST_PROBES, readonly Probe[], string])[] = [
    ['parameter', invalidParameter, firstKey],
    ['missing', notFound, firstKey],
    ['permission', session.keys.restricted ? forbidden : [], 'restricted'],
    ['internal', internalFailure, firstKey],
  ];
  for (const [fault, probes, key] of lists) {
    for (const probe of probes.slice(0, MOST_PROBES[fault])) await tryProbe(session, probe, fault, key, firstKey);
  }
}

/** The operation as it is must have succeeded first, or its answer to a fault would say nothing. */
async function tryProbe(session: Session, probe: Probe, fault: Fault, key: string, firstKey: string): Promise<void> {
  const operation = session.profile.operations.find(({ id }) => id === probe.operation);
  if (!operation) return;
  await tryOnce(session, operation, firstKey);
  if (!session.hasControl(operation)) return;
  // The trace names a probe by its variation: two of one operation are told apart by it.
  const shot: Shot = { experiment: EXPERIMENT, step: 'probe', operation, probe, fault, key, pair: pairOf(operation) };
  await session.attempt({ ...shot, variation: probe.name });
}
