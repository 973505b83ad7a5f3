import { randomBytes } from 'node:crypto';
import type { Keys } from '../profile/profile.ts';

/** Keys for one server on this machine, valid until it ends: four full ones, a restricted and a revoked one. */
export function throwAwayKeys(): Keys & Readonly<Record<'restricted' | 'revoked', string>> {
  const key = (role: string): string => `${role}-${randomBytes(12).toString('hex')}`;
  return { full: [1, 2, 3, 4].map(() => key('full')), restricted: key('restricted'), revoked: key('revoked') };
}
