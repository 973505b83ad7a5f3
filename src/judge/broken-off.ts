import { LIMITS, WINDOW_S } from '../catalogue/limits.ts';
import { below } from '../oracle/ascending.ts';
import { condensedCount } from '../trace/condensed.ts';
import { budgetKey, type Exchange, isFullKey, isSuccess, type Kind } from '../trace/exchange.ts';
import { describe, type Finding, failing, groupBy, proofOf } from './parts.ts';
import { isAnswered, isPlain, type View } from './view.ts';

const WINDOW_US = WINDOW_S * 1e6;

/** µs by which less than a window is looked back: clocks may tick in whole seconds. */
const MARGIN_US = 1_000_000;

/**
 * µs for which a request without an answer is taken to have been under way, so that what left after it may have come
 * before it.
 */
const UNDER_WAY_US = 1_000_000;

/**
 * Chance refutes nobody: what a network that breaks off at random would do once in a million runs is no proof. Whatever
 * it does otherwise, most networks lose nothing in a whole run.
 */
const LEAST_CHANCE = 1e-6;

/** So many requests without an answer are shown in a proof. */
const SHOWN = 3;

/**
 * STATUS-429 where a target refuses by breaking off: no answer to requests over the limit, and an answer to all others.
 * Held against chance by Fisher's exact test: were a network to break off f requests at random, whatever its rate, all
 * of them would be among the n that came over the limit, of n + m in all, with a probability of C(n, f) / C(n + m, f).
 * Whether a request is over the limit is told from what was answered before it, never from what became of it. A network
 * may be out for a while: requests without an answer that follow one another, with no answered one between them, are
 * counted as one.
 */
export function judgeBrokenOff(view: View, kind: Kind): Finding | null {
  const failed = view.exchanges.filter((each) => each.failure !== null && each.failure !== 'aborted');
  if (!failed.some((each) => each.kind === kind && isPlain(each))) return null;
  const budgets = groupBy(
    view.exchanges.filter((each) => isFullKey(budgetKey(each)) && each.failure !== 'aborted'),
    (each) => `${each.kind} ${each.key}`,
  );
  const doubtful = new Set([...budgets.values()].flatMap(maybeOver));
  // Over the limit and to no others: one other request without an answer is enough to blame the network.
  if (failed.some((each) => !doubtful.has(each))) return null;
  const answered = view.exchanges.filter((each) => isAnswered(each) && !doubtful.has(each));
  const plain = [...budgets.values()].flatMap(overLimit).filter(isPlain);
  const silent = clustersOf(plain, view.exchanges);
  // Of those that are not kept, each refusal may have been over the limit; who was not under it is not known.
  const heard = plain.filter(isAnswered).length + condensedCount(view.trace.condensed, ['refused']);
  const own = silent.filter((each) => each.kind === kind);
  if (own.length === 0 || chanceOf(silent.length, silent.length + heard, answered.length) > LEAST_CHANCE) return null;
  return brokenOff(kind, own, view, answered.length);
}

/**
 * The requests of a budget that were sent when a whole limit of others had succeeded and been answered within a minute,
 * and since the last such request that was let through: then another window had begun.
 */
function overLimit(budget: readonly Exchange[]): readonly Exchange[] {
  const successes = budget.filter((each) => isPlain(each) && isAnswered(each) && isSuccess(each.status));
  const sends = Float64Array.from(successes, ({ sent }) => sent);
  const answers = Float64Array.from(successes.flatMap(({ answered }) => answered ?? [])).sort();
  let from = Number.NEGATIVE_INFINITY;
  return budget.filter((exchange) => {
    const { sent, kind } = exchange;
    const since = Math.max(from, sent - WINDOW_US + MARGIN_US);
    const isOver = below(answers, sent) - below(sends, since) >= LIMITS[kind];
    if (isOver && isPlain(exchange) && isAnswered(exchange) && isSuccess(exchange.status)) from = sent;
    return isOver;
  });
}

/**
 * Requests that may have been over the limit, with those that were under way meanwhile: whatever was sent may have been
 * counted.
 */
function maybeOver(budget: readonly Exchange[]): Exchange[] {
  const doubtful: Exchange[] = [];
  let group: Exchange[] = [];
  let end = Number.NEGATIVE_INFINITY;
  const sends = Float64Array.from(budget, ({ sent }) => sent);
  const close = (): void => {
    const [first] = group;
    const last = group.at(-1);
    if (first && last) {
      const sent = below(sends, last.sent + 1) - below(sends, first.sent - WINDOW_US - MARGIN_US);
      if (sent > LIMITS[first.kind]) doubtful.push(...group);
    }
    group = [];
  };
  for (const exchange of budget) {
    if (exchange.sent > end) close();
    group.push(exchange);
    end = Math.max(end, exchange.answered ?? exchange.sent + UNDER_WAY_US);
  }
  close();
  return doubtful;
}

/** The first of each row of requests without an answer, with no answered one between them. */
function clustersOf(over: readonly Exchange[], all: readonly Exchange[]): Exchange[] {
  const sends = Float64Array.from(all.filter(isAnswered), ({ sent }) => sent);
  const silent = over.filter((each) => !isAnswered(each)).sort((one, other) => one.sent - other.sent);
  const firsts: Exchange[] = [];
  for (const exchange of silent) {
    const last = firsts.at(-1);
    const isOther = last === undefined || below(sends, exchange.sent) > below(sends, last.sent + 1);
    if (isOther) firsts.push(exchange);
  }
  return firsts;
}

/** C(n, f) / C(n + m, f), the probability that f failures are all among n of n + m requests. */
function chanceOf(failures: number, among: number, others: number): number {
  let chance = 1;
  for (let index = 0; index < failures; index += 1) chance *= (among - index) / (among + others - index);
  return chance;
}

function brokenOff(kind: Kind, silent: readonly Exchange[], view: View, others: number): Finding {
  const shown = silent.slice(0, SHOWN);
  const [first] = shown;
  const last = shown.at(-1);
  const before = view.answers.findLast(
    (each) =>
      isPlain(each) &&
      isSuccess(each.status) &&
      each.kind === kind &&
      budgetKey(each) === first?.key &&
      each.answered <= (first?.sent ?? 0),
  );
  const meanwhile = view.exchanges.find(
    (each) => isAnswered(each) && each.sent > (first?.sent ?? 0) && each.sent < (last?.sent ?? 0),
  );
  const failures = [...new Set(silent.map((each) => each.failure))].join(', ');
  return failing(
    kind,
    silent.length,
    (names) => `over the limit, ${names} requests get no answer (${failures}) instead of 429`,
    [
      proofOf({
        part: kind,
        expected: '429',
        received: `no answer (${failures})`,
        count: silent.length,
        evidence: [...(before ? [before] : []), ...(meanwhile ? [meanwhile] : []), ...shown],
        argument: [
          ...(before
            ? [`${describe(before)} succeeded, the last of at least ${LIMITS[kind]} successes within one minute.`]
            : []),
          ...(first
            ? [`From #${first.seq} on, requests over the limit got no answer, at ${silent.length} different times.`]
            : []),
          ...(meanwhile
            ? [`Meanwhile ${describe(meanwhile)} was answered ${meanwhile.status}, so the target was reachable.`]
            : []),
          `All ${others} requests under the limit, or not subject to it, were answered. So it is the limiter that gives no answer, but over the limit the status must be 429 (clause 8.1).`,
        ],
      }),
    ],
  );
}
