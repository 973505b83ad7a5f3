import { createHash } from 'node:crypto';
import type { Requirement, RequirementId } from './requirement.ts';
import { REQUIREMENTS } from './requirements.ts';

const byId: ReadonlyMap<string, Requirement> = new Map(REQUIREMENTS.map((each) => [each.id, each]));

/**
 * The requirement with this ID. Throws a RangeError where there is none: IDs from users go through `isRequirementId`.
 */
export function requirement(id: RequirementId): Requirement {
  const found = byId.get(id);
  if (!found) throw new RangeError(`no requirement ${id}`);
  return found;
}

export function isRequirementId(id: string): id is RequirementId {
  return byId.has(id);
}

/**
 * SHA-256 (hex) over the catalogue as canonical JSON: the same for the same statements, whatever the file looks like.
 */
export function catalogueDigest(): string {
  return createHash('sha256').update(JSON.stringify(REQUIREMENTS)).digest('hex');
}
