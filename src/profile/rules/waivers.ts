import { isRequirementId, requirement } from '../../catalogue/catalogue.ts';
import { REQUIREMENTS } from '../../catalogue/requirements.ts';
import { type Finding, finding } from '../finding.ts';
import { nearest } from '../nearest.ts';
import { list, type Outline, record, text } from '../outline.ts';

const IDS = REQUIREMENTS.map(({ id }) => id);

/** What it means that a waiver ended before a day (UTC, as an ISO date): an error, or a warning of a failure to come. */
export interface Ended {
  readonly before: string;
  readonly severity: Finding['severity'];
}

/** No waiver has ended. */
export function checkEnds({ root }: Outline, { before, severity }: Ended): readonly Finding[] {
  return list(root.waivers).flatMap((each, index) => {
    const until = text(record(each).until);
    if (until === null || !/^\d{4}-\d{2}-\d{2}$/.test(until) || until >= before) return [];
    const problem = `is past (${until}), so the waiver no longer applies`;
    return [finding(['waivers', index, 'until'], problem, 'Fix the deployment, or renew the waiver.', { severity })];
  });
}

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
