import { WINDOW_S } from '../catalogue/limits.ts';
import { budgetKey, type Exchange } from '../trace/exchange.ts';

/** Requests to send again, in order. */
export interface Sequence {
  readonly steps: readonly Step[];
  /** Whether they go out at their recorded moments, since what was counted before matters; else one after the other. */
  readonly paced: boolean;
  /** µs from the first request to the last, at the recorded pace; 0 where the pace does not matter. */
  readonly length: number;
}

/** Requests that were sent at once; mostly one. */
export interface Step {
  /** µs from the first request of the sequence. */
  readonly at: number;
  readonly exchanges: readonly Exchange[];
}

/** Requirements on what is counted: an answer shows them only after those before it. */
const ON_COUNTING = /^(LIMIT-|HDR-[4578]$|STATUS-429$)/;

const WINDOW_US = WINDOW_S * 1e6;

/** A window that opened with the first request has ended, and what is asked at its end (up to 1.6 s later) was asked. */
const FIRST_WINDOW_US = WINDOW_US + 2e6;

/** A proof as far as a sequence needs it: the requests that prove a failure, in order of sending. */
export interface Evidence {
  readonly evidence: readonly Exchange[];
}

/**
 * Sequences that may show a failure, the shortest first. Where the answer stands for itself, its evidence comes first, and the same after
 * a success of the same key. Where it hangs on what
 * was counted before: all that was sent on the same budgets since they were last untouched for a whole window, since nothing is left
 * of what came before; up to the last of the evidence, then to where the first window has ended too, then to the end of the run.
 *
 * @param exchanges of the whole run, in order of sending
 * @returns empty where no proof has a request
 */
export function sequencesOf(
  id: string,
  proofs: readonly Evidence[],
  exchanges: readonly Exchange[],
): readonly Sequence[] {
  const told = proofs.filter(({ evidence }) => evidence.length > 0);
  const standing = told
    .filter(({ evidence }) => !hangsOnHistory(id, evidence, exchanges))
    .flatMap(({ evidence }) => [evidence, [...acquaintance(evidence, exchanges), ...evidence]])
    .map((evidence) => ({ steps: inSteps(evidence.filter(isSentAgain), false), paced: false, length: 0 }));
  const histories = [0, FIRST_WINDOW_US, Number.POSITIVE_INFINITY].flatMap((least) =>
    told.map(({ evidence }) => paced(historyOf(evidence, exchanges, least))).toSorted((a, b) => a.length - b.length),
  );
  return [...standing, ...histories].filter(({ steps }) => steps.length > 0);
}

/** A success of the key that the last of the evidence presents: without one, what it is refused may say no more than that it is no key. */
function acquaintance(evidence: readonly Exchange[], exchanges: readonly Exchange[]): readonly Exchange[] {
  const key = evidence.at(-1)?.key ?? null;
  const success = exchanges.find((each) => each.key === key && each.status === 200 && each.step !== 'prepare');
  return key === null || success === undefined ? [] : [success];
}

function paced(steps: readonly Step[]): Sequence {
  return { steps, paced: true, length: steps.at(-1)?.at ?? 0 };
}

/** The shortest beginning of a sequence that still fails: what a history contradicts, a longer one contradicts too. */
export function shortened(sequence: Sequence, fails: (part: Sequence) => boolean): Sequence {
  let [passes, least] = [0, sequence.steps.length];
  while (least - passes > 1) {
    const middle = Math.floor((passes + least) / 2);
    if (fails(paced(sequence.steps.slice(0, middle)))) least = middle;
    else passes = middle;
  }
  return paced(sequence.steps.slice(0, least));
}

/** Whether a sequence was answered as it was recorded: as often with each status on each key, in each of its parts. */
export function sameAnswers({ steps }: Sequence, answers: readonly Exchange[]): boolean {
  const told = (exchanges: readonly Exchange[]): string =>
    exchanges
      .filter(isSentAgain)
      .map(({ experiment, step, key, kind, status }) => [experiment, step, key, kind, status].join(' '))
      .sort()
      .join();
  return told(steps.flatMap((step) => step.exchanges)) === told(answers);
}

/** Whether the answer that contradicts was given to what was answered otherwise elsewhere, or is a refusal, or the failure is one of counting. */
function hangsOnHistory(id: string, evidence: readonly Exchange[], exchanges: readonly Exchange[]): boolean {
  const last = evidence.at(-1);
  if (last === undefined) return false;
  if (ON_COUNTING.test(id) || last.status === 429) return true;
  return exchanges.some((each) => isAlike(each, last) && each.status !== 429 && outcomeOf(each) !== outcomeOf(last));
}

function isAlike(a: Exchange, b: Exchange): boolean {
  const fields = ['operation', 'method', 'target', 'fault', 'credential', 'variation', 'key'] as const;
  return a.status !== null && fields.every((name) => a[name] === b[name]);
}

function outcomeOf({ status, headers }: Exchange): string {
  return `${status} ${headers.limit} ${headers.remaining.length} ${headers.reset.length}`;
}

/** @param least µs that it lasts at least, if the run did */
function historyOf(evidence: readonly Exchange[], exchanges: readonly Exchange[], least: number): readonly Step[] {
  const seqs = new Set(evidence.map(({ seq }) => seq));
  const budgets = new Set(evidence.map(budgetOf));
  const own = exchanges.filter((each) => isSentAgain(each) && budgets.has(budgetOf(each)));
  const proves = ({ seq }: Exchange): boolean => seqs.has(seq);
  const first = own.findIndex(proves);
  // Nothing is left of what was counted before a whole window of silence.
  const start = own.findLastIndex(
    (each, index) => index <= first && (index === 0 || each.sent - (own[index - 1]?.sent ?? 0) > WINDOW_US),
  );
  const steps = inSteps(own.slice(Math.max(0, start)), true);
  const last = steps.findLastIndex((step) => step.exchanges.some(proves));
  return steps.filter((step, index) => index <= last || step.at <= least);
}

/** The budget that a request draws on. */
function budgetOf(exchange: Exchange): string {
  return `${budgetKey(exchange) ?? 'none'} ${exchange.kind}`;
}

/** What prepares a request is made anew with it, and what removes things comes after all. */
function isSentAgain({ step, experiment }: Exchange): boolean {
  return step !== 'prepare' && experiment !== 'clean-up';
}

/** @param together whether what was sent before the one before it was answered is sent at once again */
function inSteps(exchanges: readonly Exchange[], together: boolean): readonly Step[] {
  const steps: { at: number; exchanges: Exchange[] }[] = [];
  const origin = exchanges[0]?.sent ?? 0;
  let answered = 0;
  for (const exchange of exchanges) {
    const last = steps.at(-1);
    const [before] = last?.exchanges ?? [];
    const alike = before?.experiment === exchange.experiment && before.step === exchange.step;
    if (together && last && alike && exchange.sent < answered) last.exchanges.push(exchange);
    else steps.push({ at: exchange.sent - origin, exchanges: [exchange] });
    answered = Math.max(answered, exchange.answered ?? exchange.sent);
  }
  return steps;
}
