import type { RequirementId } from '../../catalogue/requirement.ts';
import type { LimitHeader } from '../../deployment/deviations/limit-header.ts';
import {
  breaks,
  component,
  type Deviation,
  mayShow,
  type OperatorId,
  type ParametersOf,
  sentence,
} from '../../deployment/operators.ts';
import type { Kind } from '../../trace/exchange.ts';
import type { Arrival, Presentation } from '../arrival.ts';
import type { AnswerContext, Behaviour } from '../behaviour.ts';

/** A way in which the reference server can break the specification. */
export interface Defect {
  readonly name: string;
  /** Its number in the list of known defects of limiters; null: none. */
  readonly number: number | null;
  readonly description: string;
  /** The requirement that it breaks, and others that necessarily fail with it. At least these must fail. */
  readonly must: readonly RequirementId[];
  /** Requirements that may fail as a consequence. Any other failure is a false alarm. */
  readonly may: readonly RequirementId[];
  /** True if a client can observe it, otherwise the reason why not. */
  readonly observable: true | string;
  /** The variant that shows it, if the plain one does not. */
  readonly variant?: string;
  /** Its name in reports, also if other defects give the same answers. Absent if it has no name. */
  readonly diagnosis?: string;
  /** The deviations that it consists of, if operators exist for them. */
  readonly deviations?: readonly Deviation[];
  /**
   * What else it replaces in the behaviour, if no operator exists. Called once for each server, so it can hold state.
   */
  readonly change?: (conforming: Behaviour) => Partial<Behaviour>;
}

export type Change = NonNullable<Defect['change']>;

/** Requirements that a defect in the counting can break: about values, about decisions, and about the whole history. */
export const COUNTING: readonly RequirementId[] = ['HDR-4', 'HDR-5', 'LIMIT-ATOMIC', 'LIMIT-HISTORY'];

/** Requirements that a defect in the marker can break. */
export const MARKER: readonly RequirementId[] = ['HDR-7', 'HDR-8', 'LIMIT-HISTORY'];

/** Requirements that a defect in the windows can break. */
export const WINDOWS: readonly RequirementId[] = [...COUNTING, 'HDR-7', 'HDR-8', 'LIMIT-R', 'LIMIT-W', 'LIMIT-WINDOW'];

/**
 * Requirements that can fail together, because a request that tests one scope may differ in another: a new connection
 * also has a new address.
 */
export const EVASION: readonly RequirementId[] = ['LIMIT-SCOPE', 'LIMIT-HEADER', 'LIMIT-EVADE'];

/** A defect that is written by hand, because no operator fits. */
export function handMade(
  name: string,
  description: string,
  about: Partial<Defect> & Required<Pick<Defect, 'must' | 'change'>>,
): Defect {
  return { observable: true, number: null, may: [], ...about, name, description };
}

/** Answers with the status `to` where `from` is due, and the request is meant. */
export function instead(
  name: string,
  description: string,
  [from, to]: readonly [from: number, to: number],
  must: RequirementId,
  may: readonly RequirementId[],
  isMeant: (arrival: Arrival) => boolean = () => true,
): Defect {
  const change = status(to, ({ status: due, arrival }) => due === from && isMeant(arrival));
  return handMade(name, description, { must: [must], may, change });
}

/** Whether a request presents its key in this way. */
export function by(way: Presentation['way']): (arrival: Arrival) => boolean {
  return ({ presentation }) => presentation.way === way;
}

type OperatorOfKinds = {
  [Id in OperatorId]: ParametersOf[Id] extends { kinds: readonly Kind[] } ? Id : never;
}[OperatorId];

/** A deviation of reads and writes, unless its parameters say otherwise. */
export function deviation<Id extends OperatorOfKinds>(
  operator: Id,
  parameters: Omit<ParametersOf[Id], 'kinds'> & { readonly kinds?: readonly Kind[] },
): Deviation {
  return { operator, parameters: { kinds: ['read', 'write'], ...parameters } } as unknown as Deviation;
}

type About = Partial<Pick<Defect, 'description' | 'variant' | 'diagnosis' | 'may' | 'observable'>>;

/** A defect that consists of deviations. They say what it breaks and what it does. */
export function deviating(
  name: string,
  number: number | null,
  deviation: Deviation | readonly Deviation[],
  about: About = {},
): Defect {
  const deviations = 'operator' in deviation ? [deviation] : deviation;
  const broken = [...new Set(deviations.flatMap((each) => breaks(each)))];
  // What no client can observe may fail, but need not.
  const must = about.observable === undefined ? broken : [];
  const follows = deviations.flatMap((each) => [...mayShow(each), ...consequences(each)]);
  return {
    observable: true,
    description: deviations.map((each) => asClause(sentence(each))).join(', and '),
    ...about,
    name,
    number,
    must,
    may: [...broken, ...follows, ...(about.may ?? [])],
    deviations,
  };
}

type Header = 'limit-header' | 'remaining-header' | 'marker-header';
type ChangeOf<Id extends Header> = Extract<Deviation, { readonly operator: Id }>['parameters']['change'];

/** Makes defects that write one header wrongly in all answers, or in those that are named. */
export function telling<Id extends Header>(operator: Id) {
  return (
    name: string,
    number: number | null,
    change: ChangeOf<Id>,
    { only = 'all', kinds = ['read', 'write'], ...about }: Partial<Pick<LimitHeader, 'only' | 'kinds'>> & About = {},
  ): Defect => {
    return deviating(name, number, { operator, parameters: { kinds, change, only } } as unknown as Deviation, about);
  };
}

/** Further requirements that a defect in this part of a deployment can break. */
function consequences(deviation: Deviation): readonly RequirementId[] {
  switch (component(deviation)) {
    case 'reporters':
      return [...COUNTING, ...MARKER];
    case 'scope':
      return breaks(deviation).some((id) => EVASION.includes(id)) ? [...WINDOWS, ...EVASION] : WINDOWS;
    default:
      return [...WINDOWS, 'STATUS-429'];
  }
}

function asClause(text: string): string {
  const clause = text.replace(/\.$/, '');
  return /^X-|^[A-Z]{2}/.test(clause) ? clause : clause.charAt(0).toLowerCase() + clause.slice(1);
}

/** Replaces the status of the answers that are meant. */
export function status(to: number, isMeant: (context: AnswerContext) => boolean): Change {
  return () => ({ status: (context) => (isMeant(context) ? to : context.status) });
}

/** Replaces the limiters of both kinds. */
export function limiter(make: () => Behaviour['limiters']['read']): Change {
  return () => ({ limiters: { read: make(), write: make() } });
}
