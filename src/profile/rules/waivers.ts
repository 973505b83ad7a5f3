import { isRequirementId, requirement } from '../../catalogue/catalogue.ts';
import { REQUIREMENTS } from '../../catalogue/requirements.ts';
import { type Finding, finding } from '../finding.ts';
import { nearest } from '../nearest.ts';
import { list, type Outline, record, text } from '../outline.ts';
import type { Waiver } from '../profile.ts';

const IDS = REQUIREMENTS.map(({ id }) => id);

/**
 * What it means that a waiver ended before a day (UTC, as an ISO date): an error, or a warning of a failure to come.
 */
export interface Ended {
  readonly before: string;
  readonly severity: Finding['severity'];
}

/** No waiver has ended. */
export function checkEnds({ root }: Outline, { before, severity }: Ended): readonly Finding[] {
  return list(root.waivers).flatMap((each, index) => {
    const until = text(record(each).until);
    if (until === null || !isDate(until) || until >= before) return [];
    const problem = `is past (${until}), so the waiver no longer applies`;
    return [finding(['waivers', index, 'until'], problem, 'Fix the deployment, or renew the waiver.', { severity })];
  });
}

/** Whether there is such a day: of one that there is not, nothing is past. */
function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/**
 * Waivers name requirements that can fail, each part once. Whether they match a failure is for the judge to say.
 *
 * @param others waivers of the profile, of a file besides it
 */
export function checkWaivers({ root }: Outline, others: readonly Waiver[] = []): readonly Finding[] {
  const scopeOf = (id: string, part: unknown): string => `${id} ${String(part ?? '')}`.trim();
  const seen = new Map(
    others.map((each) => [scopeOf(each.requirement, each.part), ', which the profile already waives']),
  );
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
    const scope = scopeOf(id, waiver.part);
    const earlier = seen.get(scope);
    seen.set(scope, ' a second time');
    return earlier === undefined ? [] : [finding(at, `waives ${scope}${earlier}`, 'Keep one of the waivers.')];
  });
}
