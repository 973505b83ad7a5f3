import { LIMITS, WINDOW_S } from '../catalogue/limits.ts';
import { upTo } from '../oracle/counts.ts';
import { condensedCount } from '../trace/condensed.ts';
import { budgetKey, type Exchange, isSuccess, type Kind } from '../trace/exchange.ts';
import { remainingOf } from '../trace/remaining.ts';
import { judgeBrokenOff } from './broken-off.ts';
import { combine, count, describe, type Finding, failing, groupBy, proofOf } from './parts.ts';
import { unfinished } from './progress.ts';
import { toCertify } from './to-succeed.ts';
import type { Opinion } from './verdict.ts';
import { type Answered, isPlain, type View } from './view.ts';

const KINDS: readonly Kind[] = ['read', 'write'];
const WINDOW_US = WINDOW_S * 1e6;

/** So many refusals in a row, all alike, are no accident of one request. */
const IN_A_ROW = 3;

/**
 * STATUS-429: a request over the limit answers 429. That the limit stands where it should is the window oracle's to judge; here it is
 * only asked with which status a target refuses: 429, or, once a whole limit of requests has succeeded within a minute or another operation was
 * refused, another one again and again for the very operation that had succeeded, or none at all (broken-off.ts).
 */
export function judgeOverLimit(view: View, limits: readonly Opinion[]): Opinion {
  const { condensed } = view.trace;
  // In a run that ended early, a refusal may have been under way, or yet to come.
  const neverRefused =
    unfinished(view.trace, 'STATUS-429') === null &&
    condensedCount(condensed, ['refused']) === 0 &&
    view.answers.every((each) => each.status !== 429 || budgetKey(each) === null);
  const findings = KINDS.flatMap((kind): Finding[] => {
    const seen = count(view.answers, (each) => isCharged(each, kind) && each.status === 429);
    const refusals = seen + condensedCount(condensed, ['refused'], [kind]);
    const first = refusedOtherwise(view, kind)[0] ?? judgeBrokenOff(view, kind);
    if (first) return [first];
    const passed = neverRefused ? letThrough(view, kind, limits) : null;
    if (passed) return [passed];
    return refusals > 0 ? [{ name: kind, verdict: 'pass', witnesses: refusals, summary: `429 on ${refusals}` }] : [];
  });
  if (findings.length > 0) return combine('STATUS-429', findings, 'every refusal over the limit was a 429');
  return KINDS.some((kind) => exceeds(view, kind)) ? undecided(view) : spentNone(view);
}

/** More requests succeeded in the run than a limit allows in one window, and none was answered 429. */
function undecided(view: View): Opinion {
  const silent = count(view.exchanges, ({ failure }) => failure !== null && failure !== 'aborted');
  const open = { id: 'STATUS-429', verdict: 'inconclusive' } as const;
  if (silent === 0) {
    return {
      ...open,
      summary: 'no request was answered 429, and it is open whether one was over a limit',
      remedy: 'see LIMIT-R and LIMIT-W',
    };
  }
  return {
    ...open,
    summary: `no request was answered 429, and ${silent} of ${view.exchanges.length} got no answer: the target may refuse so what is over a limit, or the network loses requests`,
    remedy:
      'if the target closes connections over a limit, let it answer 429; else run again over a network that loses nothing, with four keys',
  };
}

function spentNone(view: View): Opinion {
  return {
    id: 'STATUS-429',
    verdict: 'not tested',
    summary: 'the run spent no budget',
    remedy: view.omission('STATUS-429') ?? toCertify(view, 'run certify, which spends budgets'),
  };
}

function isCharged(each: Answered, kind: Kind): boolean {
  return each.kind === kind && budgetKey(each) !== null;
}

/** Whether more than a limit's number of requests succeeded on one key: in how many windows is not asked. */
function exceeds(view: View, kind: Kind): boolean {
  if (view.trace.condensed?.beyond.has(kind)) return true;
  const successes = new Map<string | null, number>();
  for (const each of view.answers) {
    if (!isCharged(each, kind) || !isSuccess(each.status)) continue;
    const known = (successes.get(each.key) ?? 0) + 1;
    if (known > LIMITS[kind]) return true;
    successes.set(each.key, known);
  }
  return false;
}

function letThrough(view: View, kind: Kind, limits: readonly Opinion[]): Finding | null {
  const threshold = limits.find((each) => each.id === (kind === 'read' ? 'LIMIT-R' : 'LIMIT-W'));
  if (threshold?.verdict !== 'fail' || !exceeds(view, kind)) return null;
  return failing(
    kind,
    count(view.answers, (each) => isCharged(each, kind)),
    () => `no ${kind} operation is answered 429, though more than ${LIMITS[kind]} were let through in a window`,
    (threshold.proofs ?? []).map((proof) => ({ ...proof, part: kind })),
  );
}

