import { ATTRIBUTE_NAMES, requirementOf } from '../../deployment/attribute.ts';
import type { FinerScope } from '../../deployment/deviations/finer-scope.ts';
import { BOTH } from '../../deployment/operator.ts';
import { breaks, type Deviation } from '../../deployment/operators.ts';
import { type Explained, shapeBits } from '../../diagnosis/explained.ts';
import type { KindRuling } from '../../diagnosis/kind-ruling.ts';
import { bitsOfShape } from '../../diagnosis/proposal.ts';
import { sameDeviations } from '../../diagnosis/same-rule.ts';

/**
 * The deviation, extended to both kinds if the other kind has it as well, as some explanation that is as cheap states
 * it: of counts that were lost, one kind shows the moment better, and several moments explain the other. Of budgets that
 * are too fine, one kind may have a single operation in each group, so that operation and group explain it alike.
 */
export function saidOfBoth(deviation: Deviation, kind: KindRuling, others: readonly KindRuling[]): Deviation {
  const one = oneStore(deviation, kind, others) ?? asLate(deviation, others) ?? asOutage(deviation, others);
  if (one) return one;
  const all = kind.minimal.flatMap(({ deviations }) => deviations);
  const lost = deviation.operator === 'counters-lost' ? all.filter(({ operator }) => operator === 'counters-lost') : [];
  const alike = [...lost, ...all.filter((each) => sameDeviations([each], [deviation]))];
  const stated = [...scopesLike(deviation, all), deviation, ...alike].map(
    (each) => [each, ofBothKinds(each, others)] as const,
  );
  const [, both = deviation] = stated.find(([own, extended]) => own !== extended) ?? [];
  return both;
}

/**
 * Requests of both kinds that are counted late: the longest time that either kind shows, as each shows a lower bound.
 * Null if the other kind shows none.
 */
function asLate(deviation: Deviation, others: readonly KindRuling[]): Deviation | null {
  const { operator, parameters } = deviation;
  if (operator !== 'late-counting') return null;
  const theirs = sameOf(deviation, others).map(({ parameters: { lag } }) => lag);
  return theirs.length === 0
    ? null
    : { ...deviation, operator, parameters: { ...parameters, kinds: BOTH, lag: Math.max(parameters.lag, ...theirs) } };
}

/**
 * An outage that both kinds show: from the first request of either to the last, as each shows a part of it. Null if the
 * other kind shows none.
 */
function asOutage(deviation: Deviation, others: readonly KindRuling[]): Deviation | null {
  const { operator, parameters } = deviation;
  if (operator !== 'sporadic-admission' || !parameters.during) return null;
  const theirs = sameOf(deviation, others).flatMap(({ parameters: { during } }) => during ?? []);
  if (theirs.length === 0) return null;
  const all = [parameters.during, ...theirs];
  const during = { from: Math.min(...all.map(({ from }) => from)), to: Math.max(...all.map(({ to }) => to)) };
  return { ...deviation, operator, parameters: { ...parameters, kinds: BOTH, during } };
}

/** The same deviation in the cheapest explanations of the other kinds. */
function sameOf<Own extends Deviation>(deviation: Own, others: readonly KindRuling[]): readonly Own[] {
  const isSame = (each: Deviation): each is Own => sameDeviations([each], [deviation]);
  return others.flatMap(({ minimal: [first] }) => first?.deviations.filter(isSame) ?? []);
}

/**
 * In place of a store that is too small for each kind: one store of both, if one of this size explains either kind. It
 * takes one number, and keeps as many counters in all. Null where that is not so.
 */
function oneStore(
  { operator, parameters }: Deviation,
  kind: KindRuling,
  others: readonly KindRuling[],
): Deviation | null {
  if (operator !== 'counters-lost' || parameters.kept === undefined || others.length === 0) return null;
  const [own = [], ...theirs] = [kind, ...others].map(({ diagnosis }) => diagnosis.deviating.flatMap(sizeOfOneStore));
  const kept = own.find((size) => theirs.every((sizes) => sizes.includes(size)));
  return kept === undefined ? null : { operator, parameters: { kinds: BOTH, kept, store: 'of both kinds' } };
}

function sizeOfOneStore({ deviations: [deviation, ...more] }: Explained): readonly number[] {
  if (deviation?.operator !== 'counters-lost' || more.length > 0) return [];
  const { kept, store } = deviation.parameters;
  return kept !== undefined && store === 'of both kinds' ? [kept] : [];
}

/**
 * Of budgets for each class of an attribute: the same by every attribute that explains the kind as well, in an order
 * that is the same for both kinds.
 */
function scopesLike(deviation: Deviation, explaining: readonly Deviation[]): readonly Deviation[] {
  const own = partitionOf(deviation);
  if (own === null) return [];
  return ATTRIBUTE_NAMES.flatMap((attribute) =>
    explaining.filter((each) => {
      const other = partitionOf(each);
      if (other?.attribute !== attribute || each.keys?.join() !== deviation.keys?.join()) return false;
      return requirementOf(attribute) === requirementOf(own.attribute);
    }),
  );
}

/** What the budgets are made by, if each class has its own. */
function partitionOf({ operator, parameters }: Deviation): FinerScope | null {
  if (operator !== 'finer-scope') return null;
  const { blocks, exempt, others } = parameters;
  return others === 'apart' && blocks.length === 0 && exempt.length === 0 ? parameters : null;
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
  const isSaid = ({ deviations }: Explained): boolean => deviations.some((each) => text(each) === text(deviation));
  const both = { ...deviation, parameters: { ...parameters, kinds: BOTH } } as Deviation;
  if (others.some(({ minimal }) => minimal.some(isSaid))) return both;
  // A kind that conforms only by a mechanism of its own has it likelier too, if it breaks nothing more then.
  const isMore = breaks(both).length > breaks(deviation).length;
  return !isMore && others.some(({ diagnosis }) => shorterAlso(diagnosis).some(isSaid)) ? both : deviation;
}

/** What explains a conforming kind by a mechanism that takes fewer bits than the one by which it conforms. */
function shorterAlso({ conforming, also }: KindRuling['diagnosis']): readonly Explained[] {
  return conforming ? also.filter((each) => shapeBits(each) < bitsOfShape(conforming.fit.shape)) : [];
}

/** Whether all requests of a kind count as the other one too. */
function countsWholeKind(deviation: Deviation): deviation is Extract<Deviation, { readonly operator: 'shared-kinds' }> {
  const { operator, parameters } = deviation;
  return operator === 'shared-kinds' && !parameters.operations && !parameters.statuses;
}
