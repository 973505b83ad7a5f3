import type { RequirementId } from '../../catalogue/requirement.ts';
import { breaks, component, type Deviation, mayShow, sentence } from '../../deployment/operators.ts';
import type { AnswerContext, Behaviour, RateHeaders } from '../behaviour.ts';
import { headers as changedHeaders, marker as movedMarker } from '../deviating-headers.ts';

/** A way not to conform, as a switch of the reference server. */
export interface Defect {
  readonly name: string;
  /** Its number in the list of defects that limiters are known for; null: none. */
  readonly number: number | null;
  readonly description: string;
  /** The requirement whose statement it breaks, and any other that cannot but fail with it: at least these fail. */
  readonly must: readonly RequirementId[];
  /** These may fail too, as its consequences. Any other that fails is a false alarm. */
  readonly may: readonly RequirementId[];
  /** Whether a client can see it; else why not. */
  readonly observable: true | string;
  /** The variant that shows it, where the plain one does not. */
  readonly variant?: string;
  /** What reports call it, be it among others that answer alike; left out where it has no name. */
  readonly diagnosis?: string;
  /** What it is, as far as there are words for it. */
  readonly deviations?: readonly Deviation[];
  /** What it replaces besides of the conduct: for what no operator has. Called once per server, so that it can hold state. */
  readonly change?: (conforming: Behaviour) => Partial<Behaviour>;
}

export type Change = NonNullable<Defect['change']>;

/** What a defect in how requests are counted can show in: the values, the decisions, and the history as a whole. */
export const COUNTING: readonly RequirementId[] = ['HDR-4', 'HDR-5', 'LIMIT-ATOMIC', 'LIMIT-HISTORY'];

/** What a defect in the marker can show in. */
export const MARKER: readonly RequirementId[] = ['HDR-7', 'HDR-8', 'LIMIT-HISTORY'];

/** What a defect in the windows can show in. */
export const WINDOWS: readonly RequirementId[] = [...COUNTING, 'HDR-7', 'HDR-8', 'LIMIT-R', 'LIMIT-W', 'LIMIT-WINDOW'];

/** A request that is sent to show one kind of scope may differ in another: a new connection is another address, too. */
export const EVASION: readonly RequirementId[] = ['LIMIT-SCOPE', 'LIMIT-HEADER', 'LIMIT-EVADE'];

/** A defect that is hand-made, since it has no operator. */
export function handMade(
  name: string,
  number: number | null,
  description: string,
  must: readonly RequirementId[],
  may: readonly RequirementId[],
  change: Change,
  about: Pick<Defect, 'variant' | 'diagnosis'> & { readonly observable?: string } = {},
): Defect {
  return { observable: true, ...about, name, number, description, must, may, change };
}

/** A defect that is made of deviations, which say what it breaks and what it does. */
export function deviating(
  name: string,
  number: number | null,
  deviation: Deviation | readonly Deviation[],
  about: Partial<Pick<Defect, 'description' | 'variant' | 'diagnosis' | 'may' | 'observable'>> = {},
): Defect {
  const deviations = 'operator' in deviation ? [deviation] : deviation;
  const broken = [...new Set(deviations.flatMap((each) => breaks(each)))];
  // What no client can see need not fail, and may.
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

/** What else a defect in this part of a deployment can show in. */
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

/** Replaces some of the three headers; the rest stays as it is. */
export function headers(change: (lines: RateHeaders, context: AnswerContext) => Partial<RateHeaders>): Change {
  return (conforming) => changedHeaders(conforming, change);
}

/** Moves the marker: the window's end is told as what this makes of it. All times in µs of the server's clock. */
export function marker(move: (reset: number, context: AnswerContext) => number): Change {
  return (conforming) => movedMarker(conforming, move);
}

/** Replaces the status with which answers leave, where this gives one; null: it stays. */
export function status(change: (context: AnswerContext) => number | null): Change {
  return () => ({ status: (context) => change(context) ?? context.status });
}

/** Replaces the limiter of both kinds. */
export function limiter(make: () => Behaviour['limiters']['read']): Change {
  return () => ({ limiters: { read: make(), write: make() } });
}
