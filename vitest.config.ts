import { defineConfig } from 'vitest/config';
import { RUNNER_OPTIONS } from './suites/runner-options.ts';

/** Tests that run whole commands or whole runs: one after the other, since what they measure is time. */
const TIMED = [
  'test/**/*.test.ts',
  'suites/**/*.test.ts',
  'src/accuracy/accuracy.test.ts',
  'src/doctor/doctor.test.ts',
  'src/load/load-command.test.ts',
];

// `unit` and `timed` are the project's own tests. `conformance` is the suite itself, run against the target that the environment
// names: `npx vitest run --project conformance` gives the same verdicts as the command line.
export default defineConfig({
  test: {
    reporters: ['default', './scripts/count-reporter.ts'],
    fsModuleCache: false,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,load,scripts,bench,bin}/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...TIMED],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'timed',
          include: TIMED,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...RUNNER_OPTIONS,
          exclude: [],
          tags: [...RUNNER_OPTIONS.tags],
          name: 'conformance',
          include: ['suites/all.suite.ts'],
          globalSetup: ['suites/global-setup.ts'],
        },
      },
    ],
  },
});
