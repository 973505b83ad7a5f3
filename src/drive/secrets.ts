import type { Keys } from '../profile/profile.ts';
import type { Random } from '../random/random.ts';

/** The keys of a run by their aliases. */
export function secretsByAlias(keys: Keys): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>(keys.full.map((key, index) => [`key-${index + 1}`, key] as const));
  if (keys.restricted !== null) secrets.set('restricted', keys.restricted);
  if (keys.revoked !== null) secrets.set('revoked', keys.revoked);
  return secrets;
}

/** A key that nobody has given out, as long as another. */
export function madeUp(length: number, random: Random): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  return Array.from({ length: Math.max(8, length) }, () => letters[Math.floor(random() * letters.length)]).join('');
}
