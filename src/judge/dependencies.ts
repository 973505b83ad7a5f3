import { isRequirementId, requirement } from '../catalogue/catalogue.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { type Exchange, isSuccess } from '../trace/exchange.ts';
import { FIELDS, type Field, integerOf, LARGE } from './fields.ts';
import { isOfLimits } from './shown.ts';
import type { Opinion } from './verdict.ts';

/** The header that a requirement reads: of HDR-2's three parts, the one that it depends on. */
const READS: Readonly<Partial<Record<RequirementId, Field>>> = {
  'HDR-3': 'limit',
  'HDR-4': 'remaining',
  'HDR-5': 'remaining',
  'HDR-6': 'reset',
  'HDR-7': 'reset',
  'HDR-8': 'reset',
};

/**
 * Requirements whose failure keeps this one from being judged, so that one defect does not print as five. HDR-2 holds
 * back only what reads the header that is malformed. A failure that is proved without the broken part (by well-formed
 * headers, by keys that were accepted) is another defect, and stays.
 */
export function suppressors(opinion: Opinion, failed: ReadonlyMap<RequirementId, Opinion>): RequirementId[] {
  return requirement(opinion.id)
    .dependsOn.filter(isRequirementId)
    .filter((dependency) => {
      const cause = failed.get(dependency);
      return cause !== undefined && concerns(cause, opinion.id) && !standsAlone(opinion, dependency);
    });
}

function concerns(cause: Opinion, id: RequirementId): boolean {
  const field = READS[id];
  if (cause.id !== 'HDR-2' || field === undefined) return true;
  const name = FIELDS.find((each) => each.field === field)?.name;
  return (cause.parts ?? []).some((part) => part.name === name && part.verdict === 'fail');
}

/** The header by which a requirement demands that a key is accepted. */
const WAYS: Readonly<Partial<Record<RequirementId, string>>> = { 'AUTH-2': 'x-api-key', 'AUTH-3': 'bearer' };

/**
 * Whether requests show something of both headers though one is refused elsewhere: some were accepted by it, and no key
 * among them was refused.
 */
function worksBy(way: string, evidence: readonly Exchange[]): boolean {
  const isAccepted = ({ credential, status }: Exchange): boolean => credential === way && isSuccess(status);
  return evidence.some(isAccepted) && evidence.every(({ status }) => status !== 401);
}

function standsAlone(opinion: Opinion, dependency: RequirementId): boolean {
  if (opinion.verdict !== 'fail') return false;
  const way = WAYS[dependency];
  if (way !== undefined) {
    return isOfLimits(opinion.id) && (opinion.proofs ?? []).some(({ evidence }) => worksBy(way, evidence));
  }
  const field = READS[opinion.id];
  if (field === undefined) return false;
  const sound = (exchange: Exchange): boolean => {
    if (exchange.headers[field].length === 0) return true;
    const value = integerOf(exchange.headers[field]);
    return value !== null && (dependency !== 'HDR-6' || value >= LARGE);
  };
  return (opinion.proofs ?? []).some((proof) => proof.evidence.length > 0 && proof.evidence.every(sound));
}
