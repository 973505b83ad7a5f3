import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { judgeTrace } from '../judge/judge-trace.ts';
import type { Keys, Profile } from '../profile/profile.ts';
import type { Reporter } from '../report/formats.ts';
import { makeReport } from '../report/make-report.ts';
import { inTheWay, makeFolder } from '../report/output-folder.ts';
import { type Report, serialiseReport } from '../report/report.ts';
import { terminalReport } from '../report/terminal.ts';
import { tellPipeline, writeReports } from '../report/write-reports.ts';
import { ceilingsOf, requireAllowed } from './ceilings.ts';
import { driveK6 } from './drive-k6.ts';
import { extentOf } from './extent.ts';
import { type InstanceRecords, readInstance } from './instance-records.ts';
import { type JoinedLoad, joinInstances } from './join-instances.ts';
import { findK6 } from './k6.ts';
import { LoadError } from './load-error.ts';
import { describePlan, specify } from './load-plan.ts';
import { loadSection } from './load-section.ts';
import type { ScenarioName } from './load-spec.ts';
import { loadTrace, type RunIdentity, writeLoadTrace } from './load-trace.ts';
import { readLines } from './read-lines.ts';
import { SCENARIOS } from './scenario.ts';
import { keepHeapSmall } from './small-heap.ts';

/** What a load run and a merge have in common. */
export interface LoadOutput {
  /** A new folder for specification, records, trace and reports. */
  readonly folder: string;
  /** What the trace's header says; the selection is narrowed to what the scenario can show. */
  readonly identity: RunIdentity;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly colour: boolean;
  /** The reports to write; none: all. */
  readonly reporters: readonly Reporter[];
}

