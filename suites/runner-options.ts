import { REQUIREMENTS } from '../src/catalogue/requirements.ts';

/** A window of a minute, twice, on a slow target, with room: a test that waits this long waits for ever. */
const TEST_TIMEOUT_MS = 15 * 60_000;

/**
 * How the test runner must run the suites, from the command line or by itself: one worker thread (its shutdown loses
 * nothing, a forked process's does), no isolation and everything concurrent (windows overlap), no retry (a failure that
 * was seen stays), every requirement declared as a tag (a misspelt one is an error).
 */
export const RUNNER_OPTIONS = {
  exclude: [],
  pool: 'threads',
  maxWorkers: 1,
  isolate: false,
  retry: 0,
  testTimeout: TEST_TIMEOUT_MS,
  sequence: { concurrent: true },
  maxConcurrency: 200,
  strictTags: true,
  tags: REQUIREMENTS.map(({ id, statement }) => ({ name: id, description: statement })),
} as const;
