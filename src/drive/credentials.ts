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

function bad(variation: string, key: string | null, credential: Credential): BadCredential {
  return { variation, key, fault: 'bad-key', credential };
}

/** A made-up key of the same length as a good one. */
export function unknownKey(madeUp: string): BadCredential {
  return bad('unknown', 'unknown', byApiKey(madeUp));
}

/**
 * The further keys that clause 7 calls not accepted: unknown in the other header, altered in one character, empty, of another
 * scheme, and a revoked one where there is one.
 */
export function badCredentials(good: string, alias: string, madeUp: string, revoked: string | null): BadCredential[] {
  return [
    bad('unknown-bearer', 'unknown', byBearer(madeUp)),
    bad('altered', 'unknown', byApiKey(altered(good))),
    bad('empty', null, byApiKey('')),
    bad('wrong-scheme', alias, { name: 'basic', headers: [['Authorization', `Basic ${good}`]] }),
    ...(revoked === null ? [] : [bad('revoked', 'revoked', byApiKey(revoked))]),
  ];
}

/**
 * A key with something after it, and one cut short: accepted where keys are compared by their beginning, or by what they
 * contain.
 *
 * @param valid every key of the run: what happens to be one of them is left out
 */
export function misfitKeys(good: string, valid: readonly string[]): BadCredential[] {
  return [['lengthened', lengthened(good)] as const, ['shortened', shortened(good)] as const]
    .filter(([, key]) => key !== '' && !valid.includes(key))
    .map(([variation, key]) => bad(variation, 'unknown', byApiKey(key)));
}

/**
 * The same key with its last character but one replaced by another of its kind. Not the last: of a key in base64 that one may
 * carry no bit (RFC 4648, section 3.5), and of numbered keys it may turn one into the next.
 */
export function altered(key: string): string {
  const end = key.replace(/=+$/, '').length;
  const at = Math.max(0, end - 2);
  const old = key[at] ?? '';
  const other = /\d/.test(old) ? (old === '7' ? '3' : '7') : old === 'x' ? 'y' : 'x';
  return key.slice(0, at) + other + key.slice(at + 1);
}

/** The same key followed by its own beginning: four characters, so that no lenient reading of base64 or hex drops them. */
export function lengthened(key: string): string {
  return key + key.slice(0, 4).padEnd(4, key.slice(0, 1));
}

/** The first two thirds of a key. */
export function shortened(key: string): string {
  return key.slice(0, Math.floor((key.length * 2) / 3));
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
