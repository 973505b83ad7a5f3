import type { OperationFacts, RequestClass } from '../../deployment/attribute.ts';
import { BOTH } from '../../deployment/operator.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Explained } from '../../diagnosis/explained.ts';
import type { KindRuling } from '../../diagnosis/kind-ruling.ts';

/**
 * The decision about one kind without the kind of deviations whose requests can only be of this kind, as those to one
 * operation are, or HEAD: nobody asks about the other one.
 *
 * @param operations those of the profile
 */
export function withoutOwnKind(kind: KindRuling, operations: readonly OperationFacts[]): KindRuling {
  const others = operations.filter((each) => each.kind !== kind.diagnosis.kind);
  const ofAny = (each: Deviation): Deviation => {
    const named = requestsNamed(each);
    if (named === null || others.some((other) => isOne(other, named))) return each;
    return { ...each, parameters: { ...each.parameters, kinds: BOTH } } as Deviation;
  };
  const said = (each: Explained): Explained => ({ ...each, deviations: each.deviations.map(ofAny) });
  return { ...kind, minimal: kind.minimal.map(said), ...(kind.likelier && { likelier: said(kind.likelier) }) };
}

/** The only requests that the sentence on a deviation is about, by what operations have; null: it is about others too. */
function requestsNamed({ operator, parameters }: Deviation): RequestClass | null {
  if (operator === 'class-weight') return parameters.attribute === 'status' ? null : (parameters as RequestClass);
  if (operator === 'early-refusal') return parameters.reserve?.of ?? null;
  if (operator !== 'finer-scope' || parameters.others !== 'together') return null;
  const { attribute, blocks, exempt } = parameters;
  return { attribute, classes: [...blocks.flat(), ...exempt] };
}

/** Whether requests for an operation are of these; where the operation does not tell, they may be. */
function isOne({ id, group, method }: OperationFacts, { attribute, classes }: RequestClass): boolean {
  const own = attribute === 'operation' ? id : attribute === 'group' ? group : attribute === 'method' ? method : null;
  return own === null || classes.includes(own);
}
