import type { Rule } from './outline.ts';
import { checkCycles, checkDeletions, checkIds, checkReferences } from './rules/references.ts';
import {
  checkContentTypes,
  checkHeaders,
  checkMethods,
  checkPaths,
  checkProbes,
  checkQueries,
} from './rules/requests.ts';
import { checkCoverage, checkPacing, checkTarget } from './rules/target.ts';
import { checkCaptures, checkVariables } from './rules/variables.ts';
import { checkWaivers } from './rules/waivers.ts';

/** Everything that makes a profile of the right shape contradict itself, the specification or HTTP. */
export const RULES: readonly Rule[] = [
  checkTarget,
  checkIds,
  checkReferences,
  checkCycles,
  checkDeletions,
  checkMethods,
  checkPaths,
  checkQueries,
  checkHeaders,
  checkContentTypes,
  checkCaptures,
  checkVariables,
  checkProbes,
  checkPacing,
  checkWaivers,
  checkCoverage,
];
