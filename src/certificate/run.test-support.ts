import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogueDigest } from '../catalogue/catalogue.ts';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { profileDigest } from '../profile/digest.ts';
import type { Profile } from '../profile/profile.ts';
import { type Report, serialiseReport } from '../report/report.ts';
import { sampleExchange, sampleReport } from '../report/sample-report.test-support.ts';
import { TRACE_FORMAT, type Trace, type TraceFooter, type TraceHeader } from '../trace/trace.ts';
import type { Judging } from './judging.ts';
import type { SuitePackage } from './statement.ts';

export const SUITE: SuitePackage = { name: 'size-chart-conformance', version: '0.1.0', digest: 'd'.repeat(64) };

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const PROFILE: Profile = {
  version: 1,
  target: { name: 'acme-size-charts', version: '2.3.1' },
  baseUrl: 'https://staging.acme.example/api/v1',
  operations: [],
  probes: { invalidParameter: [], notFound: [], forbidden: [], internalFailure: [] },
  http: {
    headers: {},
    timeoutMs: { connect: 5000, response: 15_000 },
    tls: { caFile: null, certFile: null, keyFile: null, insecure: false },
    proxy: null,
  },
  pacing: { maxRate: null, maxRequests: null },
  waivers: [],
};

/** A judge small enough to see through: an answer of 500 is a failure, anything else passes. */
export const judging: Judging = {
  async readTrace(file) {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const parsed = lines.map((line) => JSON.parse(line));
    const footer = parsed.at(-1) as TraceFooter;
    const whole = footer.type === 'footer' && footer.chain === chainOf(lines.slice(0, -1));
    const trace: Trace = {
      header: parsed[0] as TraceHeader,
      exchanges: parsed.slice(1, -1),
      unanswered: [],
      notes: [],
      footer,
    };
    return { trace, problems: whole ? [] : ['the hash chain does not lead to the footer'] };
  },
  judge: (trace, traceDigest) => reportOf(trace, traceDigest),
};

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

export interface RunChanges {
  readonly header?: Partial<TraceHeader>;
  readonly statuses?: readonly number[];
}

/** A run of `statuses.length` exchanges in a new folder below the system's temporary one. */
export async function makeRun({ header = {}, statuses = [200, 200, 401, 429] }: RunChanges = {}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const head: TraceHeader = {
    type: 'header',
    format: TRACE_FORMAT,
    suite: { name: SUITE.name, version: SUITE.version },
    command: 'certify',
    baseUrl: PROFILE.baseUrl,
    profile: PROFILE,
    profileDigest: profileDigest(PROFILE),
    catalogueDigest: catalogueDigest(),
    keys: { full: ['key-1'], restricted: true, revoked: false },
    selection: REQUIREMENTS.map((each) => each.id),
    experiments: [],
    epoch: 1_773_480_413_000_000,
    scale: 1,
    seed: 7,
    nonce: null,
    runtime: { node: 'v24.21.0', platform: 'linux-x64' },
    ...header,
  };
  const exchanges = statuses.map((status, seq) => ({ type: 'exchange', ...sampleExchange({ seq, status }) }));
  writeTrace(
    folder,
    [head, ...exchanges].map((each) => JSON.stringify(each)),
  );
  await writeReport(folder);
  return folder;
}

/** Writes the lines as a trace with a footer that fits them. */
export function writeTrace(folder: string, lines: readonly string[]): void {
  const footer: TraceFooter = {
    type: 'footer',
    exchanges: lines.length - 1,
    intents: 0,
    outcome: 'complete',
    ended: 9_000_000,
    chain: chainOf(lines),
  };
  writeFileSync(join(folder, 'trace.ndjson'), `${[...lines, JSON.stringify(footer)].join('\n')}\n`);
}

/** Judges the run's trace and writes the report. */
export async function writeReport(folder: string): Promise<void> {
  const file = join(folder, 'trace.ndjson');
  const { trace } = await judging.readTrace(file);
  writeFileSync(join(folder, 'report.json'), serialiseReport(reportOf(trace, sha256(readFileSync(file)))));
}

function chainOf(lines: readonly string[]): string {
  return lines.reduce((head, line) => sha256(head + line), sha256(''));
}
