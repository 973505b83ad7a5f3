import type { Random } from '../random/random.ts';
import type { Exchange, Kind } from '../trace/exchange.ts';
import { classesWithin, isOfClass, likeOperation, type OperationFacts, type RequestClass } from './attribute.ts';
import { listed, pick, plural } from './operator.ts';

/**
 * The answers that a deviation of a header affects: all, or those with some statuses, and of these perhaps only the
 * answers to some requests.
 */
export type Answers = 'all' | { readonly statuses: readonly number[]; readonly to?: RequestClass };

/** The answers to requests that open a window: one less than the limit is left. */
export type Openers = 'openers';

/** The accepted answers of a budget that come next after a refusal. */
export type AfterRefusals = 'after refusals';

/** The status of a success, and that of a refusal. */
export const SUCCEEDED = 200;
export const REFUSED = 429;

/** Whether the answer to a request is one of these. */
export function isAnswerOf(only: Answers, exchange: Exchange): boolean {
  if (only === 'all') return true;
  const { statuses, to } = only;
  return statuses.includes(exchange.status ?? 0) && (!to || isOfClass(to, exchange));
}

/** The affected answers, for the end of a sentence: ` on writes that are answered 404`; empty for all answers. */
export function answersText(kinds: readonly Kind[], only: Answers | Openers | AfterRefusals): string {
  const which = kinds.length === 1 ? ` on ${plural(kinds)}` : '';
  if (only === 'all') return which;
  if (only === 'openers') return `${which || ' on requests'} that open a window`;
  if (only === 'after refusals') return `${which || ' on requests'} that are accepted first after a refusal`;
  if (only.to) {
    const to = classesWithin(only.to.attribute, only.to.classes);
    return ` on ${only.to.attribute === 'operation' ? `requests of ${to}` : to}${statusesText(only.statuses)}`;
  }
  // Beside those of successes, only those of all answers that are no refusals are told together.
  const areAllPassed = only.statuses.includes(SUCCEEDED) && only.statuses.length > 1;
  if (areAllPassed && !only.statuses.includes(REFUSED)) return `${which || ' on requests'} that are not refused`;
  const statuses = listed(only.statuses.map((status) => `${status}`));
  return which === '' ? ` on answers ${statuses}` : `${which} that are answered ${statuses}`;
}

/** Which of the answers to some requests. */
function statusesText(statuses: readonly number[]): string {
  if (statuses.length === 1) return ` that are answered ${statuses[0]}`;
  return statuses.includes(REFUSED) ? '' : ' that are not refused';
}

/** The successful answers of one operation of these kinds; null if it is the only one of its kind. */
export function drawRoute(
  random: Random,
  kinds: readonly Kind[],
  operations: readonly OperationFacts[],
): Exclude<Answers, 'all'> | null {
  const own = operations.filter((each) => kinds.includes(each.kind));
  const to = likeOperation('operation', pick(random, own), operations);
  return to && { statuses: [200], to: { attribute: to.attribute, classes: to.classes } };
}

/** What to do where only the answers to some requests have a wrong header. */
export const OF_ROUTE =
  'Usually their handler fills the header itself, or reads it at another moment. Let the limiter fill it, for all requests alike.';

/** Whether refusals are affected: among others, only they, or not at all. */
export function isOnRefusals(only: Answers | Openers | AfterRefusals): boolean | 'only' {
  if (typeof only === 'string') return only === 'all';
  return only.statuses.includes(REFUSED) && (only.statuses.length === 1 ? 'only' : true);
}
