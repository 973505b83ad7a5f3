import { describe, expect, test } from 'vitest';
import { COMMAND_NAMES, commandSpec } from './commands.ts';
import { helpText } from './help.ts';

test('the help names every command, the exit codes and the environment', () => {
  const text = helpText(null);
  for (const name of COMMAND_NAMES) expect(text).toContain(`\n  ${name}`);
  for (const code of ['0  ', '1  ', '2  ', '3  ']) expect(text).toContain(`\n  ${code}`);
  expect(text).toContain('SIZE_CHART_RESTRICTED_KEY');
});

describe.each(COMMAND_NAMES)('the help for %s', (name) => {
  test('names every option and every example', () => {
    const text = helpText(name);
    for (const option of commandSpec(name).options) expect(text).toMatch(new RegExp(`\n  --${option} `));
    for (const example of commandSpec(name).examples) expect(text).toContain(`\n  size-chart-conformance ${example}`);
  });
});

test('the help for a command, whole', () => {
  expect(helpText('keygen')).toBe(`Make a key pair for certificates.

Usage: size-chart-conformance keygen [options]

Options:
  --out PATH  where to write the results
  --json      print JSON
  --no-color  print without colours
  -h, --help  print this

Examples:
  size-chart-conformance keygen --out acme
`);
});
