import { isAccepted } from '../drive/budget-state.ts';
import { byApiKey, byBearer } from '../drive/credentials.ts';
import { preflight } from '../drive/experiments/preflight.ts';
import { room } from '../drive/experiments/roomiest.ts';
import { pairOf, type RequestSpec } from '../drive/request-spec.ts';
import type { Session } from '../drive/session.ts';
import type { Operation, Probe } from '../profile/profile.ts';
import type { Exchange, Fault, Kind } from '../trace/exchange.ts';

export const EXPERIMENT = 'doctor';

/** How often the examination waits for spent budgets: enough to try a profile of a hundred operations on two keys. */
const MOST_WAITS = 3;

/**
 * Tries every key, operation, prepared chain and probe, and removes what it has created. It tries operations that use
 * something up or create something twice, because a run sends them often. It judges nothing: the trace has the answers.
 */
export async function examine(session: Session): Promise<void> {
  const obstacle = await preflight(session);
  if (obstacle !== null) return session.note('preflight', null, obstacle);
  const [firstKey] = session.keys.full;
  if (firstKey === undefined) return;
  const keys = await acceptedKeys(session, firstKey);
  if (keys.length === 0) return;
  const send = onRoomiestKey(session, keys);
  for (const operation of session.profile.operations) {
    const spec = { experiment: EXPERIMENT, step: 'operation', operation, pair: pairOf(operation) };
    const key = await send(spec, null);
    if (key !== null && /^(DELETE|POST)$/.test(operation.method)) await send(spec, key);
  }
  const { invalidParameter, notFound, forbidden, internalFailure } = session.profile.probes;
  for (const probe of invalidParameter) await send(specOf(session, probe, 'parameter'), null);
  for (const probe of notFound) await send(specOf(session, probe, 'missing'), null);
  if (session.keys.restricted) {
    for (const probe of forbidden) await send(specOf(session, probe, 'permission'), 'restricted');
  }
  for (const probe of internalFailure) await send(specOf(session, probe, 'internal'), null);
  await session.cleanUp();
}

/**
 * Each key on one operation, the first key in both headers. Returns the full keys that are accepted, or of which this
 * is not known.
 */
async function acceptedKeys(session: Session, firstKey: string): Promise<readonly string[]> {
  const operation = session.defaultOperation(
    session.profile.operations.some(({ kind }) => kind === 'read') ? 'read' : 'write',
  );
  const statusOf = async (key: string, rest: Partial<RequestSpec> = {}): Promise<number | null> => {
    const spec = { experiment: EXPERIMENT, step: 'key', operation, key, pair: pairOf(operation), ...rest };
    return (await session.attempt(spec))?.status ?? null;
  };
  const isRefused = async (key: string, rest: Partial<RequestSpec> = {}): Promise<boolean> =>
    (await statusOf(key, rest)) === 401;
  const isRefusedInBoth = async (key: string): Promise<boolean> => {
    const secret = session.secret(key);
    const byHeader = await isRefused(key, { credential: byApiKey(secret) });
    const byAuthorization = await isRefused(key, { credential: byBearer(secret) });
    if (byHeader && !byAuthorization) session.way = 'bearer';
    return byHeader && byAuthorization;
  };
  const accepted: string[] = [];
  for (const key of session.keys.full) {
    // Once a key is accepted, it is known which header is.
    const refused = key === firstKey || accepted.length === 0 ? isRefusedInBoth(key) : isRefused(key);
    if (!(await refused)) accepted.push(key);
  }
  if (session.keys.restricted) {
    // It need not be allowed more than one operation.
    for (const other of [operation, ...mayBeAllowed(session, operation)]) {
      if ((await statusOf('restricted', { operation: other, pair: pairOf(other) })) !== 403) break;
    }
  }
  if (session.keys.revoked) await isRefused('revoked', { fault: 'bad-key', variation: 'revoked' });
  return accepted;
}

/**
 * The operations that the restricted key may be allowed besides this one: those that need nothing prepared, and are not
 * said to be forbidden.
 */
function mayBeAllowed({ profile }: Session, tried: Operation): readonly Operation[] {
  const forbidden = new Set(profile.probes.forbidden.map(({ operation }) => operation));
  return profile.operations.filter((each) => each !== tried && each.prepare.length === 0 && !forbidden.has(each.id));
}

function specOf({ profile }: Session, probe: Probe, fault: Fault): Omit<RequestSpec, 'key'> {
  const operation = profile.operations.find(({ id }) => id === probe.operation);
  if (!operation) throw new RangeError(`no operation ${probe.operation}`);
  // The trace names a probe by its variation, which distinguishes two probes of one operation.
  return {
    experiment: EXPERIMENT,
    step: 'probe',
    operation,
    probe,
    fault,
    pair: pairOf(operation),
    variation: probe.name,
  };
}

/**
 * Sends a request, with what prepares it, on the given key, or else on the key with the most left of the budgets that
 * it draws on. If no key has enough left, it waits until a window ends. Returns the key with which it succeeded; null
 * if it did not.
 */
function onRoomiestKey(session: Session, keys: readonly string[]) {
  let waits = 0;
  return async (spec: Omit<RequestSpec, 'key'>, named: string | null): Promise<string | null> => {
    const cost = costOf(session, spec.operation);
    const candidates = named === null ? keys : [named];
    const left = (key: string): number =>
      Math.min(...cost.map(([kind, count]) => room(session.budget(key, kind), kind, session.clock.now()) - count));
    const roomiest = (): string => candidates.reduce((best, key) => (left(key) > left(best) ? key : best));
    let key = roomiest();
    if (left(key) < 0 && waits < MOST_WAITS) {
      waits += 1;
      const end = Math.min(...cost.map(([kind]) => session.budget(key, kind).end ?? 0));
      await session.until(end + 1e6);
      key = roomiest();
    }
    const exchange: Exchange | null = await session.attempt({ ...spec, key });
    return exchange !== null && isAccepted(exchange) ? key : null;
  };
}

/** How many requests of each kind an operation needs, including what prepares it. */
function costOf({ profile }: Session, operation: Operation): readonly (readonly [Kind, number])[] {
  const chain: Operation[] = [];
  const visit = (each: Operation): void => {
    chain.push(each);
    for (const id of each.prepare) profile.operations.filter((other) => other.id === id).forEach(visit);
  };
  visit(operation);
  return (['read', 'write'] as const)
    .map((kind) => [kind, chain.filter((each) => each.kind === kind).length] as const)
    .filter(([, count]) => count > 0);
}
