import { requirement } from '../catalogue/catalogue.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import type { Trace } from '../trace/trace.ts';
import { afterFailures } from './after-failures.ts';
import { judgeAuthentication } from './authentication.ts';
import { conditionsOf } from './conditions.ts';
import { judgeCredentials } from './credentials.ts';
import { suppressors } from './dependencies.ts';
import { VALUE_JUDGES } from './header-values.ts';
import { HEADER_JUDGES } from './headers.ts';
import type { Judgement, LimitsJudgement, Obstacle } from './judgement.ts';
import { observe } from './observations.ts';
import { overallOf } from './overall.ts';
import { unique } from './parts.ts';
import { obstacleOf, unfinished, wasInterrupted } from './progress.ts';
import { isOfLimits, keepShown } from './shown.ts';
import { STATUS_JUDGES } from './status.ts';
import type { Observation, Opinion, Part, Proof, Verdict, VerdictName } from './verdict.ts';
import { judgeVersion } from './versioning.ts';
import { type AnswerJudge, type View, viewOf } from './view.ts';
import { waive, waiverProblems, waiveWhatFollows } from './waivers.ts';

/**
 * Every verdict on a trace, from the trace alone: no network, no clock, no randomness, so that whoever judges it again
 * gets the same, byte for byte.
 *
 * @param limits the judge of HDR-4, -5, -7, -8 and LIMIT-*
 */
export function judge<Budget>(trace: Trace, limits: (trace: Trace) => LimitsJudgement<Budget>): Judgement<Budget> {
  const view = viewOf(trace);
  const ordered: Trace = { ...trace, exchanges: view.exchanges };
  const asked: ReadonlySet<string> = new Set(trace.header.selection);
  const conditions = conditionsOf(view);
  const obstacle = obstacleOf(trace);
  const found = obstacle === null ? limits(ordered) : null;
  const all = found === null ? [] : [...judgeAnswers(view, found.opinions, asked), ...found.opinions];
  const selection = new Set([...asked, ...brokenBeside(all, asked)]);
  const selected = REQUIREMENTS.filter((each) => selection.has(each.id)).map((each) => each.id);
  const observing = selected.some((id) => requirement(id).level === 'observed');
  const observations =
    found === null || !observing
      ? []
      : inCatalogueOrder([...observe(view, conditions), ...found.observations], selected);
  const opinions = new Map(all.map((each) => [each.id, each] as const));
  const today = dayOf(trace);
  const waivers = trace.header.profile.waivers;
  const settled = new Map<RequirementId, Opinion>(
    selected.map((id) => [id, settle(view, id, opinions.get(id), observations)]),
  );
  const verdicts = keepShown(
    ordered,
    obstacle ? selected.map((id) => blocked(id, obstacle)) : concludeAll(settled, trace, today),
    (cut) => judge(cut, limits).verdicts,
  );
  const problems = obstacle ? [] : waiverProblems(waivers, settled, today);
  const base = {
    obstacle,
    interrupted: wasInterrupted(trace),
    scaled: trace.header.scale !== 1,
    verdicts,
    observations,
    counts: countsOf(verdicts),
    unselected: REQUIREMENTS.filter((each) => !selection.has(each.id)).map((each) => each.id),
    budgets: found?.budgets ?? [],
    conditions,
    problems,
  };
  return { ...overallOf(base, trace.header.command), ...base };
}

/** What can be judged from single answers and their controls, without a theory of windows. */
const JUDGES: readonly AnswerJudge[] = [
  { ids: ['AUTH-1', 'AUTH-4', 'AUTH-5', 'AUTH-6'], judge: judgeAuthentication },
  { ids: ['AUTH-2', 'AUTH-3', 'AUTH-7'], judge: judgeCredentials },
  ...STATUS_JUDGES,
  ...HEADER_JUDGES,
  ...VALUE_JUDGES,
  { ids: ['VERSION-1'], judge: (view) => [judgeVersion(view)] },
];

/** What every record of a load run may prove broken, though a scenario need not set out to judge it. */
const BESIDE: ReadonlySet<RequirementId> = new Set<RequirementId>(['HDR-1', 'HDR-3']);

/** Opinions on what was selected, and on what is found out with it. */
function judgeAnswers(view: View, limits: readonly Opinion[], selection: ReadonlySet<string>): Opinion[] {
  const isAsked = (id: RequirementId): boolean => selection.has(id) || (BESIDE.has(id) && isWhole(view.trace));
  return JUDGES.filter(({ ids }) => ids.some(isAsked)).flatMap(({ judge }) => judge(view, limits));
}

/** Whether a load run judges all that its scenario shows: its records have the headers of every answer. */
function isWhole({ header }: Trace): boolean {
  return header.command === 'load' && header.selection.includes('LIMIT-HISTORY');
}

/**
 * What fails although it was not selected: a run that asks whether one conforming deployment explains it all names what
 * does instead. A load scenario sets out to judge few requirements, and its records may prove another one broken.
 */
