import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Their tables of whole runs take minutes each in `npm run soundness`. */
const LONGEST = /\/src\/accuracy\/virtual\//;

/**
 * The order of test files: those that take longest first, so that no worker is left with one of them in the end. The
 * rest is in the runner's order, by size.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [true, false].flatMap((long) => sorted.filter(({ moduleId }) => LONGEST.test(moduleId) === long));
  }
}
