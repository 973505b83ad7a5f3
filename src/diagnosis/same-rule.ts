import type { Deviation } from '../deployment/operators.ts';

/** Whether both are the same deviations, for whichever kind, within the precision of measurement. */
export function sameDeviations(one: readonly Deviation[], other: readonly Deviation[]): boolean {
  return nameOf(one.map(roughly), MEASURED) === nameOf(other.map(roughly), MEASURED);
}

/** Whether one sentence describes both, except for the kind. */
export function isSameRule(one: readonly Deviation[], other: readonly Deviation[]): boolean {
  return nameOf(one, {}) === nameOf(other, {});
}

/** Lengths of windows are measured to the second, and a cap on concurrent requests only if so many were under way. */
function roughly(deviation: Deviation): Deviation {
  if (deviation.operator === 'early-refusal' && deviation.parameters.underWay !== null) {
    return { ...deviation, parameters: { ...deviation.parameters, underWay: 1 } };
  }
  if (deviation.operator !== 'window-length') return deviation;
  const { length, told, ...parameters } = deviation.parameters;
  return {
    ...deviation,
    parameters: { ...parameters, length: length === null ? null : inSeconds(length), told: inSeconds(told) },
  };
}

function inSeconds(time: number): number {
  return Math.round(time / 1e6);
}

function nameOf(deviations: readonly Deviation[], open: Readonly<Record<string, null>>): string {
  return JSON.stringify(
    deviations.map(({ operator, parameters }) => [operator, { ...parameters, kinds: null, kind: null, ...open }]),
  );
}

/** Replaces parameters that differ between kinds or can only be measured roughly: how often, how late, and when. */
const MEASURED = {
  ...{ how: null, limit: null, limitHeader: null, remainingFrom: null },
  ...{ oneIn: null, lag: null, at: null },
};
