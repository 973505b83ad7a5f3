import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
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
          failures.push(
            `${module.relativeModuleId} > ${test.fullName}: ${firstLine(causes?.[0])}`,
            ...shown(causes?.[0]),
          );
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

/** The beginning of what differs, indented: what a first line cuts, such as the output of a command. */
function shown(error: unknown): readonly string[] {
  if (typeof error !== 'object' || !error || !('diff' in error) || typeof error.diff !== 'string') return [];
  // A screen full.
  return stripVTControlCharacters(error.diff)
    .split('\n')
    .slice(0, 50)
    .map((line) => `    ${line}`);
}

function firstLine(error: unknown): string {
  const message =
    error instanceof Error || (typeof error === 'object' && error && 'message' in error)
      ? `${error.message}`
      : `${error}`;
  return message.split('\n')[0] ?? '';
}
