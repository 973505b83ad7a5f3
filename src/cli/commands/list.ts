import { existsSync } from 'node:fs';
import { catalogueDigest, requirement } from '../../catalogue/catalogue.ts';
import { COVERAGE } from '../../catalogue/coverage.ts';
import type { RequirementId } from '../../catalogue/requirement.ts';
import type { CoverageCount } from '../../plan/coverage-count.ts';
import { makePlan } from '../../plan/plan.ts';
import type { Invocation } from '../arguments.ts';
import { plannedCoverage, traceabilityText } from '../coverage-text.ts';
import { readTargetProfile } from '../prepare-run.ts';
import { UsageError } from '../usage-error.ts';

/** The number of keys for which the coverage of a profile is counted: the number that finds the most. */
const KEYS = { full: ['key-1', 'key-2', 'key-3', 'key-4'], restricted: true, revoked: true };

/** Prints the requirements of the catalogue, or how the suite tests each of them. */
export async function listCommand({ selection, options, given }: Invocation): Promise<number> {
  if (given.has('profile') && !options.coverage) {
    throw new UsageError('--profile is there to count what it lets the suite test: give --coverage with it.');
  }
  const requirements = selection.map(requirement);
  const coverage = options.coverage ? coverageOf(selection, options.profile, given.has('profile')) : null;
  if (options.json) {
    const reached = coverage && selection.map((id) => ({ requirement: id, ...COVERAGE[id], ...coverage.get(id) }));
    const printed = { digest: catalogueDigest(), requirements, ...(reached ? { coverage: reached } : {}) };
    process.stdout.write(`${JSON.stringify(printed, null, 2)}\n`);
    return 0;
  }
  if (coverage) {
    process.stdout.write(`${selection.map((id) => traceabilityText(id, coverage.get(id))).join('\n\n')}\n`);
    return 0;
  }
  for (const { id, level, clauses, statement } of requirements) {
    process.stdout.write(`${id.padEnd(14)} ${`${level} ${clauses.join(', ')}`.padEnd(18)} ${statement}\n`);
  }
  return 0;
}

/**
 * How much a certification of the profile with four keys tries, by requirement; empty if there is no profile.
 *
 * @throws UsageError if the profile is wrong, or, where it was asked for, missing
 */
function coverageOf(
  selection: Invocation['selection'],
  file: string,
  isGiven: boolean,
): ReadonlyMap<RequirementId, CoverageCount> {
  if (!isGiven && !existsSync(file)) return new Map();
  const profile = readTargetProfile(file, { baseUrl: null }, () => {});
  const plan = makePlan({ profile, keys: KEYS, selection: new Set(selection), mode: 'certify' });
  const all = plannedCoverage(plan, { profile, keys: KEYS, selection });
  return new Map(all.map((each) => [each.requirement, each]));
}
