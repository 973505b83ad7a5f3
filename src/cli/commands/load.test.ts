import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { madeLog } from '../../load/records.test-support.ts';
import { sampleSpec } from '../../load/spec.test-support.ts';
import { referenceProfile } from '../../reference/profile.ts';
import { parseCommandLine } from '../arguments.ts';
import { UsageError } from '../usage-error.ts';
import { loadCommand, mergeCommand } from './load.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'load-command-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const variables = { values: { SIZE_CHART_KEYS: 'a-made-up-key-1,a-made-up-key-2' }, file: null, problem: null };

/** A command as it is given, on a profile of a target at this address. */
function invoke(baseUrl: string, ...words: readonly string[]) {
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, referenceProfile(baseUrl));
  const invocation = parseCommandLine([...words, '--profile', profile, '--out', join(folder, 'out')]);
  if (invocation instanceof UsageError) throw invocation;
  return invocation.command === 'load' ? loadCommand(invocation, variables) : mergeCommand(invocation);
}

const HERE = 'http://127.0.0.1:9/api/v1';

test('a scenario that judges nothing of what is selected is refused before anything is sent', async () => {
  const run = invoke(HERE, 'load', 'demo', '--only', 'AUTH-1,AUTH-2');
  await expect(run).rejects.toThrow('Scenario demo judges none of AUTH-1, AUTH-2');
  await expect(run).rejects.toThrow(UsageError);
  expect(readdirSync(folder)).toEqual(['profile.yaml']);
});

test.each(['http://localhost:8080/api/v1', HERE])('pods are not told to load themselves (%s)', async (baseUrl) => {
  const run = invoke(baseUrl, 'load', 'demo', '--kubernetes', 'load');
  await expect(run).rejects.toThrow('each pod would load itself');
  expect(readdirSync(folder)).toEqual(['profile.yaml']);
});

test.each([
  ['a folder that holds a run', HERE, 'already contains a run'],
  ['a target on another machine', 'http://10.0.0.1/api/v1', 'is not this machine'],
])('%s is refused before the plan is printed', async (_, baseUrl, why) => {
  mkdirSync(join(folder, 'out'));
  writeFileSync(join(folder, 'out', 'trace.ndjson'), '');
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await expect(invoke(baseUrl, 'load', 'demo')).rejects.toThrow(why);
    expect(printed).not.toHaveBeenCalled();
  } finally {
    printed.mockRestore();
  }
});

test('where k6 is missing, the plan is not printed', async () => {
  vi.stubEnv('K6_PATH', join(folder, 'no-k6'));
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await expect(invoke(HERE, 'load', 'demo')).rejects.toThrow('which is not k6 of version 2.2 or later');
    expect(printed).not.toHaveBeenCalled();
  } finally {
    printed.mockRestore();
    vi.unstubAllEnvs();
  }
});

test('a base URL that is not that of the records is refused', async () => {
  const spec = sampleSpec({ scenario: 'kinds', keys: 2 });
  const file = join(folder, 'records.raw');
  writeFileSync(file, [...madeLog({ spec, instance: 0, instances: 1 })].map((line) => `${line}\n`).join(''));
  const merge = invoke(HERE, 'merge', file, '--base-url', 'http://10.0.0.1/api/v1');
  await expect(merge).rejects.toThrow(`records.raw is of a run on ${spec.baseUrl}, not on http://10.0.0.1/api/v1`);
});
