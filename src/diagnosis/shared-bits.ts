import type { Deviation } from '../deployment/operators.ts';
import { DEVIATION_BITS } from './proposal.ts';
import { RULE_BITS } from './proposers/routing.ts';
import { inCommon } from './same-rule.ts';

/**
 * Bits that need not be stated again of deviations which the other kind has as well: that there is one, and the rule by
 * which requests reach nodes. Its other parameters are measured of each kind, or few.
 */
export function bitsInCommon(one: readonly Deviation[], other: readonly Deviation[]): number {
  return inCommon(one, other).reduce((sum, deviation) => sum + bitsShared(deviation), 0);
}

/** The most bits that explanations of another kind may save these deviations. */
export function mostShared(deviations: readonly Deviation[]): number {
  return deviations.reduce((most, each) => Math.max(most, bitsShared(each)), DEVIATION_BITS);
}

function bitsShared({ operator, parameters }: Deviation): number {
  const isRule = operator === 'nodes-apart' && parameters.routing !== 'at random';
  return DEVIATION_BITS + (isRule ? RULE_BITS : 0);
}
