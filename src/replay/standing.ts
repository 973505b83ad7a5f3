import type { RequirementId } from '../catalogue/requirement.ts';
import { isOfLimits } from '../judge/shown.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import { inSteps, isSentAsItWas, type Sequence } from './sequence.ts';
import { outcomeOf, wrongOf } from './shown-elsewhere.ts';
import { shows } from './shows.ts';

/** A proof as far as a sequence needs it: the requests that prove a failure, in order of sending. */
export interface Evidence {
  readonly evidence: readonly Exchange[];
}

/**
 * The sequence of a failure whose answer stands for itself: its evidence, or the same after a success of the same key; null where the answer
 * hangs on what was counted before.
 */
export function standing(id: RequirementId, proofs: readonly Evidence[], trace: Trace): Sequence | null {
  const { exchanges } = trace;
  if (isOfLimits(id)) return null;
  const alone = proofs.map(({ evidence }) => evidence).filter((evidence) => !hangsOnHistory(evidence, exchanges));
  const candidates = alone.flatMap((evidence) => [evidence, [...acquaintance(evidence, exchanges), ...evidence]]);
  const [known, others] = [true, false].map((wanted) =>
    candidates.filter((each) => each.every(isSentAsItWas) === wanted),
  );
  const found = [...(known ?? []), ...(others ?? [])].find((each) => shows(id, each, trace));
  if (!found) return null;
  return {
    ...SINGLE,
    steps: inSteps(found, false),
    isCertain: found.every(isSentAsItWas) && !comesAlone(found, exchanges),
  };
}

const SINGLE = { pace: 'single', window: null, shows: true } as const;

/** A success of the key that the last of the evidence presents: without one, what it is refused may say no more than that it is no key. */
function acquaintance(evidence: readonly Exchange[], exchanges: readonly Exchange[]): readonly Exchange[] {
  const key = evidence.at(-1)?.key ?? null;
  const success = exchanges.find((each) => each.key === key && each.status === 200 && each.step !== 'prepare');
  return key === null || success === undefined ? [] : [success];
}

/** Whether the answer that contradicts is a refusal, or was given to what was answered otherwise elsewhere. */
function hangsOnHistory(evidence: readonly Exchange[], exchanges: readonly Exchange[]): boolean {
  const wrong = wrongOf(evidence);
  if (wrong === undefined || wrong.status === 429) return wrong !== undefined;
  return exchanges.some((each) => isAlike(each, wrong) && isAnsweredOtherwise(each, wrong));
}

/** Whether both the same operation on other keys and the same key on other operations were answered otherwise: then neither decides. */
function comesAlone(evidence: readonly Exchange[], exchanges: readonly Exchange[]): boolean {
  const wrong = wrongOf(evidence);
  if (!wrong) return false;
  const otherwise = exchanges.filter(
    (each) =>
      (['fault', 'credential', 'variation', 'kind'] as const).every((name) => each[name] === wrong[name]) &&
      each.status !== null &&
      isAnsweredOtherwise(each, wrong),
  );
  return (['operation', 'key'] as const).every((name) => otherwise.some((each) => each[name] === wrong[name]));
}

function isAnsweredOtherwise(each: Exchange, wrong: Exchange): boolean {
  return each.status !== 429 && outcomeOf(each) !== outcomeOf(wrong);
}

/** What an operation makes anew for each request has another target each time. */
function isAlike(a: Exchange, b: Exchange): boolean {
  const fields = ['operation', 'method', 'fault', 'credential', 'variation', 'key'] as const;
  const same = a.target === b.target || (a.operation !== null && a.fault === 'none');
  return a.status !== null && same && fields.every((name) => a[name] === b[name]);
}
