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
import { pairOf, type RequestSpec } from '../drive/request-spec.ts';
import type { Session } from '../drive/session.ts';
import type { Operation, Probe } from '../profile/profile.ts';
import { MALFORMED_JSON } from '../profile/repetition.ts';
import type { Exchange } from '../trace/exchange.ts';
import { besideOdd } from './curl.ts';

/**
 * A recorded request, ready to be sent again. The trace contains no key and no body: both come from the session and the
 * profile, so whatever an operation needs is created again, with new names.
 */
export function recall(exchange: Exchange, session: Session): RequestSpec {
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
    ...(exchange.odd && { odd: exchange.odd, extraHeaders: exchange.odd.headers ?? [] }),
    ...evasion,
    // A request that is not an operation of the profile has no template, so the recorded request serves as one.
    ...(known ? {} : { foreign: true, retarget: () => exchange.target }),
    ...(method === operation.method ? {} : { method }),
    ...(variation === 'parameters' ? { retarget: (target: string) => withQueryOf(exchange.target, target) } : {}),
    ...(variation === 'outside-prefix' ? { origin: withoutPrefix(session.profile.baseUrl) } : {}),
  };
}

function withQueryOf(recorded: string, target: string): string {
  const [, query] = recorded.split('?');
  return query === undefined ? target : `${target.split('?')[0]}?${query}`;
}

/** The operation that a request outside the profile is a variant of: it takes that operation's body. */
function meantBy({ pair, method, target }: Exchange, { profile }: Session): Operation | undefined {
  const own = profile.operations.filter((each) => each.method === method);
  return own.find((each) => pairOf(each) === pair) ?? own.find(({ path }) => isFormOf(target, path));
}

/** Whether a path matches a template, ignoring case, a slash at its end, and a query. */
function isFormOf(target: string, template: string): boolean {
  const [path = ''] = target.toLowerCase().split('?');
  const parts = path.replace(/\/+$/, '').split('/');
  const wanted = template.toLowerCase().split('/');
  return parts.length === wanted.length && wanted.every((part, at) => part.includes('{{') || part === parts[at]);
}

function probeOf(exchange: Exchange, { profile }: Session): Probe | undefined {
  const { fault, operation, step, target, variation, odd } = exchange;
  const whole = profile.operations.find(({ id }) => id === operation);
  const body = odd?.body ?? (whole?.body && variation === 'malformed-body' ? malformed(whole.body) : undefined);
  if (whole && (body || odd?.headers)) {
    const headers = besideOdd(whole.headers, odd?.headers ?? []);
    return { ...whole, name: step, operation: whole.id, body: body ?? whole.body, headers };
  }
  const { invalidParameter, notFound, forbidden, internalFailure } = profile.probes;
  const groups = { parameter: invalidParameter, missing: notFound, permission: forbidden, internal: internalFailure };
  const own = Object.entries(groups)
    .flatMap(([name, probes]) => (name === fault ? probes : []))
    .filter((each) => each.operation === operation);
  return own.find(({ name }) => name === step) ?? own.find(({ path }) => path === target) ?? own[0];
}

/** The body of which recordings of earlier versions say only that it was malformed. */
function malformed(body: NonNullable<Operation['body']>): NonNullable<Operation['body']> {
  return { ...body, text: MALFORMED_JSON };
}

/** How a request presented its key, with the current key. */
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
