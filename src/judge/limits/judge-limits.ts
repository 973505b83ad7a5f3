import type { RequirementId } from '../../catalogue/requirement.ts';
import type { KindRuling } from '../../diagnosis/kind-ruling.ts';
import { type LeftOpen, leftOpenBy } from '../../diagnosis/left-open.ts';
import { type Asked, diagnoseRun } from '../../diagnosis/run.ts';
import type { BudgetAnalysis } from '../../oracle/analysis.ts';
import { clockStep } from '../../oracle/clock-step.ts';
import { findWitness, lacksWitness } from '../../oracle/witnessed.ts';
import type { Condensed } from '../../trace/condensed.ts';
import type { Kind } from '../../trace/exchange.ts';
import type { Trace } from '../../trace/trace.ts';
import type { LimitsJudgement } from '../judgement.ts';
import type { Observation, Opinion } from '../verdict.ts';
import { type Budget, type Evidence, historyOf, MOST_THOROUGH, readEvidence } from './budgets.ts';
import { contradiction } from './contradiction.ts';
import { countsOf, countsOfCondensed } from './counts.ts';
import { observeDeliveries } from './deliveries.ts';
import { describeBudget, type KindFacts, observe } from './describe-budget.ts';
import { notesOn, rulingsOfKinds } from './kind-rulings.ts';
import { measure, windowOf } from './measure.ts';
import { namingOperations } from './named-operations.ts';
import { factsOf, type RunFacts, toTest } from './next-run.ts';
import { rulingsOverStep } from './over-clock-step.ts';
import { withoutOwnKind } from './own-kind.ts';
import { conclude, type Ruling } from './ruling.ts';
import { type SharingId, sharingWitnesses, type Use, useOf } from './sharing.ts';
import type { Subject } from './subject.ts';
import { unstatedEvasions } from './unstated-evasion.ts';
import {
  burstWitness,
  historyWitness,
  markerWitness,
  movementWitness,
  refusalWitness,
  remainingWitness,
  thresholdWitness,
  windowWitness,
} from './witnesses.ts';

/** What each budget by itself shows about a requirement. */
const OF_A_BUDGET = [
  ['HDR-4', remainingWitness],
  ['HDR-5', refusalWitness],
  ['HDR-7', markerWitness],
  ['HDR-8', movementWitness],
  ['LIMIT-R', thresholdWitness],
  ['LIMIT-W', thresholdWitness],
  ['LIMIT-WINDOW', windowWitness],
  ['LIMIT-ATOMIC', burstWitness],
  ['LIMIT-HISTORY', historyWitness],
] as const;

const OF_SHARING: readonly SharingId[] = [
  'LIMIT-KEY',
  'LIMIT-SCOPE',
  'LIMIT-RW',
  'LIMIT-HEADER',
  'LIMIT-EVADE',
  'LIMIT-ANON',
];

/**
 * The most budgets of a load run that are diagnosed together if nothing explains them by themselves. More would show
 * nothing new.
 */
const MOST_DIAGNOSED = 12;

/**
 * Judges everything that depends on how requests are counted: HDR-4, HDR-5, HDR-7, HDR-8 and LIMIT-*, the facts of
 * LIMIT-O1, and the analysis of each budget for the reports. It needs no labels of a plan, so it judges any trace.
 * Pure: the same trace gives the same judgement.
 *
 * @param asked options of `diagnoseRun`. With `named: false`, windows whose length is explained are not measured
 */
