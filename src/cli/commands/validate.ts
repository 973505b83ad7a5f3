import type { Variables } from '../../profile/environment.ts';
import { plural } from '../../report/wording.ts';
import type { Invocation } from '../arguments.ts';
import { targetOf } from './run.ts';

/** Checks profile and keys, and sends nothing. */
export async function validateCommand(invocation: Invocation, variables: Variables): Promise<number> {
  const { profile, keys } = targetOf(invocation, variables, 'error');
  const roles = { full: keys.full.length, restricted: keys.restricted !== null, revoked: keys.revoked !== null };
  if (invocation.options.json) {
    process.stdout.write(
      `${JSON.stringify({ valid: true, baseUrl: profile.baseUrl, operations: profile.operations.length, keys: roles })}\n`,
    );
  } else {
    const others = [roles.restricted ? 'a restricted one' : null, roles.revoked ? 'a revoked one' : null].filter(
      Boolean,
    );
    process.stdout.write(
      `${invocation.options.profile} is valid: ${plural(profile.operations.length, 'operation')} at ${profile.baseUrl}; ${plural(roles.full, 'full key')}${others.length > 0 ? `, ${others.join(', ')}` : ''}.\n`,
    );
  }
  return 0;
}
