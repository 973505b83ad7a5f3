import type { FinerScope } from '../deployment/deviations/finer-scope.ts';
import type { Deviation } from '../deployment/operators.ts';
import { DEVIATION_BITS } from './proposal.ts';
import { RULE_BITS } from './proposers/routing.ts';
import { CONNECTION_BITS, divisionBits } from './proposers/scope-bits.ts';
import { SPLIT_BITS } from './proposers/split-limit.ts';
import { inCommon } from './same-rule.ts';

/**
 * Bits that need not be stated again of deviations which the other kind has as well: that there is one, the rule by
 * which requests reach nodes, how these share the limit, and which requests have budgets apart. Other parameters are
 * measured of each kind, or few.
 */
export function bitsInCommon(one: readonly Deviation[], other: readonly Deviation[]): number {
  return inCommon(one, other).reduce((sum, deviation) => sum + bitsShared(deviation), 0);
}

/** The most bits that explanations of another kind may save these deviations. */
export function mostShared(deviations: readonly Deviation[]): number {
  return deviations.reduce((most, each) => Math.max(most, bitsShared(each)), DEVIATION_BITS);
}

function bitsShared({ operator, parameters }: Deviation): number {
  if (operator === 'finer-scope') return DEVIATION_BITS + bitsOfScope(parameters);
  if (operator !== 'nodes-apart') return DEVIATION_BITS;
  const rule = parameters.routing === 'at random' ? 0 : RULE_BITS;
  return DEVIATION_BITS + rule + (parameters.split ? SPLIT_BITS : 0);
}

/** Bits to state an attribute, and which of the named classes are in which part. */
function bitsOfScope({ attribute, blocks, exempt }: FinerScope): number {
  const parts = blocks.length + Number(exempt.length > 0);
  const named = blocks.flat().length + exempt.length;
  return divisionBits(named, parts) + (attribute === 'connection' ? CONNECTION_BITS : 0);
}
