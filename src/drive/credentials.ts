import type { Fault } from '../trace/exchange.ts';

/** How a key is presented: the headers to add, and what the trace says of it. */
export interface Credential {
  /** Name in the trace: `x-api-key`, `bearer`, `none`, or an observed way. */
  readonly name: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Appended to the target's query; may hold the key. */
  readonly query?: readonly [string, string];
}

export function byApiKey(key: string): Credential {
  return { name: 'x-api-key', headers: [['X-API-Key', key]] };
}

export function byBearer(key: string): Credential {
  return { name: 'bearer', headers: [['Authorization', `Bearer ${key}`]] };
}

export const noCredential: Credential = { name: 'none', headers: [] };

/** A way to present no accepted key, each differing from its control in the credential alone. */
export interface BadCredential {
  readonly variation: string;
  readonly key: string | null;
  readonly fault: Fault;
  readonly credential: Credential;
}

/**
 * The keys that clause 7 calls not accepted: unknown, altered in one character, empty, of another scheme, and a revoked
 * one where there is one.
 *
 * @param unknown a made-up key of the same length as the good one
 */
export function badCredentials(good: string, alias: string, unknown: string, revoked: string | null): BadCredential[] {
  const bad = (variation: string, key: string | null, credential: Credential): BadCredential => ({
    variation,
    key,
    fault: 'bad-key',
    credential,
  });
  return [
    bad('unknown', 'unknown', byApiKey(unknown)),
    bad('unknown-bearer', 'unknown', byBearer(unknown)),
    bad('altered', 'unknown', byApiKey(altered(good))),
    bad('empty', null, byApiKey('')),
    bad('wrong-scheme', alias, { name: 'basic', headers: [['Authorization', `Basic ${good}`]] }),
    ...(revoked === null ? [] : [bad('revoked', 'revoked', byApiKey(revoked))]),
  ];
}

/** The same key with its last character replaced by another of its kind. */
export function altered(key: string): string {
  const last = key.at(-1) ?? '';
  return key.slice(0, -1) + (/\d/.test(last) ? (last === '7' ? '3' : '7') : last === 'x' ? 'y' : 'x');
}

/** Ways of sending a key whose answer the specification leaves open (AUTH-O1 to AUTH-O3). */
export function observedCredentials(key: string, other: string | null, unknown: string): Credential[] {
  const xApiKey = (value: string) => ['X-API-Key', value] as const;
  const authorization = (value: string) => ['Authorization', value] as const;
  return [
    { name: 'both-same', headers: [xApiKey(key), authorization(`Bearer ${key}`)] },
    ...(other === null
      ? []
      : [{ name: 'both-different', headers: [xApiKey(key), authorization(`Bearer ${other}`)] } satisfies Credential]),
    { name: 'both-one-invalid', headers: [xApiKey(key), authorization(`Bearer ${unknown}`)] },
    { name: 'both-other-invalid', headers: [xApiKey(unknown), authorization(`Bearer ${key}`)] },
    { name: 'bearer-lowercase', headers: [authorization(`bearer ${key}`)] },
    { name: 'bearer-uppercase', headers: [authorization(`BEARER ${key}`)] },
    { name: 'bearer-extra-space', headers: [authorization(`Bearer  ${key}`)] },
    { name: 'header-repeated', headers: [xApiKey(key), xApiKey(key)] },
    { name: 'query', headers: [], query: ['api_key', key] },
    { name: 'cookie', headers: [['Cookie', `api_key=${key}`]] },
  ];
}
