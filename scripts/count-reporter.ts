import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Writes the run's own counts, `passed failed skipped`, and below them a line per failure, to the file that TEST_COUNTS
 * names: what CI prints in the end, where it is found although the output above is long.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const file = process.env.TEST_COUNTS;
    if (!file) return;
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    const failures = errors.map((error) => `an error outside any test: ${firstLine(error)}`);
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const { state, errors: causes } = test.result();
        counts[state] += 1;
        if (state === 'failed')
          failures.push(`${module.relativeModuleId} > ${test.fullName}: ${firstLine(causes?.[0])}`);
      }
      // A file that cannot be loaded has no test that could fail.
      if (!module.ok() && !tests.some((test) => test.result().state === 'failed')) {
        counts.failed += 1;
        failures.push(`${module.relativeModuleId}: ${firstLine(module.errors()[0])}`);
      }
    }
    const { passed, failed, pending, skipped } = counts;
    writeFileSync(file, [`${passed} ${failed + pending} ${skipped}`, ...failures, ''].join('\n'));
  }
}

function firstLine(error: unknown): string {
  const message =
    error instanceof Error || (typeof error === 'object' && error && 'message' in error)
      ? `${error.message}`
      : `${error}`;
  return message.split('\n')[0] ?? '';
}
