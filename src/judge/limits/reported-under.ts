import { LIMITS } from '../../catalogue/limits.ts';
import type { RequirementId } from '../../catalogue/requirement.ts';
import { breaks, type Deviation, mayShow } from '../../deployment/operators.ts';
import type { KindDiagnosis } from '../../diagnosis/diagnose.ts';
import type { KindRuling } from '../../diagnosis/kind-ruling.ts';
import { limitTold } from '../../diagnosis/world.ts';
import type { Kind } from '../../trace/exchange.ts';
import type { Ruling } from './ruling.ts';

/** Requirements that are about one kind alone. */
export const OF_KIND: Readonly<Partial<Record<RequirementId, Kind>>> = { 'LIMIT-R': 'read', 'LIMIT-W': 'write' };

/** The requirement under which a deviation is reported. The others that it breaks follow from it. */
export function firstOf(deviation: Deviation, { diagnosis, broken }: KindRuling): readonly RequirementId[] {
  const own = breaks(deviation).filter((id) => broken.has(id) && (OF_KIND[id] ?? diagnosis.kind) === diagnosis.kind);
  return own.slice(0, 1);
}

/** The requirements under which the deviations of the cheapest explanation are reported. */
export function namedBy(kind: KindRuling): readonly RequirementId[] {
  const [first] = kind.outcome === 'deviates' ? kind.minimal : [];
  return [...new Set((first?.deviations ?? []).flatMap((each) => firstOf(each, kind)))].sort();
}

/**
 * The requirement that another failure follows from: the one under which a deviation is reported that also gives these
 * answers.
 */
export function explainedBy(id: RequirementId, kind: KindRuling | null): Pick<Ruling, 'followsFrom'> {
  const [explained] = kind?.minimal ?? [];
  const [deviation] = explained?.deviations.filter((each) => mayShow(each).includes(id)) ?? [];
  const causes = kind && deviation ? firstOf(deviation, kind).filter((each) => each !== id) : [];
  return causes.length > 0 ? { followsFrom: causes } : {};
}

/**
 * Whether Remaining counts down from another limit, which the same answers state: both headers show another policy, or
 * are those of another request, and HDR-3 says so. Where others use up that policy, too, less is left of it than that.
 */
export function countsFromToldLimit({ operator, parameters }: Deviation, { kind, world }: KindDiagnosis): boolean {
  if (operator !== 'remaining-header') return false;
  const { change } = parameters;
  if (change === 'another request') return true;
  if (typeof change !== 'object' || !('offset' in change)) return false;
  const limit = LIMITS[kind];
  const told = new Set(world.histories.flatMap(({ events }) => events.flatMap((event) => limitTold(event) ?? [])));
  const isTold = (each: number): boolean =>
    each !== limit && (change.offset === each - limit || (change.offset > 1 && change.offset < each - limit));
  return told.size > 0 && [...told].every(isTold);
}

/** Whether the report names what is wrong with the budgets of a kind. */
export function isNamed({ outcome, broken }: KindRuling): boolean {
  return outcome === 'deviates' && broken.size > 0;
}
