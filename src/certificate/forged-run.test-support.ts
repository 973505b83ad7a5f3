import { generateKeyPairSync } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wholeProfile } from '../accuracy/virtual/draw-profile.ts';
import { virtualRun } from '../accuracy/virtual/virtual-run.ts';
import { writeRun } from '../accuracy/virtual/write-run.ts';
import { conductOf } from '../reference/conduct.ts';
import { serialiseReport } from '../report/report.ts';
import { CHAIN_START, chainOn } from '../trace/chain.ts';
import { encodeLine } from '../trace/codec.ts';
import { inspectTrace } from '../trace/read-trace.ts';
import type { TraceFooter } from '../trace/trace.ts';
import type { Lines } from './changed-lines.test-support.ts';
import type { Judge } from './judge-again.ts';
import { forge, judge as quickJudge, SUITE, sha256, temporaryFolder } from './run.test-support.ts';
import { encodeStatement } from './statement.ts';
import { testedOf } from './tested.ts';

export const NONCE = 'n-7f3a';
const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000;
export const vendor = generateKeyPairSync('ed25519');
const header = { suite: { name: SUITE.name, version: SUITE.version }, nonce: NONCE };

/** An honest run, in a folder. */
export async function recorded(defect: string | null, seed: number): Promise<string> {
  const run = temporaryFolder();
  const options = { profile: wholeProfile(), keys: 2, seed, epoch: EPOCH };
  const { trace, lines } = await virtualRun({ ...options, conduct: conductOf(null, defect) });
  writeRun(join(run, 'trace.ndjson'), { ...trace, header: { ...trace.header, ...header } }, lines);
  return run;
}

/** A copy of a run with changed lines, a new hash chain, judged and signed. */
export async function forged(run: string, change: (lines: Lines) => Lines, judge = quickJudge): Promise<string> {
  const folder = temporaryFolder();
  const [first = '', ...others] = readFileSync(join(run, 'trace.ndjson'), 'utf8').trimEnd().split('\n');
  const ended = (JSON.parse(others.pop() ?? '') as TraceFooter).ended;
  const changed = change({ header: JSON.parse(first), body: others.map((line) => JSON.parse(line)) });
  const lines = [changed.header, ...changed.body].map((line) => JSON.stringify(line));
  const footer: TraceFooter = {
    type: 'footer',
    exchanges: changed.body.filter(({ type }) => type === 'exchange').length,
    intents: changed.body.reduce((sum, line) => sum + (line.type === 'intent' ? line.exchanges.length : 0), 0),
    outcome: 'complete',
    ended,
    chain: lines.reduce(chainOn, CHAIN_START),
  };
  writeFileSync(join(folder, 'trace.ndjson'), `${[...lines, encodeLine(footer)].join('\n')}\n`);
  await sign(folder, (report) => report, judge);
  return folder;
}

/** Judges the unchanged trace, changes the report, and signs the changed one, which `attest` would refuse. */
async function sign(folder: string, change: (report: string) => string, judge: Judge): Promise<void> {
  const { trace, digest } = await inspectTrace(join(folder, 'trace.ndjson'));
  const report = change(serialiseReport(await judge(trace, digest)));
  writeFileSync(join(folder, 'report.json'), report);
  const attested = { reportDigest: sha256(report), suite: SUITE, role: 'vendor', tested: testedOf(trace) } as const;
  forge(folder, vendor.privateKey, encodeStatement(JSON.parse(report), attested));
}

/** A copy of a run whose report was changed before it was signed. */
export async function copyOf(run: string, change: (report: string) => string, judge: Judge): Promise<string> {
  const folder = temporaryFolder();
  cpSync(join(run, 'trace.ndjson'), join(folder, 'trace.ndjson'));
  await sign(folder, change, judge);
  return folder;
}

/** The log that the deployment wrote while the run took place. */
export function accessLogOf(run: string): string {
  const lines = readFileSync(join(run, 'trace.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const file = join(temporaryFolder(), 'access.log');
  const entries = lines
    .filter(({ type, answered }) => type === 'exchange' && answered !== undefined)
    .map(({ method, target, status, answered }) =>
      JSON.stringify({ ts: (EPOCH + answered) / 1e6, method, path: `/api/v1${target}`, status, nonce: NONCE }),
    );
  writeFileSync(file, entries.join('\n'));
  return file;
}
