import type { RequirementId } from '../catalogue/requirement.ts';
import { type Exchange, hasNoAcceptedKey, isSuccess } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import { type Situations, situationsOf } from './situations.ts';
import { limitsWithoutKey, spentBudgets } from './spent.ts';
import { disturbances } from './standing.ts';
import type { Opinion } from './verdict.ts';

/** The statuses of the table in clause 7. */
export const STATUSES: readonly number[] = [200, 400, 401, 403, 404, 429, 500];

/** Variations that make of an operation something else: another path or method, of which clause 7 says nothing. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'outside-prefix',
  'unknown-path',
  'head',
  'options',
  'path-case',
  'trailing-slash',
]);

/** What every judge of this folder sees of a trace. */
export interface View {
  readonly trace: Trace;
  /** All exchanges in order of `sent`. */
  readonly exchanges: readonly Exchange[];
  /** Those answered to an operation of the profile: what the specification speaks of. */
  readonly answers: readonly Answered[];
  /**
   * The good request that a faulty one differs from in one thing, if it has succeeded anywhere in the run: in the key
   * alone where the key is at fault, else with the key in the same header.
   */
  control(probe: Exchange): Exchange | null;
  /** Whether any good request succeeded: of a target that accepts nothing, what it refuses shows nothing. */
  readonly accepts: boolean;
  /**
   * Statuses that no conforming request gets, and that good requests got in this run: no sign of what is wrong with
   * another request.
   */
  readonly strays: ReadonlySet<number>;
  /**
   * Whether another request may have caused this answer, by changing what was asked for: then it is compared with none.
   */
  isDisturbed(exchange: Exchange): boolean;
  /**
   * Whether its key had a whole limit of successes within the minute before: it may be over the limit, whatever else is
   * wrong with it.
   */
  mayBeOverLimit(exchange: Exchange): boolean;
  /** Whether a whole limit of requests without an accepted key was sent within the minute up to this one. */
  mayBeOverLimitWithoutKey(exchange: Exchange): boolean;
  /** What requests may have found, beside what they ask for. */
  readonly situations: Situations;
  /** Why the plan left out experiments that this requirement needs; null where it left out none. */
  omission(id: RequirementId): string | null;
}

/**
 * Gives opinions on some requirements. It is asked only where one of them is selected, so a load run pays for no other.
 */
export interface AnswerJudge {
  readonly ids: readonly RequirementId[];
  /** @param limits what the window oracle says */
  judge(view: View, limits: readonly Opinion[]): readonly Opinion[];
}

export type Answered = Exchange & { readonly status: number; readonly answered: number };

/** The first good requests of one tie that succeeded: of all, with the key in each header, and with each key in it. */
interface Controls {
  readonly first: Exchange;
  readonly ways: Map<string, Exchange>;
  readonly keys: Map<string, Exchange>;
}

/** Indexes a trace for the judges: one pass, and a sort only where the lines are out of order. */
export function viewOf(trace: Trace): View {
  const exchanges = inOrder(trace.exchanges);
  const isAnswer = (each: Exchange): each is Answered => isAnswered(each) && isOfProfile(each);
  const answers = exchanges.every(isAnswer) ? exchanges : exchanges.filter(isAnswer);
  const byPair = new Map<string | null, Controls>();
  const byOperation = new Map<string | null, Controls>();
  const tieOf = ({ pair, operation }: Exchange) =>
    pair === null ? ([byOperation, operation] as const) : ([byPair, pair] as const);
  const strays = new Set<number>();
  for (const exchange of answers) {
    if (!isPlain(exchange)) continue;
    const isStray = exchange.status === 401 || exchange.status >= 500 || !STATUSES.includes(exchange.status);
    if (isStray) strays.add(exchange.status);
    if (!isSuccess(exchange.status) || exchange.truncated) continue;
    const [controls, tie] = tieOf(exchange);
    const known = controls.get(tie);
    const { first, ways, keys } = known ?? { first: exchange, ways: new Map(), keys: new Map() };
    if (!known) controls.set(tie, { first, ways, keys });
    if (!ways.has(exchange.credential)) ways.set(exchange.credential, exchange);
    if (!keys.has(sameKey(exchange))) keys.set(sameKey(exchange), exchange);
  }
  return {
    trace,
    exchanges,
    answers,
    strays,
    accepts: byPair.size + byOperation.size > 0 || (trace.condensed?.keys.size ?? 0) > 0,
    control: (probe) => {
      const [controls, tie] = tieOf(probe);
      const known = controls.get(tie);
      if (!known) return null;
      const { first, ways, keys } = known;
      const own = keys.get(sameKey(probe));
      const inTheSameWay = ways.get(probe.credential);
      if (!hasNoAcceptedKey(probe)) return own ?? inTheSameWay ?? null;
      // A key under another scheme differs least from the same key under Bearer.
      return own ?? keys.get(`bearer ${probe.key}`) ?? inTheSameWay ?? first;
    },
    isDisturbed: disturbances(trace, exchanges),
    situations: situationsOf(exchanges),
    mayBeOverLimit: spentBudgets(answers),
    mayBeOverLimitWithoutKey: limitsWithoutKey(exchanges),
    omission: (id) =>
      trace.header.experiments.find((each) => each.omitted !== null && each.requirements.includes(id))?.omitted ?? null,
  };
}

function sameKey({ key, credential }: Exchange): string {
  return `${credential} ${key}`;
}

export function isAnswered(exchange: Exchange): exchange is Answered {
  return exchange.status !== null && exchange.answered !== null;
}

/** Whether it asks for an operation that the profile names; unknown paths and methods are only observed. */
export function isOfProfile(exchange: Exchange): boolean {
  return exchange.operation !== null && (exchange.variation === null || !ELSEWHERE.has(exchange.variation));
}

/** A request with nothing wrong and nothing odd about it, with a full key. */
export function isPlain(exchange: Exchange): boolean {
  return (
    exchange.fault === 'none' &&
    exchange.variation === null &&
    exchange.key !== null &&
    exchange.key !== 'restricted' &&
    exchange.key !== 'revoked'
  );
}

/** Later of two requests last; requests sent at the same time in the order in which they were made ready. */
export function bySent(a: Exchange, b: Exchange): number {
  return a.sent - b.sent || a.seq - b.seq;
}

/** In the order of sending. */
export function inOrder(exchanges: readonly Exchange[]): readonly Exchange[] {
  const sorted = exchanges.every((each, index) => {
    const before = exchanges[index - 1];
    return before === undefined || bySent(before, each) <= 0;
  });
  return sorted ? exchanges : [...exchanges].sort(bySent);
}
