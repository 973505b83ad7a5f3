import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readVariables } from '../profile/environment.ts';
import { envFileOf, hiderOfGivenWords, hiderOfSetKeys, refuseKeys } from './refuse-keys.ts';

const KEY = 'zq7-recognisable+token/of-the-panel';
const folder = mkdtempSync(join(tmpdir(), 'size-chart-arguments-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'keys.env');
writeFileSync(
  file,
  `SIZE_CHART_KEYS="first-of-the-panel, ${KEY}"\nSIZE_CHART_RESTRICTED_KEY=restricted-of-the-panel\n`,
);

describe('an argument that holds a key is refused, and not repeated', () => {
  test.each([
    [['certify', KEY], 2],
    [[KEY], 1],
    [['certify', '--only', KEY], 3],
    [['certify', `--seed=${KEY}`], 2],
    [['certify', `--${KEY}`], 2],
    [['certify', '--nonce', `a-nonce-and-${KEY}`], 3],
    [['certify', '--out', `reports/${encodeURIComponent(KEY)}`], 3],
    [['certify', '--base-url', `https://user:${encodeURIComponent(KEY)}@host/api/v1`], 3],
    [['certify', '--base-url', `https://host/api/v1?k=${Buffer.from(KEY).toString('base64url')}`], 3],
    [['verify', '--key', 'restricted-of-the-panel'], 3],
  ])('%#', (argv, place) => {
    for (const [given, shift, env] of [
      [
        argv,
        0,
        { SIZE_CHART_KEYS: `another-of-the-panel,${KEY}`, SIZE_CHART_RESTRICTED_KEY: 'restricted-of-the-panel' },
      ],
      [['--keys-file', file, ...argv], 2, {}],
      [[`--keys-file=${file}`, ...argv], 1, {}],
    ] as const) {
      const refusal = refuseKeys(given, hiderOfSetKeys(readVariables(env, envFileOf(given)).values))?.message ?? '';
      expect(refusal).toContain(`argument ${place + shift} contains an API key, or a part of one.`);
      expect(refusal).not.toMatch(/recognisable|restricted-of|cmVjb2/);
    }
  });
});

test('arguments without a key are not touched, whatever the environment', () => {
  const argv = [
    'certify',
    '--profile',
    'acme.profile.yaml',
    '--only',
    'LIMIT-*',
    '--nonce',
    'b1946ac92492d2347c6235b4d2611184',
  ];
  for (const env of [{}, { SIZE_CHART_KEYS: KEY }, { SIZE_CHART_KEYS: 'certify,acme' }, { SIZE_CHART_KEYS: ';' }]) {
    expect(refuseKeys(argv, hiderOfSetKeys(env))).toBeNull();
  }
});

describe('a word that looks like a key is not repeated, even if no key is set', () => {
  const given = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';

  test.each([
    ['--profile', given],
    ['--profile', `profiles/${given}.yaml`],
    [`--profile=${given}`],
    ['--only', `HDR-1,${given}`],
    ['judge', given],
    ['--base-url', `https://host.test/api/v1/${given}`],
  ])('%j', (...argv) => {
    const shown = hiderOfGivenWords(argv)(`${argv.join(' ')}: there is no such file`);
    expect(shown).not.toContain(given);
    expect(shown).toContain('…');
  });

  test('names of files, folders and requirements are repeated', () => {
    for (const word of ['size-chart.profile.yaml', 'reports/2026-11-21T05-27-00Z-certify', 'HDR-99', file]) {
      expect(hiderOfGivenWords([word])(`${word}: no`)).toBe(`${word}: no`);
    }
  });
});
