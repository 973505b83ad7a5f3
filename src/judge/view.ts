import type { RequirementId } from '../catalogue/requirement.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';

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
   * The good request that a faulty one differs from in one thing, if it has succeeded anywhere in the run: in the key alone where
   * the key is at fault, else with the key in the same header.
   */
  control(probe: Exchange): Exchange | null;
  /** Statuses that no conforming request gets, and that good requests got in this run: no sign of what is wrong with another request. */
  readonly strays: ReadonlySet<number>;
  /** Why the plan left out experiments that this requirement needs; null where it left out none. */
  omission(id: RequirementId): string | null;
}

export type Answered = Exchange & { readonly status: number; readonly answered: number };

/** Indexes a trace for the judges: one pass, and a sort only where the lines are out of order. */
export function viewOf(trace: Trace): View {
  const exchanges = inOrder(trace.exchanges);
  const answers: Answered[] = [];
  const controls = new Map<string, Exchange>();
  const strays = new Set<number>();
  for (const exchange of exchanges) {
    if (!isAnswered(exchange) || !isOfProfile(exchange)) continue;
    answers.push(exchange);
    const tie = tieOf(exchange);
    if (!isPlain(exchange)) continue;
    if (exchange.status >= 500 || !STATUSES.includes(exchange.status)) strays.add(exchange.status);
    if (!isSuccess(exchange.status)) continue;
    for (const name of [tie, `${tie} ${exchange.credential}`]) {
      if (!controls.has(name)) controls.set(name, exchange);
    }
  }
  return {
    trace,
    exchanges,
    answers,
    strays,
    control: (probe) => {
      const badKey = probe.fault === 'no-key' || probe.fault === 'bad-key';
      return controls.get(badKey ? tieOf(probe) : `${tieOf(probe)} ${probe.credential}`) ?? null;
    },
    omission: (id) =>
      trace.header.experiments.find((each) => each.omitted !== null && each.requirements.includes(id))?.omitted ?? null,
  };
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

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Later of two requests last; requests sent at the same time in the order in which they were made ready. */
export function bySent(a: Exchange, b: Exchange): number {
  return a.sent - b.sent || a.seq - b.seq;
}

function inOrder(exchanges: readonly Exchange[]): readonly Exchange[] {
  const sorted = exchanges.every((each, index) => {
    const before = exchanges[index - 1];
    return before === undefined || bySent(before, each) <= 0;
  });
  return sorted ? exchanges : [...exchanges].sort(bySent);
}

function tieOf(exchange: Exchange): string {
  return exchange.pair === null ? `operation ${exchange.operation}` : `pair ${exchange.pair}`;
}
