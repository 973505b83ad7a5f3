import type { RequirementId } from '../catalogue/requirement.ts';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { EarlierParts } from '../diagnosis/earlier-parts.ts';
import type { BudgetAnalysis } from '../oracle/analysis.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import { judge } from './conclude.ts';
import { type LimitsJudgement, NOT_OF_LIMITS } from './judgement.ts';
import { judgeLimits } from './limits/judge-limits.ts';
import { cutAt, isOfLimits } from './shown.ts';
import { situationsOf } from './situations.ts';
import type { Proof, Verdict } from './verdict.ts';
import { isPlain, STATUSES } from './view.ts';

/** A failure, with the moment (µs of the run's clock) by which it was proved. */
export interface Proved {
  readonly verdict: Verdict;
  readonly time: number;
  /** False: that some requirement on limits is broken is proved, and which it is the whole run tells best. */
  readonly named: boolean;
}

/** Statements about every answer: one that breaks them stays, whatever else is answered. */
const BY_ANY_ANSWER: ReadonlySet<RequirementId> = new Set<RequirementId>([
  'STATUS-200',
  'STATUS-SET',
  'STATUS-NO5XX',
  'HDR-1',
  'HDR-2',
  'HDR-3',
  'HDR-6',
  'VERSION-1',
]);

/** Statements about the answer to a fault: one with another status of clause 7 stays. */
const BY_A_PROBE: ReadonlySet<RequirementId> = new Set<RequirementId>([
  'AUTH-1',
  'AUTH-4',
  'AUTH-5',
  'AUTH-6',
  'STATUS-400',
  'STATUS-401',
  'STATUS-403',
  'STATUS-404',
  'STATUS-500',
]);

/** Statements about a good key: 401 to one that is accepted elsewhere stays. */
const BY_A_REFUSAL: ReadonlySet<RequirementId> = new Set<RequirementId>(['AUTH-2', 'AUTH-3']);

/**
 * Failures that single answers prove and that no later answer can undo. What depends on more (5xx that good requests
 * may turn out to get too) is left to the end of the run.
 */
export function provedByAnswers(trace: Trace): readonly Proved[] {
  if (!keysAreAccepted(trace)) return [];
  const { verdicts } = judge(trace, () => NOT_OF_LIMITS);
  return verdicts.flatMap((verdict) => {
    if (verdict.verdict !== 'fail') return [];
    if (verdict.id === 'AUTH-7') return answeredApart(trace, verdict);
    const lasting = verdict.proofs.find((proof) => stays(verdict.id, proof));
    if (!lasting) return [];
    return [{ verdict: { ...verdict, proofs: [lasting] }, time: timeOf(lasting.evidence), named: true }];
  });
}

/** Operations on which both headers have to be answered apart, each twice: what fails now and then does not do that. */
const APART = 2;

/**
 * Whether both headers are answered alike may turn back: an operation of which one request failed in passing, or beside
 * others, is answered alike later.
 */
function answeredApart(trace: Trace, verdict: Verdict): readonly Proved[] {
  const { besideOthers } = situationsOf(trace.exchanges);
  const alone = trace.exchanges.filter((each) => !besideOthers(each));
  const repeated = verdict.proofs.flatMap((proof) => {
    const seen = proof.evidence.map((each) => alone.filter((other) => isLike(each, other)).slice(0, 2));
    return seen.every(({ length }) => length === 2) ? [{ proof, time: timeOf(seen.flat()) }] : [];
  });
  const [first] = repeated;
  if (!first || repeated.length < APART) return [];
  const time = Math.max(...repeated.slice(0, APART).map((each) => each.time));
  return [{ verdict: { ...verdict, proofs: [first.proof] }, time, named: true }];
}

/** Whether both are the same request, and were answered alike. */
function isLike(one: Exchange, other: Exchange): boolean {
  const asked = one.operation === other.operation && one.fault === other.fault && other.variation === null;
  const sent = one.key === other.key && one.credential === other.credential;
  // Two probes of one operation are told apart by their names.
  return asked && sent && (one.fault === 'none' || one.step === other.step) && one.status === other.status;
}

function timeOf(exchanges: readonly Exchange[]): number {
  return Math.max(...exchanges.map(({ sent, answered }) => answered ?? sent));
}

/**
 * Failures of what is counted, by all that had been answered at `time`, and what was found of each budget. What the
 * answers contradict by themselves is told by its name. Where no conforming deployment explains them, and none ever
 * will, one failure without a name is told. The moments must not be so many: this judges every budget.
 *
 * @param earlier what earlier moments of the same run have told
 */
export function provedByHistory(
  trace: Trace,
  time: number,
  earlier = new EarlierParts(),
): { readonly proved: readonly Proved[]; readonly budgets: readonly BudgetAnalysis[] } {
  if (!keysAreAccepted(trace)) return { proved: [], budgets: [] };
  const found: { failure: LimitsJudgement['failure'] } = { failure: 'open' };
  const { verdicts, budgets } = judge(cutAt(trace, time), (cut) => {
    const limits = judgeLimits(cut, { named: !selectsLimits(trace), earlier });
    found.failure = limits.failure;
    return limits;
  });
  const failing = verdicts.filter(({ id, verdict }) => verdict === 'fail' && isOfLimits(id));
  const [first] = failing;
  const named = found.failure === 'by answers';
  const told = named ? failing : found.failure === 'final' && first ? [first] : [];
  return { proved: told.map((verdict) => ({ verdict, time, named })), budgets };
}

/** Whether what breaks limits will have a name that is selected, whichever it is. */
function selectsLimits({ header: { selection } }: Trace): boolean {
  return REQUIREMENTS.every(({ id }) => !isOfLimits(id) || selection.includes(id));
}

function stays(id: RequirementId, { evidence }: Proof): boolean {
  if (BY_ANY_ANSWER.has(id)) return evidence.length > 0;
  if (BY_A_REFUSAL.has(id)) return evidence.some(({ status }) => status === 401);
  return BY_A_PROBE.has(id) && evidence.some((each) => each.fault !== 'none' && isOfClause7(each));
}

/** A status that is no accident of the service: one of those, on good requests, excuses the same on a faulty one. */
function isOfClause7({ status }: Exchange): boolean {
  return status !== null && status < 500 && STATUSES.includes(status);
}

/**
 * Until each key has been accepted, it may turn out that the run has the keys of another deployment, and can judge
 * nothing.
 */
function keysAreAccepted({ header, exchanges, condensed }: Trace): boolean {
  const planned = new Set(
    header.experiments
      .filter(({ omitted, requirements }) => omitted === null && requirements.length > 0)
      .flatMap(({ keys }) => keys),
  );
  for (const each of exchanges) {
    if (each.key !== null && isPlain(each) && each.status !== null && each.status !== 401) planned.delete(each.key);
  }
  for (const key of condensed?.keys ?? []) planned.delete(key);
  return planned.size === 0;
}
