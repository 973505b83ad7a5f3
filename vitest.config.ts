import { defineConfig } from 'vitest/config';
import { RUNNER_OPTIONS } from './suites/runner-options.ts';

// `unit` holds the project's own tests, beside what they test. `conformance` is the suite itself, run against the target
// that the environment names: `npx vitest run --project conformance` gives the same verdicts as the command line.
export default defineConfig({
  test: {
    reporters: ['default', './scripts/count-reporter.ts'],
    fsModuleCache: false,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,load,suites,scripts,test,bench,bin}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
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
