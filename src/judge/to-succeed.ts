import type { Operation } from '../profile/profile.ts';
import { type Exchange, isSuccess } from '../trace/exchange.ts';
import { leftOutOf } from '../trace/left-out.ts';
import { UNSHARED } from './after-failures.ts';
import { unique } from './parts.ts';
import { type Answered, isAnswered, isPlain, type View } from './view.ts';

/** So many keys find the most: with fewer, more help. */
const KEYS_WISHED = 4;

/** What to do where the run as it was did not come to something. */
export function again({ header }: View['trace']): string {
  const more = header.keys.full.length < KEYS_WISHED ? 'four ' : '';
  return `wait two minutes, and run again with ${more}${UNSHARED}`;
}

/**
 * What to do so that something is sent that certify sends: not to certify, where that was done.
 *
 * @param advice what to do where the run was another
 */
export function toCertify({ trace }: Pick<View, 'trace'>, advice: string): string {
  return trace.header.command === 'certify' && trace.header.keys.full.length > 0 ? again(trace) : advice;
}

/**
 * What to do so that something is sent with a key that lacks permission for it: what is there already is not asked for.
 */
export function toForbid({ trace }: Pick<View, 'trace'>): string {
  const { keys, profile } = trace.header;
  const hasProbe = profile.probes.forbidden.length > 0;
  const key = 'SIZE_CHART_RESTRICTED_KEY';
  if (hasProbe && keys.restricted) return toCertify({ trace }, 'run certify, which sends what probes.forbidden lists');
  if (hasProbe) return `set ${key} to a key that lacks permission for what probes.forbidden of the profile lists`;
  const probe = 'add a probe to probes.forbidden of the profile';
  return keys.restricted
    ? `${probe}, for which ${key} lacks permission`
    : `${probe}, and set ${key} to a key that lacks permission for it`;
}

/**
 * What to do so that an operation succeeds of which no good request did: what prepares it comes first, and that a
 * budget was spent is no fault of the profile.
 */
export function toSucceed(view: View, id: string): string {
  const blocked = toPrepare(view, id);
  if (blocked !== null) return blocked;
  // The same for every operation, so that it is said once: the summary names them.
  if (metOnly(view, id, 429)) return again(view.trace);
  if (metOnly(view, id, 401)) return 'look at AUTH-2 and AUTH-3 first';
  const met = unique(plainAnswers(view, id).map(({ status }) => status)).filter((status) => status !== 429);
  const told = met.length === 0 ? '' : `: it was answered ${met.join(' or ')} each time`;
  return `check in the profile that ${id} can succeed with a full key${told}`;
}

/** Whether all good requests of an operation were answered with this status, and there were some. */
export function metOnly(view: View, id: string, status: number): boolean {
  const own = plainAnswers(view, id);
  return own.length > 0 && own.every((each) => each.status === status);
}

function plainAnswers({ exchanges }: View, id: string): readonly Answered[] {
  return exchanges.filter((each) => each.operation === id && isPlain(each)).filter(isAnswered);
}

/** What to do so that what an operation needs can be made; null where it has been made, or nothing was needed. */
export function toPrepare({ trace, exchanges }: View, id: string): string | null {
  const operations = new Map(trace.header.profile.operations.map((each) => [each.id, each]));
  const steps = new Set(stepsOf(id, operations));
  if (steps.size === 0) return null;
  const made = exchanges.filter(({ step, operation }) => step === 'prepare' && steps.has(operation ?? ''));
  const last = new Map(made.map((each) => [each.operation, each]));
  const broken = [...last.values()].find((each) => !isMade(each));
  if (!broken) {
    const missed = leftOutOf(trace).filter(({ operation }) => operation === id);
    const unread = missed.find(({ why }) => why.includes(': capture '));
    if (unread) return `correct the capture in the profile, or the answer that it reads (${unread.why})`;
    const failed = made.findLast((each) => isStatusIn(each, missed));
    return failed ? toSucceedEachTime(failed, id) : null;
  }
  const { operation, status, failure } = broken;
  // The same for all that it prepares, so that it is said once.
  if (status === 429) return `the budget was spent when ${operation} was to create what others need: ${again(trace)}`;
  return status === null
    ? `${operation}, which prepares ${id}, got no answer (${failure}): check the network between here and the target, and run again`
    : `check in the profile that ${operation}, which prepares ${id}, can succeed with a full key: it was answered ${status}`;
}

/** Whether this answer, which is no refusal, is a reason why requests were left out. */
function isStatusIn({ operation, status }: Exchange, missed: readonly { readonly why: string }[]): boolean {
  if (status === null || status === 429 || isSuccess(status)) return false;
  return missed.some(({ why }) => why.startsWith(`${operation}, `) && why.endsWith(`answered ${status}`));
}

function toSucceedEachTime({ operation, status, seq }: Exchange, id: string): string {
  return `check in the profile that ${operation}, which prepares ${id}, can succeed each time that it is sent: #${seq} was answered ${status}. Its body may have a value that can be used only once, such as a name that is taken by then`;
}

function isMade({ status }: Exchange): boolean {
  return isSuccess(status);
}

/** What runs before an operation, each after its own; a circle ends where it began. */
function stepsOf(id: string, operations: ReadonlyMap<string, Operation>, seen = new Set<string>()): readonly string[] {
  if (seen.has(id)) return [];
  seen.add(id);
  return (operations.get(id)?.prepare ?? []).flatMap((each) => [...stepsOf(each, operations, seen), each]);
}
