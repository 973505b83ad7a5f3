import { LIMITS } from '../../catalogue/limits.ts';
import { burstSize, stepsOf } from '../../plan/roles.ts';
import type { Track } from '../../plan/tracks.ts';
import type { Operation } from '../../profile/profile.ts';
import { byApiKey, byBearer } from '../credentials.ts';
import { pairOf } from '../request-spec.ts';
import type { Session } from '../session.ts';
import { roomiest } from './roomiest.ts';

/** The target accepts these keys in neither header. */
export class KeyRefused extends Error {
  override name = 'KeyRefused';
  readonly keys: readonly string[];

  constructor(keys: readonly string[]) {
    const are = keys.length === 1 ? 'is' : 'are';
    super(
      `${keys.join(', ')} ${are} not accepted (401 with either header): check that SIZE_CHART_KEYS holds valid keys of this deployment`,
    );
    this.keys = keys;
  }
}

/**
 * Asks with each of these keys once, and where the answer is 401, once more with the key in the other header. Returns
 * those that are accepted in neither. It spends one request of a budget, so it is for runs that measure none, or no
 * longer do.
 */
export async function refusedKeys(session: Session, keys: readonly string[]): Promise<readonly string[]> {
  const standing = await Promise.all(keys.map((key) => isRefused(session, key, plainOperation(session))));
  return keys.filter((_, index) => standing[index]);
}

/**
 * Whether the target accepts every full key; if not, notes in the trace which it does not, as the cause that nothing
 * can be judged.
 */
export async function acceptsAllKeys(session: Session): Promise<boolean> {
  const { full } = session.keys;
  const refused = await refusedKeys(session, full);
  const [first] = refused;
  if (first === undefined) return true;
  if (refused.length === full.length && (await acceptsElsewhere(session, first))) return true;
  session.note('preflight', null, new KeyRefused(refused).message);
  return false;
}

/** Whether a key is accepted by an operation of the other kind: then one operation is at fault, and no key. */
async function acceptsElsewhere(session: Session, key: string): Promise<boolean> {
  const { kind } = plainOperation(session);
  const other = session.profile.operations.find((each) => each.kind !== kind);
  return other !== undefined && !(await isRefused(session, key, session.defaultOperation(other.kind)));
}

async function isRefused(session: Session, key: string, operation: Operation): Promise<boolean> {
  const secret = session.secret(key);
  const first = session.way;
  for (const way of [first, first === 'bearer' ? 'x-api-key' : 'bearer'] as const) {
    const credential = (way === 'bearer' ? byBearer : byApiKey)(secret);
    const spec = { experiment: 'preflight', step: 'key', operation, key, credential, pair: pairOf(operation) };
    const answer = await session.attempt(spec);
    if (answer?.status !== 401) {
      if (answer?.failure === null) session.way = way;
      return false;
    }
  }
  return true;
}

/**
 * The full key with which a run that measures no budget sends its requests: the one with most left, and of equals one
 * that the seed draws.
 */
export function keyWithMostLeft(session: Session): string | undefined {
  const { full } = session.keys;
  const from = Math.floor(session.random('key')() * full.length);
  const inTurn = [...full.slice(from), ...full.slice(0, from)];
  return roomiest(inTurn, plainOperation(session).kind, session.budget, session.clock.now());
}

function plainOperation({ profile, defaultOperation }: Session): Operation {
  return defaultOperation(profile.operations.some(({ kind }) => kind === 'read') ? 'read' : 'write');
}

/**
 * The track that begins before the others: of the earliest, its first requests are the fewest, and show whether keys
 * are accepted at all. A key that was mistyped in each place then costs a few requests, not the first bursts of all
 * keys.
 */
export function leadOf(tracks: readonly Track[]): Track | undefined {
  const first = (track: Track): number => burstSize(stepsOf(track)[0] ?? '', track.kind, LIMITS[track.kind]);
  return tracks.toSorted((one, other) => one.start - other.start || first(one) - first(other))[0];
}