export function judgeLimits(trace: Trace, { named = true, ...asked }: Asked = {}): LimitsJudgement<BudgetAnalysis> {
  const evidence = readEvidence(trace);
  const selection: ReadonlySet<RequirementId> = new Set(trace.header.selection);
  const { condensed } = trace;
  // In a load run, a budget that is explained by itself is not examined again.
  const thorough = evidence.exchanges.length <= MOST_THOROUGH && !condensed;
  const shares = OF_SHARING.some((id) => selection.has(id));
  const judged: Judged[] = [];
  const rest: Budget[] = [];
  let windows = 0;
  let facts = factsOf(trace, false);
  const open = new Map<Kind, LeftOpen>();
  const judge = (subject: Subject): void => {
    const { kind } = subject.budget;
    const told = { marker: evidence.markers[kind], open: open.get(kind) ?? null };
    judged.push(judgeBudget(subject, evidence, { thorough, shares, observes: selection.has('LIMIT-O1'), facts, told }));
  };
  for (const budget of evidence.budgets) {
    // If fixed windows certainly explain a budget of a load run, nothing else is judged from it, so its history is not
    // kept.
    const history = thorough ? null : historyOf(budget, budget.exchanges, evidence);
    const explanation = history && findWitness(history);
    if (!explanation) {
      rest.push(budget);
      continue;
    }
    const explained = { history, explanation };
    // The windows of a dozen budgets show as much as those of all.
    const wanted = named && selection.has('LIMIT-WINDOW') && windows < MOST_DIAGNOSED;
    const window = wanted ? windowOf(explained) : null;
    if (window) windows += 1;
    judge({ budget, ruling: null, explained: [explained], window });
  }
  // Budgets with contradicting answers show more than those that only lack answers.
  const [contradicted = [], others = []] = thorough
    ? [rest]
    : [true, false].map((wanted) => rest.filter(({ history }) => lacksWitness(history) === wanted));
  const diagnosed = [...contradicted, ...others].slice(0, thorough ? rest.length : MOST_DIAGNOSED);
  const histories = diagnosed.map(({ history }) => history);
  // If one clock explains every `Date`, it was not set.
  const isSteady = condensed !== undefined || Number.isFinite(evidence.offset.low);
  const step = isSteady ? null : clockStep(trace.exchanges, trace.header.epoch);
  const diagnose = (also: Asked): readonly KindRuling[] =>
    diagnoseRun(histories, evidence.anonymous, { named, ...asked, ...also }).kinds;
  const ruled = step ? rulingsOverStep(diagnose({ named: false }), step, trace, named) : diagnose({});
  const { operations } = trace.header.profile;
  const kinds = namingOperations(ruled, operations).map((each) => withoutOwnKind(each, operations));
  const isBroken = kinds.some(({ outcome }) => outcome === 'deviates' || outcome === 'unexplained');
  facts = factsOf(trace, isBroken);
  for (const { diagnosis, outcome } of thorough && named ? kinds : []) {
    if (diagnosis.conforming && outcome === 'conforms') open.set(diagnosis.kind, leftOpenBy(diagnosis.conforming));
  }
  for (const budget of rest) {
    const ruling = kinds.find(({ diagnosis }) => diagnosis.kind === budget.kind) ?? null;
    judge({ ...measure(budget, ruling, thorough && named), budget, ruling });
  }
  const order = new Map(evidence.budgets.map((budget, index) => [budget, index]));
  judged.sort((one, other) => (order.get(one.subject.budget) ?? 0) - (order.get(other.subject.budget) ?? 0));
  const opinions = [
    ...OF_A_BUDGET.map(([id]) =>
      opinionOn(
        id,
        kinds,
        [
          ...judged.flatMap(({ rulings }) => rulings.get(id) ?? []),
          ...condensedRulings(id, evidence, condensed, facts),
        ],
        facts,
      ),
    ),
    // What explains the run may be a failure of these, whether they were asked for or not.
    ...OF_SHARING.map((id) => opinionOn(id, kinds, shares ? sharingOf(id, judged, facts) : [], facts)),
  ];
  return {
    opinions,
    failure: failureOf(kinds),
    observations: judged.flatMap(({ observations }) => observations),
    budgets: judged.map(({ analysis }) => analysis),
  };
}

/** What a requirement gets from budgets that were not kept. */
function condensedRulings(
  id: RequirementId,
  { offset }: Evidence,
  condensed: Condensed | undefined,
  facts: RunFacts,
): readonly Ruling[] {
  if (!condensed) return [];
  const witness = OF_A_BUDGET.find(([each]) => each === id)?.[1];
  const shown = condensed.budgets
    .filter(({ kind }) => id !== limitOfOther(kind))
    .flatMap((group) => witness?.(countsOfCondensed(group, Number.isFinite(offset.low)), facts) ?? []);
  if (condensed.left.size === 0) return shown;
  const summary = 'No fixed windows explain them, and there was no room for their answers.';
  const part = `${condensed.left.size} more budgets`;
  return [...shown, { verdict: 'inconclusive', part, summary, witnesses: 0, remedy: 'Run again with fewer keys.' }];
}

