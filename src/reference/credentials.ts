import type { Holder, Presentation } from './arrival.ts';

/** The keys that a reference server knows, by what they may do. */
export interface KeySet {
  readonly full: readonly string[];
  /** May read, and lacks permission for every write. */
  readonly restricted?: string | null;
  /** Was valid once, and is no longer accepted. */
  readonly revoked?: string | null;
}

/** Reads how a request presents a key. Where both headers are there, a non-empty `X-API-Key` is the one that is read. */
export type ReadCredentials = (headers: Readonly<Record<string, string | undefined>>) => Presentation;

/** A reader of credentials for this set of keys. */
export function credentialsReader(keys: KeySet): ReadCredentials {
  const holders = new Map<string, Holder>();
  keys.full.forEach((key, index) => {
    holders.set(key, { name: `key-${index + 1}`, role: 'full' });
  });
  if (keys.restricted) holders.set(keys.restricted, { name: 'restricted', role: 'restricted' });
  if (keys.revoked) holders.set(keys.revoked, { name: 'revoked', role: 'revoked' });
  const present = (way: Presentation['way'], text: string): Presentation => ({
    way,
    text,
    holder: holders.get(text.trim()) ?? null,
    resembles: holders.get(text.trim()) ?? resembling(text.trim()),
  });
  const resembling = (text: string): Holder | null => {
    for (const [key, holder] of holders) {
      const close = text.length > 1 && text.startsWith(key.slice(0, Math.ceil(key.length / 2)));
      if (close || text.toLowerCase() === key.toLowerCase()) return holder;
    }
    return null;
  };

  return (headers) => {
    const own = headers['x-api-key'];
    if (own !== undefined && own !== '') return present('x-api-key', own);
    const { authorization } = headers;
    if (authorization !== undefined) {
      const [, scheme = '', text = ''] = /^(\S*) ?(.*)$/.exec(authorization) ?? [];
      return present(scheme.toLowerCase() === 'bearer' ? 'bearer' : 'other', text);
    }
    return own === undefined ? { way: 'none', text: '', holder: null, resembles: null } : present('x-api-key', '');
  };
}
