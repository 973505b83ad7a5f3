import { UsageError } from '../src/cli/usage-error.ts';

/** What the options of the command line are called where the test runner is started by itself. */
const NAMES: readonly (readonly [option: RegExp, name: string])[] = [
  [/--tags(?![\w-])/g, '--tags-filter'],
  [/--only and --tags-filter together/g, '-t and --tags-filter together'],
  [/--profile(?: FILE)?(?![\w-])/g, 'SIZE_CHART_PROFILE'],
  [/--base-url(?: URL)?(?: or SIZE_CHART_BASE_URL)?(?![\w-])/g, 'SIZE_CHART_BASE_URL'],
  [/--out(?![\w-])/g, 'SIZE_CHART_OUT'],
];

/**
 * An error of usage as the test runner is to print it: with the names that its user knows, and without the place in
 * this package that found it. Any other error as it is.
 */
export function inRunnersWords(error: unknown): unknown {
  if (!(error instanceof UsageError)) return error;
  const told = new UsageError(NAMES.reduce((text, [option, name]) => text.replace(option, name), error.message));
  told.stack = `${told.name}: ${told.message}`;
  return told;
}
