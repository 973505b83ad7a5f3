import { defineConfig } from 'vitest/config';

// `unit` holds the project's own tests, beside what they test. `conformance` is the suite itself, run against the target
// that the environment names: `npx vitest run --project conformance` gives the same verdicts as the command line.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,load,suites,scripts,test,bench,bin}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