export interface LoadOptions extends LoadOutput {
  readonly scenario: ScenarioName;
  readonly profile: Profile;
  readonly keys: Keys;
  /** Seconds and requests per second of the run's clock; null: the scenario's own. */
  readonly seconds: number | null;
  readonly rate: number | null;
  /** k6 processes on this machine. */
  readonly instances: number;
  readonly scale: number;
  /** The user says that a target which is not this machine may be loaded. */
  readonly consent: boolean;
  /** Most requests that may be sent; null: the profile's, or the usual ceiling. */
  readonly maxRequests: number | null;
  readonly dryRun: boolean;
  readonly dashboard: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Runs a load scenario, from the printed plan to the printed verdict, and gives the exit code: 0 conforms, 1 does not conform,
 * 3 incomplete or inconclusive. SIGINT and SIGTERM end k6 in order, and what was recorded is judged and reported.
 *
 * @throws LoadError (exit code 2) where it cannot begin, or k6 left nothing that could be judged
 */
export async function loadCommand(given: LoadOptions): Promise<number> {
  // k6 reads what the environment names relative to its script, so every path is made absolute first.
  const options = { ...given, folder: resolve(given.folder) };
  const { profile, keys, scenario, scale, seconds, rate, folder } = options;
  const run = `${scenario}-${options.identity.seed}`;
  const spec = specify(profile, { scenario, keys: keys.full.length, run, scale, seconds, rate });
  const extent = extentOf(spec);
  say(options, describePlan(spec, extent, options.instances).join('\n'));
  const ceilings = ceilingsOf(profile, { requests: options.maxRequests, rate, seconds });
  requireAllowed(spec, extent, ceilings, options.consent);
  if (options.dryRun) return 0;
  makeNew(folder);

  const driven = await untilSignal(async (signal) => {
    const k6 = await findK6({ env: options.env, progress: (text) => say(options, text), signal });
    keepHeapSmall();
    return driveK6({ ...options, k6, spec, progress: options.quiet ? null : process.stderr, signal });
  });
  return conclude(options, joinInstances(driven.instances, { sameHost: true }), driven.failures);
}

/** Work that a signal ends in order. A signal that comes later, while its records are judged, ends the process at once. */
async function untilSignal<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  try {
    return await work(interruption.signal);
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}

export interface MergeOptions extends LoadOutput {
  /** Record files of all instances of one run, in any order. */
  readonly files: readonly string[];
  /** They all ran on one machine. */
  readonly sameHost: boolean;
}

/** Joins the records of all instances of a run and judges the whole. Exit codes as `loadCommand`. @throws LoadError */
export async function mergeCommand(options: MergeOptions): Promise<number> {
  makeNew(options.folder);
  keepHeapSmall();
  const { load, failures } = await merge(options.files, options.sameHost);
  return conclude(options, load, failures);
}

/** Reads one file after the other, and forgets the records once they are joined. */
async function merge(
  files: readonly string[],
  sameHost: boolean,
): Promise<{ readonly load: JoinedLoad; readonly failures: readonly string[] }> {
  const instances: InstanceRecords[] = [];
  for (const file of files) instances.push(await readInstance(file, readLines(file)));
  const unfinished = instances.filter(({ lanes, lanesDone, spec }) => {
    return SCENARIOS[spec.scenario].pacing.pacing === 'lanes' && lanesDone < lanes.length;
  });
  const failures = unfinished.map(({ name }) => `${name}: k6 ended before its lanes did`);
  return { load: joinInstances(instances, { sameHost }), failures };
}

/** Files that a run would write over are left alone: better known before the load is sent than when its trace is written. */
function makeNew(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw new LoadError(`${folder} cannot be made (${codeOf(error)})`, 'Name another folder by --out.');
  }
  const held = inTheWay(folder);
  if (held === null) return;
  throw new LoadError(`${folder} holds ${held} already, and nothing is overwritten`, 'Name another folder by --out.');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

/** From the joined records to the reports. */
async function conclude(output: LoadOutput, load: JoinedLoad, failures: readonly string[]): Promise<number> {
  const { requirements } = SCENARIOS[load.spec.scenario];
  const selection = output.identity.selection.filter((id) => requirements.includes(id));
  const trace = loadTrace(load, { ...output.identity, selection }, [...failures, ...load.defects]);
  const file = join(output.folder, 'trace.ndjson');
  writeLoadTrace(file, trace);
  const judgement = judgeTrace(trace);
  const { digest, chain } = await sealOf(file);
  const sealed = trace.footer ? { ...trace, footer: { ...trace.footer, chain } } : trace;
  const report = makeReport(sealed, judgement, digest, loadSection(load, judgement.budgets));
  try {
    await writeReports(output.folder, report, output.reporters);
  } catch (error) {
    throw new LoadError(
      `The run is recorded, but its reports cannot be written to ${output.folder} (${codeOf(error)}): ${report.result.reason}`,
      `Make room there, then judge the records again by: merge ${join(output.folder, 'records-*.raw')} --out FOLDER`,
    );
  }
  await tellPipeline(report, output.reporters, process.env);
  return tell(output, report);
}

function tell(output: LoadOutput, report: Report): number {
  if (output.json) process.stdout.write(serialiseReport(report));
  else if (!output.quiet)
    process.stdout.write(terminalReport(report, { colour: output.colour, trace: join(output.folder, 'trace.ndjson') }));
  say(output, `Reports: ${relative(process.cwd(), output.folder) || '.'}/`);
  return report.result.exitCode;
}

/** SHA-256 of a trace file, and the head of its hash chain from its last line. */
async function sealOf(file: string): Promise<{ digest: string; chain: string }> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, 4_096);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    const last = buffer.toString('utf8').trimEnd().split('\n').at(-1) ?? '';
    const { chain } = JSON.parse(last) as { chain: string };
    return { digest: hash.digest('hex'), chain };
  } finally {
    await handle.close();
  }
}

function say(output: Pick<LoadOutput, 'quiet' | 'json'>, text: string): void {
  if (!output.quiet && !output.json) process.stdout.write(`${text}\n`);
}
