import { expect, test } from 'vitest';
import { UsageError } from '../src/cli/usage-error.ts';
import { inRunnersWords } from './usage.ts';

test.each([
  ['--tags: there is no requirement "X".', '--tags-filter: there is no requirement "X".'],
  ['--only and --tags together select no requirement.', '-t and --tags-filter together select no requirement.'],
  ['There is no p.yaml. Give --profile FILE.', 'There is no p.yaml. Give SIZE_CHART_PROFILE.'],
  ['--base-url or SIZE_CHART_BASE_URL: base URL has a space.', 'SIZE_CHART_BASE_URL: base URL has a space.'],
  ['Choose another with --out.', 'Choose another with SIZE_CHART_OUT.'],
])('an error of usage is told in the words of the runner, and without a place in the code: %s', (message, told) => {
  const error = inRunnersWords(new UsageError(message));
  expect(error).toMatchObject({ message: told, stack: `UsageError: ${told}` });
});

test('any other error keeps its stack', () => {
  const error = new TypeError('a fault of the suite');
  expect(inRunnersWords(error)).toBe(error);
});
