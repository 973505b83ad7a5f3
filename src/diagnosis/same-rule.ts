import type { Deviation } from '../deployment/operators.ts';

/** Whether both are the same deviations, for whichever kind, as far as they can be measured. */
export function sameDeviations(one: readonly Deviation[], other: readonly Deviation[]): boolean {
  return nameOf(one, MEASURED) === nameOf(other, MEASURED);
}

/** Whether one sentence says both, but for the kind. */
export function isSameRule(one: readonly Deviation[], other: readonly Deviation[]): boolean {
  return nameOf(one, {}) === nameOf(other, {});
}

function nameOf(deviations: readonly Deviation[], open: Readonly<Record<string, null>>): string {
  return JSON.stringify(
    deviations.map(({ operator, parameters }) => [operator, { ...parameters, kinds: null, kind: null, ...open }]),
  );
}

/** In place of what each kind has of its own, and of what can be measured but roughly: how often, how late and when. */
const MEASURED = {
  ...{ how: null, limit: null, limitHeader: null, remainingFrom: null },
  ...{ oneIn: null, lag: null, at: null },
};
