import { defineConfig } from 'vitest/config';
import LongestFirst from './scripts/longest-first.ts';
import { conformance } from './suites/conformance.ts';

/** Tests that run whole commands, or in real or scaled time. */
const IN_TIME = ['**/*.time.test.ts', 'test/**/*.test.ts'];

// `unit` and `time` are the project's own tests: the first needs no window, no network beyond this machine and no quiet
// machine; the second runs one file after the other, since what it measures is time. `conformance` is the suite itself,
// run against the target that the environment names: `npx vitest run --project conformance` gives the same verdicts as
// the command line.
export default defineConfig({
  test: {
    reporters: ['default', './scripts/count-reporter.ts', './scripts/progress-reporter.ts'],
    fsModuleCache: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,load,scripts,bench,bin,suites}/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...IN_TIME],
          setupFiles: ['scripts/hermetic.ts'],
          // Two cores are two workers: by default the runner keeps one for itself.
          maxWorkers: '100%',
          // Every file anew would load all modules anew, which takes as long as the tests; none of them holds any state
          // of a test.
          isolate: false,
          // Node loads the modules itself, as it does in use: rewritten for the runner, each call of another module's
          // function would go through an object of its exports, which costs judging a seventh of its time.
          experimental: { viteModuleRunner: false },
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'time',
          include: IN_TIME,
          exclude: ['**/node_modules/**'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
      conformance,
    ],
  },
});
