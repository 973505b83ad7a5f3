import type { RequirementId } from '../catalogue/requirement.ts';
import type { Random } from '../random/random.ts';
import { anonymousCharged } from './deviations/anonymous-charged.ts';
import { carriedOver } from './deviations/carried-over.ts';
import { chargedAsOtherKind } from './deviations/charged-as-other-kind.ts';
import { classWeight } from './deviations/class-weight.ts';
import { clocksApart } from './deviations/clocks-apart.ts';
import { countersLost } from './deviations/counters-lost.ts';
import { earlyRefusal } from './deviations/early-refusal.ts';
import { finerScope } from './deviations/finer-scope.ts';
import { freeFirstRequest } from './deviations/free-first-request.ts';
import { lateCounting } from './deviations/late-counting.ts';
import { limitHeader } from './deviations/limit-header.ts';
import { lostUpdates } from './deviations/lost-updates.ts';
import { markerHeader } from './deviations/marker-header.ts';
import { movedEnd } from './deviations/moved-end.ts';
import { nodesApart } from './deviations/nodes-apart.ts';
import { otherLimit } from './deviations/other-limit.ts';
import { otherMechanism } from './deviations/other-mechanism.ts';
import { refusedBeside } from './deviations/refused-beside.ts';
import { remainingHeader } from './deviations/remaining-header.ts';
import { retried } from './deviations/retried.ts';
import { secondLimit } from './deviations/second-limit.ts';
import { sharedKeys } from './deviations/shared-keys.ts';
import { sharedKinds } from './deviations/shared-kinds.ts';
import { sporadicAdmission } from './deviations/sporadic-admission.ts';
import { sporadicWeight } from './deviations/sporadic-weight.ts';
import { windowLength } from './deviations/window-length.ts';
import { type Component, listed, type Operator, pick, type Surface } from './operator.ts';

/** Every way to deviate, by the components of a deployment: one file for each under `deviations/`. */
const ALL = {
  'finer-scope': finerScope,
  'shared-keys': sharedKeys,
  'shared-kinds': sharedKinds,
  'charged-as-other-kind': chargedAsOtherKind,
  'anonymous-charged': anonymousCharged,
  'class-weight': classWeight,
  'sporadic-weight': sporadicWeight,
  'free-first-request': freeFirstRequest,
  retried,
  'other-limit': otherLimit,
  'second-limit': secondLimit,
  'early-refusal': earlyRefusal,
  'refused-beside': refusedBeside,
  'sporadic-admission': sporadicAdmission,
  'window-length': windowLength,
  'moved-end': movedEnd,
  'carried-over': carriedOver,
  'clocks-apart': clocksApart,
  'counters-lost': countersLost,
  'other-mechanism': otherMechanism,
  'lost-updates': lostUpdates,
  'late-counting': lateCounting,
  'nodes-apart': nodesApart,
  'limit-header': limitHeader,
  'remaining-header': remainingHeader,
  'marker-header': markerHeader,
} as const;

export type OperatorId = keyof typeof ALL;

/** The parameters of each operator. */
export type ParametersOf = {
  readonly [Id in OperatorId]: (typeof ALL)[Id] extends Operator<Id, infer Parameters> ? Parameters : never;
};

type DeviationOf<Id extends OperatorId> = {
  readonly [Each in Id]: {
    readonly operator: Each;
    readonly parameters: ParametersOf[Each];
    /** Aliases of the only keys that it holds for; left out: it holds for all. */
    readonly keys?: readonly string[];
  };
}[Id];

/** One deviation of a deployment, as data: which operator, with which parameters. */
export type Deviation = DeviationOf<OperatorId>;

/** The operators by their ids. */
export const OPERATORS: { readonly [Id in OperatorId]: Operator<Id, ParametersOf[Id]> } = ALL;

export const OPERATOR_IDS: readonly OperatorId[] = Object.keys(ALL) as OperatorId[];

/** The requirements that a deviation breaks by itself. */
export function breaks<Id extends OperatorId>({ operator, parameters }: DeviationOf<Id>): readonly RequirementId[] {
  return OPERATORS[operator].breaks(parameters);
}

/** What single answers may contradict besides. */
export function mayShow<Id extends OperatorId>({ operator, parameters }: DeviationOf<Id>): readonly RequirementId[] {
  return OPERATORS[operator].mayShow(parameters);
}

/** A deviation as one plain sentence about the deployment. */
export function sentence<Id extends OperatorId>({ operator, parameters, keys }: DeviationOf<Id>): string {
  const text = OPERATORS[operator].sentence(parameters);
  if (!keys) return text;
  if (text.includes(ALL_KEYS)) return text.replace(ALL_KEYS, ` of ${listed(keys)}`);
  const only = `only with ${listed(keys)}).`;
  return text.endsWith(').') ? `${text.slice(0, -2)}, and ${only}` : `${text.slice(0, -1)} (${only}`;
}

/** Words of a sentence in whose place the keys stand that it is about. */
const ALL_KEYS = ' of all keys';

/** What usually causes a deviation, and what to do. */
export function remedy<Id extends OperatorId>({ operator, parameters, keys }: DeviationOf<Id>): string {
  const text = OPERATORS[operator].remedy(parameters);
  if (!keys) return text;
  // What a deployment may well do to some keys has one cause: that of all keys would say the plan once more.
  return OPERATORS[operator].mayBeOfSome?.(parameters) ? OWN_KEYS : `${OWN_KEYS} ${text}`;
}

const OWN_KEYS =
  'Usually a plan, a tier or an allow-list treats these keys otherwise, or their requests come to another node. Treat all keys alike.';

/** A deviation of this operator with parameters at random; null where the surface gives no occasion for it. */
export function drawDeviation<Id extends OperatorId>(
  operator: Id,
  random: Random,
  surface: Surface,
): DeviationOf<Id> | null {
  const parameters = OPERATORS[operator].draw(random, surface);
  if (parameters === null) return null;
  const { keys } = surface;
  const isOfSome = keys.length > 1 && OPERATORS[operator].mayBeOfSome?.(parameters) === true && random() < 0.25;
  return { operator, parameters, ...(isOfSome ? { keys: [pick(random, keys)] } : {}) };
}

/** The part of a deployment that a deviation changes. */
export function component({ operator }: Deviation): Component {
  return OPERATORS[operator].component;
}
