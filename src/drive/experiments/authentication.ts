import { BAD_PARTS } from '../../plan/roles.ts';
import type { Trial } from '../../plan/trials.ts';
import { repeatable } from '../../profile/repetition.ts';
import { byApiKey, byBearer } from '../credentials.ts';
import { pairOf } from '../request-spec.ts';
import type { Session } from '../session.ts';
import { inParallel } from './in-parallel.ts';
import { settling, settlingKinds } from './settling.ts';
import { specOf } from './trial.ts';
import type { Send } from './until-answered.ts';

const EXPERIMENT = 'authentication';

/**
 * The planned requests with a valid key, without a key and with a bad key, on the first key. The valid ones come first,
 * and a single plain request follows them and each part of the bad ones. So a missing part of the budget was used by
 * the valid or by the bad ones, and not by somebody else, who would not come after each part.
 *
 * @param until µs of the run's clock after which no further bad one is begun: on a slow target they would overlap with
 *   the measurement
 * @returns the remaining ones: there was no time for them, or what they need could not be created
 */
export async function authentication(
  session: Session,
  trials: readonly Trial[],
  send: Send,
  thorough: boolean,
  until: number,
): Promise<readonly Trial[]> {
  const own = trials.filter(({ probe }) => probe === null);
  const [key] = session.keys.full;
  const kinds = settlingKinds(session);
  const settle = async (): Promise<void> => {
    if (!thorough || key === undefined) return;
    for (const kind of kinds) await send(settling(session, EXPERIMENT, key, kind));
  };
  const left: Trial[] = [];
  // Things that could not be created because the budget was spent may be created later.
  const sendOrLeave = async (trial: Trial): Promise<void> => {
    if (!(await send(specOf(session, trial, EXPERIMENT)))) left.push(trial);
  };
  await inParallel(
    own.filter(({ fault }) => fault === 'none'),
    sendOrLeave,
  );
  await settle();
  const bad = own.filter(({ fault }) => fault !== 'none');
  const size = Math.ceil(bad.length / BAD_PARTS);
  for (let part = 0; part < BAD_PARTS; part += 1) {
    await inParallel(bad.slice(part * size, (part + 1) * size), async (trial) => {
      if (session.clock.now() > until) left.push(trial);
      else await sendOrLeave(trial);
    });
    if (part < BAD_PARTS - 1) await settle();
  }
  if (session.keys.revoked && thorough && kinds.length > 0) for (const spec of revoked(session)) await send(spec);
  await settle();
  return left;
}

/**
 * The specification does not state the answer to a revoked key, so it is only observed: with either header, on a read
 * if there is one.
 */
function revoked(session: Session) {
  const secret = session.secret('revoked');
  const reads = repeatable(session.profile.operations, 'read').length > 0;
  const operation = session.defaultOperation(reads ? 'read' : 'write');
  return [byApiKey, byBearer].map((way) => ({
    experiment: EXPERIMENT,
    step: 'probe',
    operation,
    pair: pairOf(operation),
    key: 'revoked',
    fault: 'bad-key' as const,
    variation: 'revoked',
    credential: way(secret),
  }));
}
