import { BOTH } from '../../deployment/operator.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { KindRuling } from '../../diagnosis/kind-ruling.ts';
import { sameDeviations } from '../../diagnosis/same-rule.ts';

/**
 * The deviation, extended to both kinds if the other kind has it as well, as some explanation that is as cheap states
 * it: of counts that were lost, one kind shows the moment better, and several moments explain the other.
 */
export function saidOfBoth(
  deviation: Deviation,
  minimal: KindRuling['minimal'],
  others: readonly KindRuling[],
): Deviation {
  const alike = minimal.flatMap(({ deviations }) => deviations.filter((each) => sameDeviations([each], [deviation])));
  const stated = [deviation, ...alike].map((each) => [each, ofBothKinds(each, others)] as const);
  const [, both = deviation] = stated.find(([own, extended]) => own !== extended) ?? [];
  return both;
}

/** The deviation, extended to both kinds if the explanation of the other kind has it as well. */
export function ofBothKinds(deviation: Deviation, others: readonly KindRuling[]): Deviation {
  const { operator, parameters } = deviation;
  if (operator === 'shared-kinds') {
    if (parameters.operations || parameters.statuses) return deviation;
    const isOther = (each: Deviation): boolean => countsWholeKind(each) && each.parameters.how !== parameters.how;
    const both = others.some(({ minimal }) => minimal[0]?.deviations.some(isOther));
    return both ? { operator, parameters: { how: 'one count' } } : deviation;
  }
  if (!('kinds' in parameters)) return deviation;
  const text = (each: Deviation): string =>
    JSON.stringify([each.operator, { ...each.parameters, kinds: BOTH }, each.keys]);
  const shared = others.some(({ minimal }) =>
    minimal.some(({ deviations }) => deviations.some((each) => text(each) === text(deviation))),
  );
  return shared ? ({ ...deviation, parameters: { ...parameters, kinds: BOTH } } as Deviation) : deviation;
}

/** Whether all requests of a kind count as the other one too. */
function countsWholeKind(deviation: Deviation): deviation is Extract<Deviation, { readonly operator: 'shared-kinds' }> {
  const { operator, parameters } = deviation;
  return operator === 'shared-kinds' && !parameters.operations && !parameters.statuses;
}
