import type { Keys } from '../profile/profile.ts';

/** The keys of a run by their aliases. */
export function secretsByAlias(keys: Keys): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>(keys.full.map((key, index) => [`key-${index + 1}`, key] as const));
  if (keys.restricted !== null) secrets.set('restricted', keys.restricted);
  if (keys.revoked !== null) secrets.set('revoked', keys.revoked);
  return secrets;
}
