import type { Holder, Likeness, Presentation } from './arrival.ts';

/** The keys that a reference server knows, by what each may do. */
export interface KeySet {
  readonly full: readonly string[];
  /** May read, but may not write. */
  readonly restricted?: string | null;
  /** Was valid once, but is not accepted any more. */
  readonly revoked?: string | null;
}

/** Reads how a request presents a key. If both headers are present, a non-empty `X-API-Key` is used. */
export type ReadCredentials = (headers: Readonly<Record<string, string | undefined>>) => Presentation;

/** A reader of credentials for this set of keys. */
export function credentialsReader(keys: KeySet): ReadCredentials {
  const full = keys.full.map((key, index) => [key, { name: `key-${index + 1}`, role: 'full' }] as const);
  const holders = new Map<string, Holder>(full);
  if (keys.restricted) holders.set(keys.restricted, { name: 'restricted', role: 'restricted' });
  if (keys.revoked) holders.set(keys.revoked, { name: 'revoked', role: 'revoked' });
  const known = [...holders.keys()];
  const present = (way: Presentation['way'], text: string): Presentation => {
    const shown = text.trim();
    const holder = holders.get(shown);
    if (holder) return { way, text, holder, resembles: holder, likeness: null };
    const resembles = holders.get(known.find((key) => resemble(shown, key)) ?? '') ?? null;
    return { way, text, holder: null, resembles, likeness: likenessOf(shown, known) };
  };

  return (headers) => {
    const own = headers['x-api-key'];
    const { authorization } = headers;
    if (own !== undefined && own !== '') {
      return { ...present('x-api-key', own), ...(authorization === `Bearer ${own}` ? { form: 'both-headers' } : {}) };
    }
    if (authorization !== undefined) {
      const [, scheme = '', text = ''] = /^(\S*) ?(.*)$/.exec(authorization) ?? [];
      if (scheme.toLowerCase() === 'bearer') {
        return { ...present('bearer', text), ...(scheme === 'Bearer' ? {} : { form: 'scheme-case' }) };
      }
      return { ...present('other', text), likeness: schemeLikeness(authorization, scheme, known) };
    }
    return present(own === undefined ? 'none' : 'x-api-key', '');
  };
}

function resemble(text: string, key: string): boolean {
  const beginsAlike = text.length > 1 && text.startsWith(key.slice(0, Math.ceil(key.length / 2)));
  return beginsAlike || text.toLowerCase() === key.toLowerCase();
}

const LIKE: readonly (readonly [Likeness, (text: string, key: string) => boolean])[] = [
  ['case', (text, key) => text.toLowerCase() === key.toLowerCase()],
  ['list', (text, key) => text.split(',').includes(key)],
  ['word before', (text, key) => text === `Bearer ${key}`],
  ['spaces inside', (text, key) => text.replaceAll(' ', '') === key],
  ['percent-encoded', (text, key) => text.replace(/%([0-9a-f]{2})/gi, (_, hex) => characterOf(hex)) === key],
  ['accents', (text, key) => text.normalize('NFD').replace(/\p{M}/gu, '') === key],
  ['longer at the end', (text, key) => text.startsWith(key)],
  ['longer at the beginning', (text, key) => text.endsWith(key)],
];

function likenessOf(text: string, keys: readonly string[]): Likeness | null {
  return LIKE.find(([, isLike]) => keys.some((key) => isLike(text, key)))?.[0] ?? null;
}

function schemeLikeness(authorization: string, scheme: string, keys: readonly string[]): Likeness | null {
  if (keys.includes(authorization.trim())) return 'no scheme';
  const pair = Buffer.from(authorization.slice(scheme.length), 'base64').toString().split(':');
  if (scheme.toLowerCase() === 'basic' && pair.some((each) => keys.includes(each))) return 'basic';
  return keys.some((key) => authorization.includes(key)) ? 'other scheme' : null;
}

function characterOf(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}
