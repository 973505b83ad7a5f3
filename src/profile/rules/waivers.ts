import { isRequirementId, requirement } from '../../catalogue/catalogue.ts';
import { REQUIREMENTS } from '../../catalogue/requirements.ts';
import { type Finding, finding } from '../finding.ts';
import { nearest } from '../nearest.ts';
import { list, type Outline, record, text } from '../outline.ts';

const IDS = REQUIREMENTS.map(({ id }) => id);

/** Waivers name requirements that can fail, each part once. Whether they match a failure is for the judge to say. */
export function checkWaivers({ root }: Outline): readonly Finding[] {
  const seen = new Set<string>();
  return list(root.waivers).flatMap((each, index) => {
    const waiver = record(each);
    const id = text(waiver.requirement);
    if (id === null) return [];
    const at = ['waivers', index, 'requirement'];
    if (!isRequirementId(id)) {
      const remedy = 'Run "list" to see all IDs.';
      return [
        finding(at, `is not the ID of a requirement (${JSON.stringify(id)})`, remedy, { suggestion: nearest(id, IDS) }),
      ];
    }
    if (requirement(id).level === 'observed') {
      return [finding(at, `names ${id}, which is observed and never fails`, 'Remove the waiver.')];
    }
    const scope = `${id} ${String(waiver.part ?? '')}`;
    if (seen.has(scope)) return [finding(at, `waives ${scope.trim()} a second time`, 'Keep one of the waivers.')];
    seen.add(scope);
    return [];
  });
}
