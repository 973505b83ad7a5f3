import { type Mode, sample } from '../../plan/plan.ts';
import { LIMITS } from '../../plan/roles.ts';
import type { Operation } from '../../profile/profile.ts';
import type { Kind } from '../../trace/exchange.ts';
import { badCredentials, byApiKey, byBearer, misfitKeys, noCredential, unknownKey } from '../credentials.ts';
import type { Session } from '../session.ts';
import { pairOf, type Shot } from '../shot.ts';
import { inParallel } from './in-parallel.ts';
import { roomiest } from './roomiest.ts';
import { untilAnswered } from './until-answered.ts';

const EXPERIMENT = 'authentication';

/** The share of a budget that authentication may use: the rest belongs to the budget's own track. */
const SHARE = { certify: 0.45, check: 0.4 } as const;

/**
 * AUTH-1 to AUTH-5 and AUTH-7: each operation without a key, with an unknown one and with a good one in either header, and one
 * operation of each group with each further kind of key that is not accepted. Each bad request is paired with a good one that
 * differs from it in the key alone. The good ones come first, and a plain one alone after them and after the bad ones: so what is
 * missing of the budget was taken off for the one or for the other.
 */
export async function authentication(session: Session, key: string, mode: Mode): Promise<void> {
  const good: Shot[] = [];
  const bad: Shot[] = [];
  const secret = session.secret(key);
  const left = { read: Math.floor(LIMITS.read * SHARE[mode]), write: Math.floor(LIMITS.write * SHARE[mode]) };
  for (const operation of sample(session.profile, mode)) {
    const pair = pairOf(operation);
    const shot = (step: string, rest: Partial<Shot>): Shot => ({
      experiment: EXPERIMENT,
      step,
      operation,
      key,
      pair,
      ...rest,
    });
    const price = 1 + operation.prepare.length;
    for (const way of [byApiKey, byBearer]) {
      // What the budget cannot afford here, another experiment may show: any success of the operation is its control.
      if (left[operation.kind] < price) continue;
      left[operation.kind] -= price;
      good.push(shot('control', { credential: way(secret) }));
    }
    bad.push(shot('probe', { key: null, credential: noCredential, fault: 'no-key' }));
    bad.push(shot('probe', unknownKey(session.madeUpKey)));
  }
  const revoked = session.keys.revoked ? session.secret('revoked') : null;
  const valid = [
    ...session.keys.full.map((alias) => session.secret(alias)),
    ...(session.keys.restricted ? [session.secret('restricted')] : []),
    ...(revoked === null ? [] : [revoked]),
  ];
  for (const [index, operation] of oneOfEachGroup(session, mode).entries()) {
    const misfits = index === 0 ? misfitKeys(secret, valid) : [];
    for (const each of [...badCredentials(secret, key, session.madeUpKey, revoked), ...misfits]) {
      bad.push({ experiment: EXPERIMENT, step: 'probe', operation, pair: pairOf(operation), ...each });
    }
  }
  const send = untilAnswered(session, mode);
  const settle = async (): Promise<void> => {
    for (const kind of mode === 'certify' ? kindsOf(session) : []) {
      const operation = session.workhorse(kind);
      await send({ experiment: EXPERIMENT, step: 'settle', operation, key, pair: pairOf(operation) });
    }
  };
  await inParallel(good, send);
  await settle();
  await inParallel(bad, send);
  await settle();
}

/** The kinds of operation that the profile names. */
function kindsOf({ profile }: Session): readonly Kind[] {
  return (['read', 'write'] as const).filter((kind) => profile.operations.some((each) => each.kind === kind));
}

/**
 * The controls that the first key's budget could not afford, each on the key that has most left: a profile may name more
 * operations than a minute's writes, and a control that is refused shows nothing.
 */
export async function remainingControls(session: Session, mode: Mode): Promise<void> {
  const missing = sample(session.profile, mode).filter((operation) => !session.hasControl(operation));
  const send = untilAnswered(session, mode);
  for (const operation of missing) {
    for (const way of [byApiKey, byBearer]) {
      const key = roomiest(session.keys.full, operation.kind, session.budget, session.clock.now());
      if (key === undefined) return;
      const credential = way(session.secret(key));
      await send({ experiment: EXPERIMENT, step: 'control', operation, key, pair: pairOf(operation), credential });
    }
  }
}

/** Reads where there are any: a bad key that is accepted after all should change as little as possible. */
function oneOfEachGroup({ profile }: Session, mode: Mode): readonly Operation[] {
  const groups = mode === 'check' ? (['service'] as const) : (['service', 'categories', 'labels'] as const);
  const chosen = groups.flatMap((group) => {
    const own = profile.operations.filter((operation) => operation.group === group);
    return own.find((operation) => operation.kind === 'read') ?? own.slice(0, 1);
  });
  return chosen.length > 0 ? chosen : profile.operations.slice(0, 1);
}
