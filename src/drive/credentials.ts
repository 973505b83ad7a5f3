import type { BadKey } from '../catalogue/key-states.ts';
import type { Fault } from '../trace/exchange.ts';
import { neighboursOf } from './neighbours.ts';

/** How a key is presented: the headers to add, and its name in the trace. */
export interface Credential {
  /** Name in the trace: `x-api-key`, `bearer`, `none`, or an observed way. */
  readonly name: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Appended to the target's query; may contain the key. */
  readonly query?: readonly [string, string];
}

export function byApiKey(key: string): Credential {
  return { name: 'x-api-key', headers: [['X-API-Key', key]] };
}

export function byBearer(key: string): Credential {
  return { name: 'bearer', headers: [['Authorization', `Bearer ${key}`]] };
}

export const noCredential: Credential = { name: 'none', headers: [] };

/** How a form of a bad key is sent, and its name in the trace. */
export interface BadCredential {
  readonly variation: string;
  /** Alias of the valid key that it resembles; `unknown` if it resembles none. */
  readonly key: string;
  readonly fault: Fault;
  readonly credential: Credential;
}

/** The inputs for bad keys. */
export interface KeyMaterial {
  readonly alias: string;
  readonly secret: string;
  /** A key that nobody has given out. */
  readonly madeUp: string;
  /** Every key of the run: a bad key that happens to equal one is not sent. */
  readonly all: readonly string[];
}

/** The credential of this form, in this header; null where the key has no such form. */
export function badCredential(
  { name, family }: BadKey,
  way: 'x-api-key' | 'bearer',
  { alias, secret, madeUp, all }: KeyMaterial,
): BadCredential | null {
  const bad = (key: string, credential: Credential): BadCredential => {
    return { variation: name, key, fault: 'bad-key', credential };
  };
  const by = way === 'x-api-key' ? byApiKey : byBearer;
  if (family === 'unknown') return bad('unknown', by(madeUp));
  if (family === 'empty') return bad('unknown', by(''));
  const authorization = OTHER_SCHEMES[name];
  if (authorization) {
    return bad(alias, { name: 'other-scheme', headers: [['Authorization', authorization(secret)]] });
  }
  const text = neighboursOf(secret, all).get(name);
  return text === undefined ? null : bad(alias, by(text));
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A key under a scheme other than Bearer, in the form of RFC 7617 and RFC 7616, or without a scheme. */
const OTHER_SCHEMES: Readonly<Record<string, (key: string) => string>> = {
  'basic-user': (key) => `Basic ${base64(`${key}:`)}`,
  'basic-password': (key) => `Basic ${base64(`api:${key}`)}`,
  'wrong-scheme': (key) => `Basic ${key}`,
  token: (key) => `Token ${key}`,
  'api-key-scheme': (key) => `ApiKey ${key}`,
  digest: (key) => `Digest username="api", realm="api", nonce="0", uri="/", response="${key}"`,
  'no-scheme': (key) => key,
};

/** The key in both headers. */
export function byBoth(key: string): Credential {
  return {
    name: 'both-same',
    headers: [
      ['X-API-Key', key],
      ['Authorization', `Bearer ${key}`],
    ],
  };
}

/** The key under `bearer`: the case of the scheme does not matter (RFC 9110, 11.1). */
export function byLowerCase(key: string): Credential {
  return { name: 'bearer-lowercase', headers: [['Authorization', `bearer ${key}`]] };
}

/** Ways of sending a key whose answer the specification leaves open (AUTH-O1 to AUTH-O3). */
export function observedCredentials(key: string, other: string | null, unknown: string): Credential[] {
  const xApiKey = (value: string) => ['X-API-Key', value] as const;
  const authorization = (value: string) => ['Authorization', value] as const;
  return [
    byBoth(key),
    ...(other === null
      ? []
      : [{ name: 'both-different', headers: [xApiKey(key), authorization(`Bearer ${other}`)] } satisfies Credential]),
    { name: 'both-one-invalid', headers: [xApiKey(key), authorization(`Bearer ${unknown}`)] },
    { name: 'both-other-invalid', headers: [xApiKey(unknown), authorization(`Bearer ${key}`)] },
    byLowerCase(key),
    { name: 'bearer-uppercase', headers: [authorization(`BEARER ${key}`)] },
    { name: 'bearer-extra-space', headers: [authorization(`Bearer  ${key}`)] },
    { name: 'header-repeated', headers: [xApiKey(key), xApiKey(key)] },
    { name: 'query', headers: [], query: ['api_key', key] },
    { name: 'cookie', headers: [['Cookie', `api_key=${key}`]] },
  ];
}