/** The requirement about the limit of the other kind. */
function limitOfOther(kind: Kind): RequirementId {
  return kind === 'read' ? 'LIMIT-W' : 'LIMIT-R';
}

/** The results for a budget, without its history. */
interface Judged {
  readonly subject: Subject;
  readonly rulings: ReadonlyMap<RequirementId, Ruling>;
  readonly use: Use | null;
  readonly evasions: readonly Ruling[];
  readonly observations: readonly Observation[];
  readonly analysis: BudgetAnalysis;
}

function judgeBudget(
  subject: Subject,
  evidence: Evidence,
  asked: {
    readonly thorough: boolean;
    readonly shares: boolean;
    readonly observes: boolean;
    readonly facts: RunFacts;
    readonly told: KindFacts;
  },
): Judged {
  const { budget, explained } = subject;
  // A key that lacks permission spends nothing. It shows how requests are counted, but says nothing about limits.
  const full = budget.key !== 'restricted';
  const counts = explained.length > 0 ? countsOf(subject) : null;
  const rulings = OF_A_BUDGET.filter(
    ([id]) => id !== limitOfOther(budget.kind) && (full || !OF_FULL_KEYS.has(id)),
  ).flatMap(([id, witness]): (readonly [RequirementId, Ruling])[] => {
    const contradicted = contradiction(id, subject);
    if (contradicted) return [[id, contradicted]];
    // What all budgets of a kind show together needs no budget that looks right by itself.
    return counts && !subject.ruling?.broken.has(id) ? [[id, witness(counts, asked.facts)]] : [];
  });
  return {
    subject: asked.thorough ? subject : { ...subject, explained: [] },
    rulings: new Map(rulings),
    use: asked.shares ? useOf(subject, evidence) : null,
    // If a deviation lets requests through anyway, their form is not the reason.
    evasions: (subject.ruling?.outcome === 'conforms' ? unstatedEvasions(budget, evidence.anonymous) : []).map(
      ({ name, proof }) => ({ verdict: 'fail', part: name, summary: proof.received, witnesses: 1, proofs: [proof] }),
    ),
    observations: asked.observes ? [...observe(subject, asked.told), ...observeDeliveries(budget)] : [],
    analysis: describeBudget(subject, asked.thorough, asked.told),
  };
}

const OF_FULL_KEYS: ReadonlySet<RequirementId> = new Set(['LIMIT-R', 'LIMIT-W', 'LIMIT-WINDOW', 'LIMIT-ATOMIC']);

function sharingOf(id: SharingId, judged: readonly Judged[], facts: RunFacts): readonly Ruling[] {
  const uses = judged.flatMap(({ use }) => (use && use.subject.budget.key !== 'restricted' ? [use] : []));
  const own = id === 'LIMIT-EVADE' ? judged.flatMap(({ evasions }) => evasions) : [];
  return [...own, ...sharingWitnesses(id, uses, facts)];
}

function opinionOn(
  id: RequirementId,
  kinds: readonly KindRuling[],
  witnesses: readonly Ruling[],
  facts: RunFacts,
): Opinion {
  const opinion = conclude(id, rulingsOfKinds(id, kinds), witnesses, toTest(facts, 'which sends enough of them', 2));
  return { ...opinion, notes: [...notesOn(id, kinds), ...(opinion.notes ?? [])] };
}

/** If a conforming deployment explains the run, single answers prove all failures. */
function failureOf(kinds: readonly KindRuling[]): LimitsJudgement['failure'] {
  const deviating = kinds.filter(({ outcome }) => outcome !== 'conforms');
  if (deviating.length === 0) return 'by answers';
  return deviating.some(({ final }) => final) ? 'final' : 'open';
}
