import type { Stretch } from '../deployment/deviations/sporadic-admission.ts';
import type { Deviation } from '../deployment/operators.ts';

/** Whether both are the same deviations, for whichever kind and in any order, within the precision of measurement. */
export function sameDeviations(one: readonly Deviation[], other: readonly Deviation[]): boolean {
  return one.length === other.length && inCommon(one, other).length === one.length;
}

/** The deviations of one that the other has as well, as `sameDeviations` compares them. */
export function inCommon(one: readonly Deviation[], other: readonly Deviation[]): readonly Deviation[] {
  const left = other.map((each) => ({ deviation: each, name: nameOf([roughly(each)], MEASURED) }));
  return one.filter((each) => {
    const own = nameOf([roughly(each)], MEASURED);
    const at = left.findIndex(({ deviation, name }) => name === own && isAtOnce(each, deviation));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** Each kind shows a loss of all counts with its next answer, and rarely pauses for longer than this, in µs. */
const LONGEST_PAUSE = 5_000_000;

/**
 * Whether what happened once happened to both at once: an outage, or a loss of all counts. Those that are lost again and
 * again are lost now and then.
 */
function isAtOnce(one: Deviation, other: Deviation): boolean {
  if (one.operator === 'sporadic-admission' && other.operator === 'sporadic-admission') {
    return isNear(one.parameters.during, other.parameters.during);
  }
  if (one.operator !== 'counters-lost' || other.operator !== 'counters-lost') return true;
  const apart = Math.abs((one.parameters.at ?? 0) - (other.parameters.at ?? 0));
  return one.parameters.again !== undefined || apart <= LONGEST_PAUSE;
}

/** Whether what two kinds show of an outage may be the same outage. */
function isNear(one: Stretch | undefined, other: Stretch | undefined): boolean {
  return !one || !other || (one.from <= other.to + LONGEST_PAUSE && other.from <= one.to + LONGEST_PAUSE);
}

/** Whether one sentence describes both, except for the kind. */
export function isSameRule(one: readonly Deviation[], other: readonly Deviation[]): boolean {
  return nameOf(one, {}) === nameOf(other, {});
}

/**
 * A cap on concurrent requests is only known if so many were under way, a scatter is only known to be reached, and a
 * moment to lie between two answers.
 */
function roughly(deviation: Deviation): Deviation {
  const { operator, parameters } = deviation;
  if (operator === 'early-refusal' && parameters.underWay !== null) {
    return { ...deviation, parameters: { ...parameters, underWay: 1 } };
  }
  if (operator === 'marker-header' && typeof parameters.change === 'object' && 'scatter' in parameters.change) {
    return { ...deviation, parameters: { ...parameters, change: { scatter: 1 } } };
  }
  // A header that stays the same has another number for another limit.
  if (operator === 'remaining-header' && typeof parameters.change === 'object' && 'constant' in parameters.change) {
    return { ...deviation, parameters: { ...parameters, change: { constant: 0 } } };
  }
  if (operator === 'sporadic-admission' && parameters.during) {
    return { ...deviation, parameters: { ...parameters, during: { from: 0, to: 0 } } };
  }
  if (operator === 'other-limit' && typeof parameters.from === 'object') {
    const { lasts, every } = parameters.from;
    return {
      ...deviation,
      parameters: { ...parameters, from: { at: 0, ...(lasts && { lasts: every && lasts, every }) } },
    };
  }
  return deviation;
}

function nameOf(deviations: readonly Deviation[], open: Readonly<Record<string, null>>): string {
  const same = { kinds: null, kind: null, ...open };
  // First, too, so that their order does not depend on which of them a deviation has.
  return JSON.stringify(
    deviations.map(({ operator, parameters, keys }) => [operator, { ...same, ...parameters, ...same }, keys]),
  );
}

/**
 * Replaces parameters that differ between kinds or can only be measured roughly: how often, how late, how long, when,
 * and which node each request reached.
 */
const MEASURED = {
  ...{ how: null, limit: null, limitHeader: null, remainingFrom: null },
  ...{ oneIn: null, lag: null, length: null, told: null, at: null, most: null },
  ...{ ahead: null, routing: null },
};
