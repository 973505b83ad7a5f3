import type { RequirementId } from '../../src/catalogue/requirement.ts';
import type { Defect } from '../../src/reference/defects/defect.ts';

/** Defects of the sample that break a requirement, at least, where there are so many. */
const OF_EACH = 2;

/** The fewest defects, chosen greedily, that hold two for each requirement which any of them breaks. */
export function sampleOf(all: readonly Defect[]): readonly Defect[] {
  const observable = all.filter((defect) => defect.observable === true);
  const held = new Map<RequirementId, number>();
  const gain = ({ must }: Defect): number => must.filter((id) => (held.get(id) ?? 0) < OF_EACH).length;
  const chosen: Defect[] = [];
  for (;;) {
    const left = observable.filter((defect) => !chosen.includes(defect));
    const most = Math.max(0, ...left.map(gain));
    const next = left.find((defect) => gain(defect) === most);
    if (most === 0 || !next) return chosen;
    chosen.push(next);
    for (const id of next.must) held.set(id, (held.get(id) ?? 0) + 1);
  }
}
