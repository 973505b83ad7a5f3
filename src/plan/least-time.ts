import type { RequirementId } from '../catalogue/requirement.ts';

/**
 * How many windows must end before any test can decide a requirement: the length of the shortest run that could
 * distinguish a deployment that meets it from one that does not. Half a window means that a budget is spent, but no
 * window has to end.
 *
 * - 0: single answers contradict it, or show that it holds
 * - 0.5: it is about what one window accepts
 * - 1: it is about the end of a window
 * - 2: it is about how one window follows another, and the first may have begun before the run
 */
export const WINDOWS_NEEDED: Readonly<Record<RequirementId, 0 | 0.5 | 1 | 2>> = {
  'AUTH-1': 0,
  'AUTH-2': 0,
  'AUTH-3': 0,
  'AUTH-4': 0,
  'AUTH-5': 0,
  'AUTH-6': 0,
  'AUTH-7': 0,
  'AUTH-O1': 0,
  'AUTH-O2': 0,
  'AUTH-O3': 0,
  'STATUS-200': 0,
  'STATUS-400': 0,
  'STATUS-401': 0,
  'STATUS-403': 0,
  'STATUS-404': 0,
  // A 429 needs a spent budget.
  'STATUS-429': 0.5,
  'STATUS-500': 0,
  'STATUS-SET': 0,
  'STATUS-NO5XX': 0,
  // A refusal is one of its witnesses.
  'HDR-1': 0.5,
  'HDR-2': 0,
  'HDR-3': 0,
  'HDR-4': 0.5,
  'HDR-5': 0.5,
  'HDR-6': 0,
  'HDR-7': 1,
  'HDR-8': 1,
  // In one window, the rounding of a sliding counter excuses one request too many, and use by others one too few.
  'LIMIT-R': 1,
  'LIMIT-W': 1,
  'LIMIT-WINDOW': 2,
  'LIMIT-KEY': 0.5,
  'LIMIT-SCOPE': 0.5,
  'LIMIT-RW': 0.5,
  'LIMIT-HEADER': 0.5,
  'LIMIT-EVADE': 0.5,
  'LIMIT-ANON': 0.5,
  'LIMIT-ATOMIC': 0.5,
  'LIMIT-HISTORY': 2,
  'LIMIT-O1': 2,
  'VERSION-1': 0,
  'VERSION-O1': 0,
};
