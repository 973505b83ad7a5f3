import { BAD_KEYS } from '../catalogue/key-states.ts';
import {
  badCredential,
  byApiKey,
  byBearer,
  type Credential,
  noCredential,
  observedCredentials,
} from '../drive/credentials.ts';
import { evasions } from '../drive/experiments/evasion.ts';
import { withoutPrefix } from '../drive/experiments/observed.ts';
import type { Session } from '../drive/session.ts';
import { pairOf, type Shot } from '../drive/shot.ts';
import type { Operation, Probe } from '../profile/profile.ts';
import type { Exchange } from '../trace/exchange.ts';

/**
 * A recorded request as it is asked for again. The trace holds no key and no body: both come from the session and the profile, so that
 * what an operation needs is made anew, and its names are new.
 */
export function recall(exchange: Exchange, session: Session): Shot {
  const { experiment, step, fault, key, variation, pair, method, kind } = exchange;
  const known = session.profile.operations.find(({ id }) => id === exchange.operation);
  const operation = known ?? meantBy(exchange, session) ?? session.defaultOperation(kind);
  const probe = probeOf(exchange, session);
  const own = key !== null && session.keys.full.includes(key);
  const evasion = (own ? evasions(session, key) : []).find(
    (each) => each.variation === variation && (each.credential?.name ?? exchange.credential) === exchange.credential,
  );
  return {
    experiment,
    step,
    operation,
    key,
    credential: credentialOf(exchange, session),
    fault,
    variation,
    pair,
    ...(probe && { probe }),
    ...evasion,
    // What is none of the profile's operations has no template but its recorded self.
    ...(known ? {} : { foreign: true, method, retarget: () => exchange.target }),
    ...(variation === 'outside-prefix' ? { origin: withoutPrefix(session.profile.baseUrl) } : {}),
  };
}

/** What a request that is none of the profile's operations is a form of: it takes the body of that one. */
function meantBy({ pair, method }: Exchange, { profile }: Session): Operation | undefined {
  return profile.operations.find((each) => pairOf(each) === pair && each.method === method);
}

function probeOf({ fault, operation, step, target }: Exchange, { profile }: Session): Probe | undefined {
  const { invalidParameter, notFound, forbidden, internalFailure } = profile.probes;
  const groups = { parameter: invalidParameter, missing: notFound, permission: forbidden, internal: internalFailure };
  const own = Object.entries(groups)
    .flatMap(([name, probes]) => (name === fault ? probes : []))
    .filter((each) => each.operation === operation);
  return own.find(({ name }) => name === step) ?? own.find(({ path }) => path === target) ?? own[0];
}

/** How a request presented its key, with the key of today. */
function credentialOf({ credential, key, fault, variation }: Exchange, session: Session): Credential {
  const alias = key !== null && key !== 'unknown' ? key : (session.keys.full[0] ?? '');
  if (credential === 'none') return noCredential;
  const secret = session.secret(alias);
  const badKey = fault === 'bad-key' ? BAD_KEYS.find(({ name }) => name === variation) : undefined;
  if (badKey) {
    const material = { alias, secret, madeUp: session.madeUpKey, all: session.secrets };
    const bad = badCredential(badKey, credential === 'bearer' ? 'bearer' : 'x-api-key', material);
    if (bad) return bad.credential;
  }
  if (credential === 'x-api-key') return byApiKey(secret);
  if (credential === 'bearer') return byBearer(secret);
  const other = session.keys.full.find((each) => each !== alias);
  const observed = observedCredentials(secret, other === undefined ? null : session.secret(other), session.madeUpKey);
  return observed.find(({ name }) => name === credential) ?? byApiKey(secret);
}
