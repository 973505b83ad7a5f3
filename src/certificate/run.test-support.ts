import { createHash, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { catalogueDigest } from '../catalogue/catalogue.ts';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { makePlan } from '../plan/plan.ts';
import { profileDigest } from '../profile/digest.ts';
import { profileWith } from '../profile/profile.test-support.ts';
import { type Report, serialiseReport } from '../report/report.ts';
import { sampleExchange } from '../report/sample-exchange.test-support.ts';
import { sampleReport } from '../report/sample-report.test-support.ts';
import { CHAIN_START, chainOn } from '../trace/chain.ts';
import { encodeLine } from '../trace/codec.ts';
import type { Exchange } from '../trace/exchange.ts';
import { inspectTrace } from '../trace/read-trace.ts';
import { intentOf } from '../trace/trace.test-support.ts';
import { TRACE_FORMAT, type Trace, type TraceFooter, type TraceHeader, type TraceLine } from '../trace/trace.ts';
import { encodeEnvelope, preAuthenticationEncoding, STATEMENT_TYPE } from './dsse.ts';
import type { Judge } from './judge-again.ts';
import type { SuitePackage } from './statement.ts';
import type { Tested } from './tested.ts';

export const SUITE: SuitePackage = { name: 'size-chart-conformance', version: '0.1.0', digest: 'd'.repeat(64) };

export const TESTED: Tested = {
  operations: [],
  probes: { invalidParameter: 0, notFound: 0, forbidden: 0, internalFailure: 0 },
  keys: { full: 1, restricted: true, revoked: false },
  requests: 4,
  attempts: null,
  leftOut: 0,
  formsNotTried: [],
};

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const PROFILE = profileWith({
  target: { name: 'acme-size-charts', version: '2.3.1' },
  baseUrl: 'https://staging.acme.example/api/v1',
});

const KEYS: TraceHeader['keys'] = { full: ['key-1'], restricted: true, revoked: false };
const SELECTION = REQUIREMENTS.map((each) => each.id);

/** A very simple judge: an answer of 500 is a failure, anything else passes. */
export const judge: Judge = (trace, traceDigest) => reportOf(trace, traceDigest);

function reportOf(trace: Trace, traceDigest: string): Report {
  const failed = trace.exchanges.some((each) => each.status === 500);
  const { scale, nonce, profileDigest: profile, selection } = trace.header;
  const report = sampleReport(failed ? { 'STATUS-NO5XX': { verdict: 'fail' } } : {});
  return {
    ...report,
    verdicts: report.verdicts.filter((each) => selection.includes(each.id)),
    run: { ...report.run, scale, nonce },
    digests: {
      trace: traceDigest,
      profile,
      catalogue: trace.header.catalogueDigest,
      chain: trace.footer?.chain ?? null,
    },
  };
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new folder that exists until the tests of the file end. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  folders.push(folder);
  return folder;
}

export interface RunChanges {
  readonly header?: Partial<TraceHeader>;
  readonly statuses?: readonly number[];
  /** A step whose requests are in seeded order; this one is not. */
  readonly variations?: readonly string[];
}

/** A run of `statuses.length` exchanges in a temporary folder. */
export async function makeRun({
  header = {},
  statuses = [200, 200, 401, 429],
  variations = [],
}: RunChanges = {}): Promise<string> {
  const folder = temporaryFolder();
  const head: TraceHeader = {
    type: 'header',
    format: TRACE_FORMAT,
    suite: { name: SUITE.name, version: SUITE.version },
    command: 'certify',
    baseUrl: PROFILE.baseUrl,
    profile: PROFILE,
    profileDigest: profileDigest(PROFILE),
    catalogueDigest: catalogueDigest(),
    keys: KEYS,
    selection: SELECTION,
    experiments: makePlan({
      profile: PROFILE,
      keys: header.keys ?? KEYS,
      selection: new Set(header.selection ?? SELECTION),
      mode: 'certify',
    }).experiments,
    epoch: 1_773_480_413_000_000,
    scale: 1,
    seed: 7,
    nonce: null,
    runtime: { node: 'v24.21.0', platform: 'linux-x64' },
    ...header,
  };
  const sketches: Partial<Exchange>[] = [
    ...statuses.map((status) => ({ experiment: 'authentication', status })),
    ...variations.map((variation) => ({ experiment: 'observed', step: 'open', variation })),
  ];
  const exchanges = sketches.map((each, index) => sampleExchange({ ...each, seq: index + 1 }));
  const lines = exchanges.flatMap((exchange): TraceLine[] => [
    { type: 'intent', exchanges: [intentOf(exchange)] },
    { type: 'exchange', ...exchange },
  ]);
  writeTrace(folder, [head, ...lines].map(encodeLine));
  await writeReport(folder);
  return folder;
}

/** Writes the lines as a trace with a footer that fits them. */
export function writeTrace(folder: string, lines: readonly string[]): void {
  const footer: TraceFooter = {
    type: 'footer',
    exchanges: lines.filter((line) => line.startsWith('{"type":"exchange"')).length,
    intents: lines.filter((line) => line.startsWith('{"type":"intent"')).length,
    outcome: 'complete',
    ended: 9_000_000,
    chain: chainOf(lines),
  };
  writeFileSync(join(folder, 'trace.ndjson'), `${[...lines, encodeLine(footer)].join('\n')}\n`);
}

/** SHA-256 (hex) of the run's trace. */
export function digestOfTrace(folder: string): string {
  return sha256(readFileSync(join(folder, 'trace.ndjson')));
}

/** Judges the run's trace, altered or not, and writes the report. */
export async function writeReport(folder: string): Promise<void> {
  const file = join(folder, 'trace.ndjson');
  const { trace } = await inspectTrace(file);
  writeFileSync(join(folder, 'report.json'), serialiseReport(reportOf(trace, digestOfTrace(folder))));
}

function chainOf(lines: readonly string[]): string {
  return lines.reduce(chainOn, CHAIN_START);
}

/** Signs a statement again, as a dishonest holder of the key would; it drops the copies for other programs. */
export function forge(run: string, key: KeyObject, payload: Uint8Array): void {
  const signature = sign(null, preAuthenticationEncoding(STATEMENT_TYPE, payload), key);
  writeFileSync(join(run, 'envelope.json'), encodeEnvelope({ payloadType: STATEMENT_TYPE, payload, signature }));
  rmSync(join(run, 'report.sigstore.json'), { force: true });
  rmSync(join(run, 'envelope.json.sig'), { force: true });
}
