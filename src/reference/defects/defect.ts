import type { RequirementId } from '../../catalogue/requirement.ts';
import type { AnswerContext, Behaviour, RateHeaders } from '../behaviour.ts';
import { markerText } from '../marker.ts';

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
  /** What it replaces of the conforming conduct. Called once per server, so that it can hold state. */
  readonly change: (conforming: Behaviour) => Partial<Behaviour>;
}

/** The defect with the name that reports have for it. */
export function called(diagnosis: string, defect: Defect): Defect {
  return { ...defect, diagnosis };
}

/** What a defect in how requests are counted can show in: the values, the decisions, and the history as a whole. */
export const COUNTING: readonly RequirementId[] = ['HDR-4', 'HDR-5', 'LIMIT-ATOMIC', 'LIMIT-HISTORY'];

/** What a defect in the marker can show in. */
export const MARKER: readonly RequirementId[] = ['HDR-7', 'HDR-8', 'LIMIT-HISTORY'];

/** What a defect in the windows can show in. */
export const WINDOWS: readonly RequirementId[] = [...COUNTING, 'HDR-7', 'HDR-8', 'LIMIT-R', 'LIMIT-W', 'LIMIT-WINDOW'];

/** What a budget that is too fine or too coarse can show in besides its own requirement. */
export const SCOPES: readonly RequirementId[] = [...COUNTING, 'HDR-7', 'HDR-8', 'LIMIT-R', 'LIMIT-W', 'LIMIT-WINDOW'];

type HeaderChange = (headers: RateHeaders, context: AnswerContext, conforming: Behaviour) => Partial<RateHeaders>;

/** Replaces some of the three headers; the rest stays as it is. */
export function headers(change: HeaderChange): Defect['change'] {
  return (conforming) => ({ headers: (lines, context) => ({ ...lines, ...change(lines, context, conforming) }) });
}

/** Moves the marker: the window's end is told as what this makes of it. All times in µs of the server's clock. */
export function marker(move: (reset: number, context: AnswerContext) => number): Defect['change'] {
  return headers((_lines, context, { options }) => ({
    reset: [markerText(move(context.reset, context), context.decided, context.answered, options.marker)],
  }));
}

/** Replaces the status with which answers leave, where this gives one; null: it stays. */
export function status(change: (context: AnswerContext) => number | null): Defect['change'] {
  return () => ({ status: (context) => change(context) ?? context.status });
}

/** Adds to the name of the budget, so that what differs in it is counted apart. */
export function apart(by: (context: Parameters<Behaviour['budget']>[0]) => string): Defect['change'] {
  return ({ budget }) => ({ budget: (arrival) => `${budget(arrival)} ${by(arrival)}` });
}

/** Replaces the limiter. */
export function limiter(make: () => Behaviour['limiter']): Defect['change'] {
  return () => ({ limiter: make() });
}
