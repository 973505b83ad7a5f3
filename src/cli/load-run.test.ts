import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { madeLog } from '../load/records.test-support.ts';
import { sampleSpec } from '../load/spec.test-support.ts';
import { readProfile } from '../profile/read-profile.ts';
import { referenceProfile } from '../reference/profile.ts';
import { serialiseReport } from '../report/report.ts';
import { JudgingEnded } from './judge-apart.ts';
import { judgeFile } from './judge-file.ts';
import { loadIdentity } from './load-identity.ts';
import { type MergeOptions, mergeCommand } from './load-run.ts';
import { setAsideListeners } from './signals.test-support.ts';

setAsideListeners();

const spec = sampleSpec({ scenario: 'kinds', keys: 4 });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'load-run-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Merging the records of two instances, of which one's clock is 250 ms ahead. */
function merging(rest: Partial<MergeOptions> = {}): MergeOptions {
  const profile = readProfile(referenceProfile(spec.baseUrl), { file: 'reference' });
  if ('errors' in profile) throw new Error('the reference profile is wrong');
  const files = [0, 1].map((instance) => {
    const file = join(folder, `part-${instance}.raw`);
    const lines = [...madeLog({ spec, instance, instances: 2, ahead: instance * 250 })];
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    return file;
  });
  const requirements = ['HDR-2', 'HDR-3', 'HDR-4', 'LIMIT-R', 'LIMIT-HISTORY'] as const;
  return {
    files,
    sameHost: false,
    folder: join(folder, 'merged'),
    identity: loadIdentity(profile.profile, 1, requirements),
    json: false,
    quiet: true,
    colour: false,
    reporters: [],
    ...rest,
  };
}

describe('merge', () => {
  test('judges records apart, to the verdicts that their trace gives again', async () => {
    const options = merging();
    const code = await mergeCommand(options);
    const report = JSON.parse(readFileSync(join(options.folder, 'report.json'), 'utf8'));
    const again = await judgeFile(join(options.folder, 'trace.ndjson'));
    expect(code).toBe(report.result.exitCode);
    expect(serialiseReport({ ...report, load: null })).toBe(serialiseReport(again));
    expect(report.load.instances).toHaveLength(2);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the judging, and leaves no half of a trace', async (signal) => {
    const options = merging();
    const merged = mergeCommand(options);
    merged.catch(() => {});
    await new Promise(setImmediate);
    process.emit(signal);
    await expect(merged).rejects.toThrow(JudgingEnded);
    await expect(merged).rejects.toThrow(`merge ${options.files.join(' ')} --out`);
    expect(existsSync(join(options.folder, 'trace.ndjson'))).toBe(false);
  });

  test('a part of a run is refused, and leaves no half of a trace', async () => {
    const options = merging();
    await expect(mergeCommand({ ...options, files: options.files.slice(1) })).rejects.toThrow('is missing');
    expect(existsSync(join(options.folder, 'trace.ndjson'))).toBe(false);
  });
});