function brokenBeside(opinions: readonly Opinion[], asked: ReadonlySet<string>): readonly RequirementId[] {
  if (!asked.has('LIMIT-HISTORY')) return [];
  const beside = opinions.filter(({ id }) => !asked.has(id) && (isOfLimits(id) || BESIDE.has(id)));
  return beside.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

/**
 * An opinion on a selected requirement, made safe: no pass on too few witnesses, nor on an experiment that broke off,
 * nor on a target that accepted nothing.
 */
function settle(
  view: View,
  id: RequirementId,
  given: Opinion | undefined,
  observations: readonly Observation[],
): Opinion {
  const { level, witnesses: least } = requirement(id);
  if (level === 'observed') return observedOpinion(id, observations);
  const opinion: Opinion = given ?? { id, verdict: 'not tested', summary: 'no request of the run tests it' };
  if (opinion.verdict === 'fail') return opinion;
  const broken = unfinished(view.trace, id);
  if (broken) {
    const { summary, remedy, mayPass } = broken;
    const isEnough = opinion.verdict === 'pass' && view.accepts && (opinion.witnesses ?? 0) >= least;
    if (!mayPass || !isEnough) return { ...opinion, verdict: 'inconclusive', summary, remedy };
    return {
      ...opinion,
      notes: [...(opinion.notes ?? []), 'the run ended before all was sent that was planned for it'],
    };
  }
  if (opinion.verdict === 'pass' && !view.accepts) {
    return {
      ...opinion,
      verdict: 'inconclusive',
      summary: 'the target accepted no valid request, so no answer shows it',
      remedy: 'find out why the target accepts nothing (doctor shows each answer), and run again',
    };
  }
  const witnesses = opinion.witnesses ?? 0;
  if (opinion.verdict === 'pass' && witnesses < least) {
    return {
      ...opinion,
      verdict: 'not tested',
      summary: `only ${witnesses} requests test it, but at least ${least} are needed`,
      remedy:
        view.omission(id) ??
        `add operations and probes to the profile, and ${wasCertified(view) ? 'run again' : 'run certify'}`,
    };
  }
  if (opinion.verdict !== 'not tested') return opinion;
  return { ...opinion, remedy: view.omission(id) ?? opinion.remedy ?? null };
}

function wasCertified({ trace }: View): boolean {
  return trace.header.command === 'certify';
}

function observedOpinion(id: RequirementId, observations: readonly Observation[]): Opinion {
  const own = observations.filter((each) => each.requirement === id);
  return own.length > 0
    ? { id, verdict: 'observed', summary: `${own.length} observed`, witnesses: own.length }
    : { id, verdict: 'not tested', summary: 'nothing was observed', remedy: 'run certify with at least one full key' };
}

function concludeAll(settled: ReadonlyMap<RequirementId, Opinion>, trace: Trace, today: string): readonly Verdict[] {
  const failed = new Map([...settled].filter(([, opinion]) => opinion.verdict === 'fail'));
  const causes = new Map([...failed].filter(([, opinion]) => suppressors(opinion, failed).length === 0));
  const verdicts = [...settled.values()].map((opinion): Verdict => {
    const { level, clauses } = requirement(opinion.id);
    const suppressedBy = suppressors(opinion, failed);
    const effective = suppressedBy.length > 0 ? suppressed(opinion, suppressedBy) : afterFailures(opinion, causes);
    const waived = waive(effective, trace.header.profile.waivers, today);
    return {
      id: opinion.id,
      level,
      clauses,
      verdict: waived.verdict,
      summary: effective.summary,
      ...(effective.place && { place: effective.place }),
      remedy: effective.remedy ?? null,
      witnesses: effective.witnesses ?? 0,
      parts: waived.parts,
      proofs: unwaivedFirst(effective.proofs ?? [], waived.parts),
      suppressedBy,
      ...(effective.followsFrom && { followsFrom: effective.followsFrom }),
      notes: effective.notes ?? [],
      waiver: waived.waiver,
    };
  });
  return waiveWhatFollows(verdicts);
}

/** What the vendor has not named yet is told first. */
function unwaivedFirst(proofs: readonly Proof[], parts: readonly Part[]): readonly Proof[] {
  const waived = new Set(parts.flatMap(({ name, verdict }) => (verdict === 'waived' ? [name] : [])));
  const isWaived = ({ part }: Proof): boolean => waived.has(part ?? '');
  return [...proofs.filter((each) => !isWaived(each)), ...proofs.filter(isWaived)];
}

function suppressed(opinion: Opinion, by: readonly RequirementId[]): Opinion {
  const { id, witnesses = 0, notes = [] } = opinion;
  return {
    id,
    verdict: 'inconclusive',
    summary: `needs ${by.join(' and ')}, which ${by.length > 1 ? 'fail' : 'fails'}`,
    remedy: `fix ${by.join(' and ')}, and run again`,
    witnesses,
    notes,
  };
}

function blocked(id: RequirementId, { cause, remedy }: Obstacle): Verdict {
  const { level, clauses } = requirement(id);
  return {
    id,
    level,
    clauses,
    verdict: 'inconclusive',
    summary: cause,
    remedy,
    witnesses: 0,
    parts: [],
    proofs: [],
    suppressedBy: [],
    notes: [],
    waiver: null,
  };
}

function inCatalogueOrder(observations: readonly Observation[], selected: readonly RequirementId[]): Observation[] {
  return unique(selected).flatMap((id) => observations.filter((each) => each.requirement === id));
}

function countsOf(verdicts: readonly Verdict[]): Record<VerdictName, number> {
  const counts = { pass: 0, fail: 0, 'not tested': 0, inconclusive: 0, waived: 0, observed: 0 };
  for (const { verdict } of verdicts) counts[verdict] += 1;
  return counts;
}

/** The day on which the run began (UTC), as an ISO date. */
function dayOf(trace: Trace): string {
  const milliseconds = trace.header.epoch / 1000;
  return Math.abs(milliseconds) <= 8.64e15 ? new Date(milliseconds).toISOString().slice(0, 10) : '9999-12-31';
}
