import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes the run's own counts, `passed failed skipped`, to the file that TEST_COUNTS names: what CI prints in the end. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const file = process.env.TEST_COUNTS;
    if (!file) return;
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) counts[test.result().state] += 1;
      // A file that cannot be loaded has no test that could fail.
      if (!module.ok() && !tests.some((test) => test.result().state === 'failed')) counts.failed += 1;
    }
    writeFileSync(file, `${counts.passed} ${counts.failed + counts.pending} ${counts.skipped}\n`);
  }
}
