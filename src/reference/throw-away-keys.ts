import { randomBytes } from 'node:crypto';

/** Keys for one server on this machine, valid until it ends: four full ones, a restricted and a revoked one. */
export function throwAwayKeys(): {
  readonly full: readonly string[];
  readonly restricted: string;
  readonly revoked: string;
} {
  const key = (role: string): string => `${role}-${randomBytes(12).toString('hex')}`;
  return { full: [1, 2, 3, 4].map(() => key('full')), restricted: key('restricted'), revoked: key('revoked') };
}
