import type { Profile } from '../profile/profile.ts';
import { type Exchange, isFullKey, isSuccess } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';

/**
 * What to do if every request with a full key got the same status, and it is no success: then one thing is wrong with
 * the whole target. Null if there was another status, or none, or one that is about keys or limits.
 */
export function sameAnswer(
  { baseUrl }: Pick<Profile, 'baseUrl'>,
  { exchanges }: Pick<Trace, 'exchanges'>,
): string | null {
  const answers = exchanges.filter(({ key, status }) => isFullKey(key) && status !== null);
  const [first] = answers;
  if (!first || first.status === null || answers.some(({ status }) => status !== first.status)) return null;
  const { status } = first;
  if (isSuccess(status) || status === 401 || status === 403 || status === 429) return null;
  return `${adviceFor(status, answers)}: at ${baseUrl}, every request with a full key was answered ${status}`;
}

function adviceFor(status: number, answers: readonly Exchange[]): string {
  if (status >= 500) return 'start or repair the deployment, or the gateway in front of it';
  if (status >= 300 && status < 400) return redirected(answers);
  return status === 404 ? 'correct base_url' : 'correct base_url, or what the profile sends';
}

/** The suite follows no redirect, so that no key goes elsewhere. */
function redirected(answers: readonly Exchange[]): string {
  const places = new Set(answers.flatMap(({ headers }) => (headers.other.location ?? []).flatMap(originOf)));
  const [place, ...more] = places;
  const where = place === undefined || more.length > 0 ? 'the place' : `a URL on ${place},`;
  return `set base_url to ${where} to which it redirects, if that is the deployment`;
}

function originOf(location: string): readonly string[] {
  return URL.canParse(location) ? [new URL(location).origin] : [];
}
