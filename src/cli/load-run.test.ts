import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { thorough } from '../../test/sampled.test-support.ts';
import { extentOf } from '../load/extent.ts';
import { madeArrivals, madeLog } from '../load/records.test-support.ts';
import { sampleSpec } from '../load/spec.test-support.ts';
import { readProfile } from '../profile/read-profile.ts';
import { referenceProfile } from '../reference/profile.ts';
import { type Report, serialiseReport } from '../report/report.ts';
import { ENDING_SIGNALS, Interrupted } from './ending-signals.ts';
import { JudgingEnded } from './judge-apart.ts';
import { judgeFile } from './judge-file.ts';
import { loadIdentity } from './load-identity.ts';
import { loadCommand, type MergeOptions, mergeCommand } from './load-run.ts';
import { setAsideListeners } from './signals.test-support.ts';

setAsideListeners();

const spec = sampleSpec({ scenario: 'kinds', keys: 2 });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'load-run-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The report of merged records of one instance, and the exit code. */
async function mergedReport(lines: Iterable<string>): Promise<{ readonly code: number; readonly report: Report }> {
  const file = join(folder, 'records-1.raw');
  writeFileSync(file, [...lines].map((line) => `${line}\n`).join(''));
  const options = merging({ files: [file] });
  const code = await mergeCommand(options);
  return { code, report: JSON.parse(readFileSync(join(options.folder, 'report.json'), 'utf8')) };
}

describe('merge of records that end early', () => {
  const open = sampleSpec({ scenario: 'sustained', keys: 1, seconds: 20 });
  const { requests } = extentOf(open);

  test.each([
    ['all planned requests of the open model', requests],
    ['all but the last, which k6 may leave out,', requests - 1],
  ])('%s are a complete run', async (_, sent) => {
    const { code, report } = await mergedReport(madeArrivals(open, sent));
    expect(report.run.outcome).toBe('complete');
    expect({ code, passed: report.result.counts.pass > 0 }).toEqual({ code: 0, passed: true });
  });

  test.each([
    ['two requests', requests - 2],
    ['most requests', 5],
  ])('without %s it is interrupted, and nothing passes', async (_, sent) => {
    const { code, report } = await mergedReport(madeArrivals(open, sent));
    expect(code).toBe(3);
    expect(report.result.overall).toBe('incomplete');
    expect(report.run.interruption).toContain(`only ${sent} of ${requests} planned requests were sent`);
    expect(report.result.counts).toMatchObject({ pass: 0, fail: 0 });
    expect(report.verdicts.map(({ verdict }) => verdict)).toContain('inconclusive');
  });

  test('without the last outcome it is interrupted', async () => {
    const { code, report } = await mergedReport([...madeArrivals(open, requests)].slice(0, -1));
    expect(code).toBe(3);
    expect(report.run.interruption).toContain(`stopped before 1 of ${requests} requests had ended`);
  });

  test('a failure decides all the same', async () => {
    // Two lines of one header, as k6 joins them.
    const wrong = `<|5|5000000|5001000|200|100, 100|94|${(open.start ?? 0) / 1000 + 60}|-|-`;
    const { code, report } = await mergedReport([...madeArrivals(open, 5), '>|5|1|0|5000000', wrong]);
    expect({ code, outcome: report.run.outcome }).toEqual({ code: 1, outcome: 'interrupted' });
  });
});

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
    source: { profileFile: 'profiles/acme one.yaml', baseUrl: null },
    folder: join(folder, 'merged'),
    identity: loadIdentity(profile.profile, 1, requirements),
    json: false,
    quiet: true,
    colour: false,
    reporters: [],
    ...rest,
  };
}

describe.skipIf(process.platform === 'win32')('a signal to a load run', () => {
  /** A load run with a program in place of k6. */
  function loading(script: string): Promise<number> {
    const program = join(folder, 'k6');
    writeFileSync(program, `#!/bin/sh\n[ "$1" = version ] && echo "k6 v2.2.0" && exit\n${script}\n`, { mode: 0o755 });
    const read = readProfile(referenceProfile(spec.baseUrl), { file: 'reference' });
    if ('errors' in read) throw new Error('the reference profile is wrong');
    return loadCommand({
      ...merging(),
      profile: read.profile,
      scenario: 'demo',
      keys: { full: ['a-key-that-is-secret-1'], restricted: null, revoked: null },
      ...{ seconds: null, rate: null, instances: 1, scale: 1, consent: false, maxRequests: null },
      ...{ dryRun: false, dashboard: false, env: { ...process.env, K6_PATH: program } },
    });
  }

  test('before the first request says that nothing was sent', async () => {
    const run = loading('kill -INT $$');
    process.emit('SIGINT');
    await expect(run).rejects.toThrow('interrupted before k6 had sent anything');
    await expect(run).rejects.toThrow(Interrupted);
  });

  test('later is the reason that is reported', async () => {
    const written = [...madeLog({ spec, instance: 0, instances: 1 })].slice(0, 40);
    writeFileSync(join(folder, 'written'), written.map((line) => `${line}\n`).join(''));
    const run = loading(
      `trap 'echo noise >&2; exit 105' INT\ncp '${join(folder, 'written')}' '${join(folder, 'merged', 'records-1.raw')}'\nwhile :; do sleep 0.1; done`,
    );
    while (!existsSync(join(folder, 'merged', 'records-1.raw'))) await setTimeout(20);
    process.emit('SIGINT');
    expect(await run).toBe(3);
    const { run: ended } = JSON.parse(readFileSync(join(folder, 'merged', 'report.json'), 'utf8')) as Report;
    expect(ended.interruption).toBe('a signal ended it');
  });
});

describe('merge', () => {
  thorough('judges records apart, to the verdicts that their trace gives again', async () => {
    const options = merging();
    const code = await mergeCommand(options);
    const report = JSON.parse(readFileSync(join(options.folder, 'report.json'), 'utf8'));
    const again = await judgeFile(join(options.folder, 'trace.ndjson'));
    expect(code).toBe(report.result.exitCode);
    expect(serialiseReport({ ...report, load: null })).toBe(serialiseReport(again));
    expect(report.load.instances).toHaveLength(2);
  });

  test.each(ENDING_SIGNALS)('%s ends the judging, and leaves no half of a trace', async (signal) => {
    const options = merging();
    const merged = mergeCommand(options);
    merged.catch(() => {});
    await new Promise(setImmediate);
    process.emit(signal);
    await expect(merged).rejects.toThrow(JudgingEnded);
    await expect(merged).rejects.toThrow(
      `merge ${options.files.join(' ')} --profile 'profiles/acme one.yaml' --out FOLDER`,
    );
    expect(existsSync(join(options.folder, 'trace.ndjson'))).toBe(false);
  });

  test('says to judge again with the base URL of the run, and on one machine if it took place on one', async () => {
    const source = { profileFile: 'acme.yaml', baseUrl: spec.baseUrl };
    const merged = mergeCommand(merging({ sameHost: true, source }));
    merged.catch(() => {});
    await new Promise(setImmediate);
    process.emit('SIGINT');
    await expect(merged).rejects.toThrow(`--profile acme.yaml --base-url ${spec.baseUrl} --same-host --out FOLDER`);
  });

  test('a part of a run is refused, and leaves no half of a trace', async () => {
    const options = merging();
    await expect(mergeCommand({ ...options, files: options.files.slice(1) })).rejects.toThrow('is missing');
    expect(existsSync(join(options.folder, 'trace.ndjson'))).toBe(false);
  });
});
