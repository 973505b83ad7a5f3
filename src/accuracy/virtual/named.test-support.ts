import { expect } from 'vitest';
import type { RequirementId } from '../../catalogue/requirement.ts';
import { mayShow } from '../../deployment/operators.ts';
import { failed, type Situation } from './situation.test-support.ts';

/** What is wrong in a situation, in words, and the requirements that fail for it. */
export type Named = readonly [string, readonly string[], Situation];

/** These requirements fail in a situation, and no other one does. */
export async function expectNamed(due: readonly string[], situation: Situation): Promise<void> {
  const failures = await failed(situation);
  expect(failures).toEqual(expect.arrayContaining([...due]));
  // What single answers contradict as well is no other failure of the deployment.
  const shown = new Set((situation.deviations ?? []).flatMap(mayShow));
  const beside = failures.filter((id) => !due.includes(id) && !shown.has(id) && !SHOWN_BY_ANSWERS.has(id));
  expect(beside).toEqual([]);
}

const SHOWN_BY_ANSWERS: ReadonlySet<RequirementId> = new Set(['HDR-4', 'HDR-5', 'HDR-7', 'HDR-8']);
