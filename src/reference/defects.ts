import type { RequirementId } from '../catalogue/requirement.ts';
import type { Behaviour } from './behaviour.ts';

/** A way not to conform, as a switch of the reference server. */
export interface Defect {
  readonly name: string;
  /** Its number in the list of defects that limiters are known for; null: none. */
  readonly number: number | null;
  readonly description: string;
  /** At least these fail. */
  readonly must: readonly RequirementId[];
  /** These may fail too, as its consequences. Any other that fails is a false alarm. */
  readonly may: readonly RequirementId[];
  /** Whether a client can see it; else why not. */
  readonly observable: true | string;
  /** The variant that shows it, where it does not show in any. */
  readonly variant?: string;
  /** What of the conforming conduct it replaces. Called once per server, so that it can hold state. */
  readonly change: (conforming: Behaviour) => Partial<Behaviour>;
}

/** Every seeded defect, in the order of the requirements that they break. */
export const DEFECTS: readonly Defect[] = [];
