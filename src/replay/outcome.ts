import { WINDOW_S } from '../catalogue/limits.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { isOfLimits } from '../judge/shown.ts';
import { capital, plural } from '../report/wording.ts';
import type { Exchange } from '../trace/exchange.ts';
import { remainingOf } from '../trace/remaining.ts';
import type { Trace } from '../trace/trace.ts';
import { answersText } from './answers-text.ts';
import { firstEnd, isOfOneWindow } from './marked-windows.ts';
import { spentNone } from './refused-ways.ts';
import { isSentAsItWas, requestsOf, type Sequence, sameAnswers } from './sequence.ts';
import { shows, verdictOn } from './shows.ts';
import { perhapsUsed, usedBefore } from './used-before.ts';

/** The result of sending the sequence of a failure again. */
export interface Outcome {
  /** 1: it still fails; 0: it no longer shows; 3: these answers do not decide. */
  readonly exitCode: 0 | 1 | 3;
  readonly text: string;
  /** Whether it was stopped before all was sent. */
  readonly isInterrupted?: true;
  /** A key that may have been used in the minute before: what it answered decides nothing, and in a minute it will. */
  readonly used?: string;
}

/** What is known besides the answers to a sequence. */
interface Known {
  /** µs of the run's clock: earlier requests only served to learn when a window ends. */
  readonly began?: number;
  /** What the run said of the requirement. */
  readonly summary?: string;
  /** Whether a minute passed since the replay started, so that no use before it is left in any budget. */
  readonly isFull?: boolean;
}

/**
 * What the outcomes for all failures of a run say together: the requirement no longer fails only if none of them shows
 * again.
 *
 * @param outcomes in the order of sending, up to the first failure that shows again; null: its requests were not sent,
 *   to save time
 */
export function conclusion(id: RequirementId, outcomes: readonly (Outcome | null)[]): Outcome {
  const known = outcomes.filter((each) => each !== null);
  const decided = known.find((each) => each.exitCode === 1 || each.isInterrupted);
  if (decided) return decided;
  const undecided = outcomes.find((each) => each?.exitCode !== 0);
  if (undecided === undefined && outcomes[0]) return outcomes[0];
  const mended = known.filter(({ exitCode }) => exitCode === 0).length;
  const others =
    mended === 0 ? '' : ` Of the ${outcomes.length} ways in which the run showed it, ${mended} no longer do.`;
  const { text } = undecided ?? open(id, 'the requests that show it take more than a minute. Run certify.');
  return { exitCode: 3, text: `${text}${others}` };
}

/**
 * What the answers to a sequence show. The judge allows for use of the keys before. What only contradicts deployments
 * with full budgets shows nothing while a budget may have been used before the replay, and such use may also hide a
 * failure.
 */
