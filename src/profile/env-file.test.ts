import { expect, test } from 'vitest';
import { envFileWarnings } from './env-file.ts';

const warnings = (...lines: readonly string[]): string[] => envFileWarnings(lines.join('\n'), '.env');

test('a file as it is meant gives no warning', () => {
  expect(
    warnings(
      '# keys of the test account',
      '',
      'SIZE_CHART_KEYS=one-key-a1b2c3,another-key-d4e5f6  # two of them',
      'export SIZE_CHART_RESTRICTED_KEY="a#quoted-key-g7h8"',
      "SIZE_CHART_REVOKED_KEY='of",
      'two lines',
      "with # and no equals sign'",
      'OTHER=some#thing',
      'OTHER=twice',
    ),
  ).toEqual([]);
});

test('an unquoted # ends a value', () => {
  expect(warnings('SIZE_CHART_KEYS=ab#cdefgh1234')).toEqual([
    '.env:1: # begins a comment, so SIZE_CHART_KEYS ends before it. If it belongs to the value, put the value in quotes.',
  ]);
});

test('a line that sets nothing is told, without its text', () => {
  expect(warnings('SIZE_CHART_KEYS=one-key-a1b2c3', 'another-key-d4e5f6')).toEqual([
    '.env:2: this line has no "=", so it sets nothing. Write NAME=value, or put # before it.',
  ]);
});

test('of a variable that is set twice, the last counts', () => {
  expect(warnings('SIZE_CHART_KEYS=one-key-a1b2c3', '', 'SIZE_CHART_KEYS=another-key-d4e5f6')).toEqual([
    '.env:3: SIZE_CHART_KEYS is set on line 1 as well. This line counts: remove one of them.',
  ]);
});