function refusedOtherwise(view: View, kind: Kind): Finding[] {
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
 * The operations of which no request was answered 429, and several had another status that they only have while nothing is left. Between
 * these, other requests may have succeeded.
 */
function refusedByOperation(view: View, budgets: readonly (readonly Answered[])[], kind: Kind): Finding[] {
  const charged = view.answers.filter((each) => isCharged(each, kind));
  const requests = groupBy(charged, (each) => each.key);
  const right = new Set(charged.filter(({ status }) => status === 429).map(({ operation }) => operation));
  const succeeded = new Set(charged.filter((each) => isPlain(each) && isSuccess(each.status)).map(wayOf));
  const spent = new Map<string, WhileSpent[]>();
  const within = new Set<string>();
  for (const budget of budgets) {
    const sent = timesOf(requests.get(budget[0]?.key ?? null) ?? []);
    const refusals = budget.filter(({ status }) => status === 429);
    const refused = timesOf(refusals);
    let last = Number.NEGATIVE_INFINITY;
    for (const each of budget) {
      if (isSuccess(each.status)) {
        last = each.sent;
      } else if (each.status !== 429) {
        const answer = `${each.operation} ${each.status}`;
        const refusal = refusals[upTo(refused, each.answered) - 1];
        const isKnown = succeeded.has(wayOf(each)) && !view.isDisturbed(each);
        if (!mayBeSpent(each, sent)) within.add(answer);
        else if (refusal && isKnown && last <= refusal.answered && leavesNone(refusal, each))
          spent.set(answer, [...(spent.get(answer) ?? []), { refusal, each }]);
      }
    }
  }
  return [...spent].flatMap(([answer, all]) => {
    const [first, ...others] = all;
    if (!first || all.length < IN_A_ROW || within.has(answer) || right.has(first.each.operation)) return [];
    return [otherStatus(kind, LIMITS[kind], first.refusal, [first.each, ...others.map(({ each }) => each)])];
  });
}

/** Whether a refusal shows that nothing was left for a request: it came before, or both were under way and this one says so, too. */
function leavesNone(refusal: Answered, each: Answered): boolean {
  return refusal.answered <= each.sent || remainingOf(each.headers) === 0;
}

function timesOf(requests: readonly Answered[]): Float64Array {
  return Float64Array.from(requests, ({ sent }) => sent);
}

/**
 * Whether at least a limit of requests on the same budget were sent in the two minutes before an answer: a sliding counter counts both.
 *
 * @param sent when those of the budget were sent, in order
 */
function mayBeSpent({ kind, answered }: Answered, sent: Float64Array): boolean {
  const first = sent[upTo(sent, answered) - LIMITS[kind]];
  return first !== undefined && first >= answered - 2 * WINDOW_US;
}

/** A header may be one that is not accepted: what succeeded is the operation with its key in that one. */
function wayOf({ operation, credential }: Answered): string {
  return `${operation} ${credential}`;
}

/** A success shows that something was left. A 429 to another operation, which others may refuse in another way, does not. */
function refusedOnBudget(view: View, budget: readonly Answered[], kind: Kind): Finding | null {
  const limit = LIMITS[kind];
  const successes: Answered[] = [];
  const succeeded = new Set<string>();
  /** What was answered in another way since the last success, by its operation. */
  const runs = new Map<string, Answered[]>();
  /** The first 429 since the last success. */
  let refusal: Answered | null = null;
  for (const each of budget) {
    const operation = each.operation ?? '';
    if (isSuccess(each.status)) {
      runs.clear();
      refusal = null;
      successes.push(each);
      succeeded.add(wayOf(each));
      continue;
    }
    if (each.status === 429) {
      runs.delete(operation);
      refusal ??= each;
      continue;
    }
    const run = runs.get(operation) ?? [];
    const [first] = run;
    const isSpent = (refusal !== null && refusal.answered <= each.sent) || spentBefore(successes, each, limit);
    const follows = first ? first.status === each.status : succeeded.has(wayOf(each)) && isSpent;
    if (follows && !view.isDisturbed(each)) runs.set(operation, [...run, each]);
    const [start, ...others] = runs.get(operation) ?? [];
    const last = refusal ?? successes.at(-1);
    if (start && last && others.length + 1 >= IN_A_ROW) return otherStatus(kind, limit, last, [start, ...others]);
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

/** @param last the refusal, or the last success, that shows that nothing was left */
function otherStatus(
  kind: Kind,
  limit: number,
  last: Answered,
  run: readonly [Answered, ...(readonly Answered[])],
): Finding {
  const [start] = run;
  return failing(
    kind,
    run.length,
    (names) =>
      `over the limit, ${last.status === 429 ? `requests of ${start.operation}` : `${names} operations`} are answered ${start.status}, not 429`,
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
          `From #${start.seq} on, ${run.length} valid requests of ${start.operation} were answered ${start.status}: over the limit the status must be 429 (clause 8.1).`,
        ],
      }),
    ],
  );
}