export function outcomeOf(id: RequirementId, sequence: Sequence, trace: Trace, known: Known = {}): Outcome {
  const { began = 0, summary = '', isFull = true } = known;
  const exchanges = trace.exchanges.filter(({ sent }) => sent >= began);
  if (exchanges.length === 0) return open(id, 'nothing was sent.');
  const verdict = verdictOn(id, exchanges, trace, true);
  if (verdict?.verdict === 'fail') {
    return still(
      id,
      isAsNamed(verdict.summary, summary) ? `${CONTRADICTED}.${asBefore(summary)}` : verdict.summary,
      verdict.proofs.find(({ evidence }) => evidence.length > 0)?.evidence ?? exchanges,
    );
  }
  if (trace.footer?.outcome !== 'complete') return { ...open(id, 'the replay was interrupted.'), isInterrupted: true };
  const recorded = requestsOf(sequence);
  if (sequence.pace !== 'single') {
    const perhaps = isFull ? null : perhapsUsed(exchanges, recorded);
    const used = perhaps ?? usedBefore(exchanges, recorded);
    if (used !== null) {
      const why = `somebody else used ${used}, or it was used in the minute before. Do not use it for anything else meanwhile.`;
      return { ...open(id, why), ...(perhaps !== null && { used: perhaps }) };
    }
  }
  if (!sequence.shows && sameAnswers(sequence, exchanges))
    return still(id, `Every answer has the same status as before.${asBefore(summary)}`, exchanges);
  if (sequence.shows && shows(id, exchanges, trace)) {
    return still(id, `${CONTRADICTED}, if nobody else used the keys.${asBefore(summary)}`, exchanges);
  }
  if (sequence.pace === 'single' && isRefusedInstead(exchanges, sequence)) {
    return open(id, 'the budget of a key was used up. Run replay again in a minute.');
  }
  if (sequence.pace === 'at once' && !isOfOneWindow(exchanges, trace.header.epoch)) {
    return open(id, 'a window ended between them. Run replay again.');
  }
  if (!sequence.shows || exchanges.some(({ failure }) => failure !== null)) {
    return open(id, verdict?.verdict === 'inconclusive' ? verdict.summary : 'run certify.');
  }
  if (!sequence.isCertain) return open(id, recorded.every(isSentAsItWas) ? NOW_AND_THEN : WITHHELD);
  if (id === 'HDR-5' && exchanges.some(isRefusedWithSomeLeft))
    return open(id, 'the deployment still refuses some with budget left.');
  if (id === 'HDR-7' && isAsFarAhead(exchanges, sequence, trace.header.epoch))
    return open(
      id,
      'the first X-RateLimit-Reset still lies as far ahead, but clocks that tick in seconds may excuse it. Run replay again.',
    );
  if (!isOfLimits(id) && spentNone(id, exchanges, sequence))
    return open(id, 'not all that was refused in the run was refused again. Run certify.');
  if (sequence.untried !== undefined) {
    const why = `It no longer fails on these requests. ${plural(sequence.untried, 'further way')} in which the run showed it ${sequence.untried === 1 ? 'was' : 'were'} not tried, because no budget is left for it. Run certify.`;
    return open(id, why);
  }
  return { exitCode: 0, text: `${id} no longer fails on these requests. Run certify to see whether it passes.` };
}

/** With few requests, budget that comes back meanwhile may excuse this. */
function isRefusedWithSomeLeft({ status, headers }: Exchange): boolean {
  return status === 429 && (remainingOf(headers) ?? 0) > 0;
}

/**
 * Whether a first marker that was more than a window ahead still is: how much of it the ticks of clocks excuse depends
 * on the moment.
 */
function isAsFarAhead(exchanges: readonly Exchange[], { window }: Sequence, epoch: number): boolean {
  const end = firstEnd(exchanges.slice(0, 1), epoch);
  if (window === null || end === null || window < WINDOW_US + TICK_US) return false;
  return end - (exchanges[0]?.sent ?? 0) > window - TICK_US;
}

const WINDOW_US = WINDOW_S * 1e6;
const TICK_US = 1_000_000;

const NOW_AND_THEN =
  'the run does not show whether such requests show the failure each time: others like them did not, or there were none. Run certify.';

const WITHHELD = 'the recording does not contain these requests completely. Run certify.';

const CONTRADICTED = 'No conforming deployment gives these answers';

/**
 * Whether what was named now is what the run named, but for its numbers and the kind of requests. A whole run tells
 * both, and the few answers of a replay may leave them open.
 */
function isAsNamed(now: string, then: string): boolean {
  const plain = (text: string): string =>
    text
      .replace(/\.$/, '')
      .replace(/ on (reads|writes)$| \((reads|writes) only\)$/, '')
      .replace(/\d+(\.\d+)?/g, '#');
  return now !== then && /\d/.test(now) && plain(now) === plain(then);
}

/** What the run named as the cause: the same answers have the same one. */
function asBefore(summary: string): string {
  return summary === '' ? '' : ` The run said: ${sentence(summary)}`;
}

/**
 * Whether a key had nothing left for a request that was not refused in the run: then its answer says nothing about it.
 */
function isRefusedInstead(exchanges: readonly Exchange[], sequence: Sequence): boolean {
  const refused = (all: readonly Exchange[]): boolean => all.some(({ status }) => status === 429);
  return refused(exchanges) && !refused(requestsOf(sequence));
}

/** @param shown the answers that show it */
function still(id: RequirementId, why: string, shown: readonly Exchange[]): Outcome {
  return { exitCode: 1, text: `${id} still fails: ${sentence(why)}\n${answersText(shown)}` };
}

function open(id: RequirementId, why: string): Outcome {
  return { exitCode: 3, text: `These answers do not show whether ${id} still fails. ${capital(why)}` };
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
