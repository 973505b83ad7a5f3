import { LIMITS, WINDOW_S } from '../catalogue/limits.ts';
import { wayText } from '../deployment/attribute.ts';
import { listed } from '../deployment/operator.ts';
import { upTo } from '../oracle/ascending.ts';
import { budgetKey, type Exchange, isSuccess, type Kind } from '../trace/exchange.ts';
import { remainingOf } from '../trace/remaining.ts';
import { describe, type Finding, failing, groupBy, proofOf } from './parts.ts';
import { type Answered, isPlain, type View } from './view.ts';

const WINDOW_US = WINDOW_S * 1e6;

/** So many refusals, all alike, are no accident of one request. */
const IN_A_ROW = 3;

/**
 * STATUS-429 where a target refuses with another status: again and again on one budget, or whenever one operation is
 * over the limit. Empty if it does not.
 */
export function refusedOtherwise(view: View, kind: Kind): Finding[] {
  const plain = (each: Answered): boolean => isCharged(each, kind) && isPlain(each);
  const odd = view.answers.some((each) => plain(each) && each.status !== 429 && !isSuccess(each.status));
  if (!odd) return [];
  const budgets = [...groupBy(view.answers.filter(plain), (each) => each.key).values()];
  const inARow = budgets.flatMap((budget) => refusedOnBudget(view, budget, kind) ?? []);
  return inARow.length > 0 ? inARow : refusedByOperation(view, budgets, kind);
}

/** An answer while nothing was left, and the refusal that shows this. */
interface WhileSpent {
  readonly refusal: Answered;
  readonly each: Answered;
}

/**
 * The operations, with the key in one header, of which no request was answered 429, and several had another status that
 * they only have while nothing is left. Between these, other requests may have succeeded.
 */
function refusedByOperation(view: View, budgets: readonly (readonly Answered[])[], kind: Kind): Finding[] {
  const charged = view.answers.filter((each) => isCharged(each, kind));
  const requests = groupBy(charged, (each) => each.key);
  const right = new Set(charged.filter(({ status }) => status === 429).map(wayOf));
  const succeeded = new Set(charged.filter((each) => isPlain(each) && isSuccess(each.status)).map(wayOf));
  const spent = new Map<string, WhileSpent[]>();
  const within = new Set<string>();
  for (const budget of budgets) {
    const sent = timesOf(requests.get(budget[0]?.key ?? null) ?? []);
    const refusals = budget.filter(({ status }) => status === 429);
    const nearest = refusalsNear(
      refusals,
      budget.filter(({ status }) => isSuccess(status)),
    );
    for (const each of budget) {
      if (isSuccess(each.status) || each.status === 429) continue;
      const answer = `${wayOf(each)} ${each.status}`;
      const refusal = nearest(each);
      const isKnown = succeeded.has(wayOf(each)) && !view.isDisturbed(each);
      if (!mayBeSpent(each, sent)) within.add(answer);
      else if (refusal && isKnown && leavesNone(refusal, each)) {
        const known = spent.get(answer);
        if (known) known.push({ refusal, each });
        else spent.set(answer, [{ refusal, each }]);
      }
    }
  }
  return [...spent].flatMap(([answer, all]) => {
    const [first, ...others] = all;
    if (!first || all.length < IN_A_ROW || within.has(answer) || right.has(wayOf(first.each))) return [];
    // The refusals of one budget say nothing of another one.
    const alike = others.filter(({ each }) => each.key === first.each.key).map(({ each }) => each);
    return [otherStatus(view, kind, LIMITS[kind], first.refusal, [first.each, ...alike], all.length)];
  });
}

/**
 * Finds the refusal before or after a request of the same budget, if no other request succeeded between the two.
 *
 * @param refusals in order of sending, as the successes are
 */
function refusalsNear(refusals: readonly Answered[], successes: readonly Answered[]) {
  const refused = timesOf(refusals);
  const succeeded = timesOf(successes);
  return ({ sent, answered }: Answered): Answered | null => {
    const [before, after] = [upTo(refused, answered), upTo(succeeded, sent)];
    const earlier = refusals[before - 1];
    if (earlier && (succeeded[after - 1] ?? Number.NEGATIVE_INFINITY) <= earlier.answered) return earlier;
    const later = refusals[before];
    return later && later.sent < (succeeded[after] ?? Number.POSITIVE_INFINITY) ? later : null;
  };
}

/** Whether a refusal shows that nothing was left for a request: it came before, or else this one says so, too. */
function leavesNone(refusal: Answered, each: Answered): boolean {
  return refusal.answered <= each.sent || remainingOf(each.headers) === 0;
}

function timesOf(requests: readonly Answered[]): Float64Array {
  return Float64Array.from(requests, ({ sent }) => sent);
}

/**
 * Whether at least a limit of requests on the same budget were sent in the two minutes before an answer: a sliding
 * counter counts both.
 *
 * @param sent when those of the budget were sent, in order
 */
function mayBeSpent({ kind, answered }: Answered, sent: Float64Array): boolean {
  const first = sent[upTo(sent, answered) - LIMITS[kind]];
  return first !== undefined && first >= answered - 2 * WINDOW_US;
}

/**
 * An operation with the key in one header. What succeeded with the key in one may not be accepted with it in the other,
 * and what reads the other may refuse in another way.
 */
function wayOf({ operation, credential }: Answered): string {
  return `${operation} ${credential}`;
}

/**
 * A success shows that something was left. A 429 to another operation, which others may refuse in another way, does
 * not.
 */
function refusedOnBudget(view: View, budget: readonly Answered[], kind: Kind): Finding | null {
  const limit = LIMITS[kind];
  const successes: Answered[] = [];
  const succeeded = new Set<string>();
  /** What was answered in another way since the last success, by its operation and header. */
  const runs = new Map<string, Answered[]>();
  /** The first 429 since the last success. */
  let refusal: Answered | null = null;
  for (const each of budget) {
    const way = wayOf(each);
    if (isSuccess(each.status)) {
      runs.clear();
      refusal = null;
      successes.push(each);
      succeeded.add(wayOf(each));
      continue;
    }
    if (each.status === 429) {
      runs.delete(way);
      refusal ??= each;
      continue;
    }
    const run = runs.get(way) ?? [];
    const [first] = run;
    const isSpent = (refusal !== null && refusal.answered <= each.sent) || spentBefore(successes, each, limit);
    const follows = first ? first.status === each.status : succeeded.has(wayOf(each)) && isSpent;
    if (follows && !view.isDisturbed(each)) runs.set(way, [...run, each]);
    const [start, ...others] = runs.get(way) ?? [];
    const last = refusal ?? successes.at(-1);
    if (start && last && others.length + 1 >= IN_A_ROW) return otherStatus(view, kind, limit, last, [start, ...others]);
  }
  return null;
}

/** Whether at least a limit of successes fell within the minute before this request. */
function spentBefore(successes: readonly Answered[], request: Exchange, limit: number): boolean {
  const first = successes.at(-limit);
  return (
    first !== undefined &&
    first.sent >= request.sent - WINDOW_US &&
    successes.slice(-limit).every((each) => each.answered <= request.sent)
  );
}

/**
 * @param last the refusal, or the last success, that shows that nothing was left
 * @param run such answers on the same budget
 * @param all how many there are on all budgets
 */
function otherStatus(
  view: View,
  kind: Kind,
  limit: number,
  last: Answered,
  run: readonly [Answered, ...(readonly Answered[])],
  all = run.length,
): Finding {
  const [start] = run;
  const some = last.status === 429 ? (concerned(view, kind, start) ?? `requests of ${start.operation}`) : null;
  return failing(
    kind,
    all,
    (names) => `over the limit, ${some ?? `${names} operations`} are answered ${start.status}, not 429`,
    [
      proofOf({
        part: kind,
        expected: '429',
        received: String(start.status),
        evidence: [last, ...run],
        argument: [
          last.status === 429
            ? `${describe(last)} was answered 429: nothing was left.`
            : `${describe(last)} succeeded, the last of at least ${limit} successes within one minute.`,
          `From #${start.seq} on, ${all} valid requests of ${start.operation} were answered ${start.status}: over the limit the status must be 429 (clause 8.1).`,
        ],
      }),
    ],
  );
}

/**
 * Which requests are refused like this one, if not those of its operation alone: all with the key in its header, if
 * those with it in the other one are refused with 429; or those of several operations of which none is. Null if the
 * answers with nothing left do not tell.
 */
function concerned(view: View, kind: Kind, { status, operation, credential }: Answered): string | null {
  // Most answers over the limit are those of bursts, each on a connection of its own.
  const refused = view.answers.filter(
    (each) => isCharged(each, kind) && isPlain({ ...each, variation: null }) && remainingOf(each.headers) === 0,
  );
  const alike = refused.filter((each) => each.status === status);
  const right = refused.filter((each) => each.status === 429);
  const operations = [...new Set(alike.flatMap((each) => each.operation ?? []))].sort();
  const isByHeader = alike.every((each) => each.credential === credential);
  const isSeenBeside = operations.length > 1 || right.some((each) => each.operation === operation);
  if (isByHeader && isSeenBeside && right.length > 0 && right.every((each) => each.credential !== credential))
    return `${kind}s with the key by ${wayText(credential)}`;
  const areApart = right.every((each) => !operations.includes(each.operation ?? ''));
  return operations.length > 1 && areApart ? `requests of ${listed(operations)}` : null;
}

/** Whether a request draws on a budget of this kind. */
export function isCharged(each: Answered, kind: Kind): boolean {
  return each.kind === kind && budgetKey(each) !== null;
}
