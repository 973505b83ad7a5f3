import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codeOf } from '../caught.ts';
import { requireAllowed } from '../load/ceilings.ts';
import { driveK6, hasSent, recordSources } from '../load/drive-k6.ts';
import { extentOf } from '../load/extent.ts';
import { findK6, requireK6 } from '../load/k6.ts';
import { LoadError } from '../load/load-error.ts';
import { describePlan, specify } from '../load/load-plan.ts';
import type { RecordSource } from '../load/load-reading.ts';
import type { ScenarioName } from '../load/load-spec.ts';
import type { RunIdentity } from '../load/load-trace.ts';
import type { Keys, Profile } from '../profile/profile.ts';
import { quote } from '../replay/curl.ts';
import type { Reporter } from '../report/formats.ts';
import type { Report } from '../report/report.ts';
import { inTheWay, makeFolder } from '../run-folder/output-folder.ts';
import { askKeys } from './ask-keys.ts';
import { concludeRun } from './conclude-run.ts';
import { Interrupted } from './ending-signals.ts';
import { failureText } from './failure-text.ts';
import { type Judge, type JudgeMessage, JudgingEnded, openWorker } from './judge-apart.ts';
import { showLoad } from './load-progress.ts';
import type { LoadEnd, LoadJob } from './load-worker.ts';
import { mergeText, type ProfileSource } from './merge-text.ts';
import { printReport, reportsText, shownPath } from './print-report.ts';
import { untilSignal } from './until-signal.ts';

/** The message if a signal ends the run so early that there is nothing to judge. */
const NOTHING_SENT = 'The run was interrupted before k6 had sent anything, so there is nothing to judge. Run it again.';

/** Why a run did not finish that the user ended, in the words of the other commands. */
const BY_A_SIGNAL = 'a signal ended it';

/** What a load run and a merge have in common. */
export interface LoadOutput {
  /** A new folder for specification, records, trace and reports. */
  readonly folder: string;
  /** To say how the records can be judged again; null: the profile is in no file, so they cannot. */
  readonly source: ProfileSource | null;
  /** The header of the trace; its selection contains only requirements that the scenario can show. */
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
  /** The user consents to load a target on another machine. */
  readonly consent: boolean;
  /** The maximum number of requests; null: the profile's, or the default ceiling. */
  readonly maxRequests: number | null;
  readonly dryRun: boolean;
  readonly dashboard: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Runs a load scenario, from the printed plan to the printed verdict, and gives the exit code: 0 conforms, 1 does not
 * conform, 3 incomplete or inconclusive. It reports failures while it runs. SIGINT, SIGTERM and SIGHUP end k6 in order,
 * and the recording is still judged and reported. A signal during judging ends the command.
 *
 * @throws LoadError (exit code 2) if it cannot begin, or if k6 left nothing to judge; Interrupted (also while it
 *   judges)
 */
export async function loadCommand(given: LoadOptions): Promise<number> {
  // k6 reads what the environment names relative to its script, so every path is made absolute first.
  const options = { ...given, folder: resolve(given.folder) };
  const { profile, keys, scenario, scale, seconds, rate, folder, instances } = options;
  const run = `${scenario}-${options.identity.seed}`;
  const spec = specify(profile, { scenario, keys: keys.full.length, run, scale, seconds, rate });
  const extent = extentOf(spec);
  const plan = describePlan(spec, extent, instances).join('\n');
  const allow = () =>
    requireAllowed(spec, extent, profile, { requests: options.maxRequests, rate, seconds, consent: options.consent });
  if (options.dryRun) {
    process.stdout.write(`${options.json ? JSON.stringify(extent, null, 2) : plan}\n`);
    allow();
    return 0;
  }
  // Nobody reads a plan to learn at its end that nothing of it can begin: it is printed once there is a k6, too.
  allow();
  makeNew(folder);
  const sources = recordSources(folder, instances);
  return judged(options, { sources, sameHost: true, follow: true }, (judge, refusal) =>
    untilSignal(async (interruption) => {
      let isJudged = true;
      judge.stopped.catch(() => {
        isJudged = false;
        interruption.abort();
      });
      const signal = AbortSignal.any([interruption.signal, refusal]);
      const drive = async (): Promise<readonly string[]> => {
        const ready = await requireK6(options.env);
        say(options, plan);
        const k6 = ready ?? (await findK6({ env: options.env, progress: (text) => say(options, text), signal }));
        return driveK6({ ...options, k6, spec, signal });
      };
      const isInterrupted = (): boolean => interruption.signal.aborted && isJudged;
      const said = await drive().catch((error: unknown) => {
        throw isInterrupted() ? new Interrupted(NOTHING_SENT) : error;
      });
      if (isInterrupted() && !hasSent(sources)) throw new Interrupted(NOTHING_SENT);
      const failures = isInterrupted() && said.length > 0 ? [BY_A_SIGNAL] : said;
      if (!refusal.aborted) return { failures, refused: [] };
      // The user needs the names of all wrong keys, not only of the first that the load reached.
      const refused = await askKeys(options, refusal.reason as readonly string[], interruption.signal);
      return { failures: interruption.signal.aborted ? failures : [], refused };
    }, 'on'),
  );
}

export interface MergeOptions extends LoadOutput {
  /** Record files of all instances of one run, in any order. */
  readonly files: readonly string[];
  /** They all ran on one machine. */
  readonly sameHost: boolean;
}

/**
 * Joins the records of all instances of a run and judges the complete run. Same exit codes as `loadCommand`. @throws
 * LoadError, JudgingEnded
 */
export async function mergeCommand(options: MergeOptions): Promise<number> {
  makeNew(options.folder);
  const sources = options.files.map((file) => ({ name: file, file }));
  return judged(options, { sources, sameHost: options.sameHost, follow: false }, () =>
    Promise.resolve({ failures: null, refused: [] }),
  );
}

/** A run never overwrites files. This is checked before any load is sent, not when the trace is written. */
function makeNew(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    const code = codeOf(error) ?? 'unknown';
    throw new LoadError(`${folder} cannot be created (${code})`, 'Choose another folder with --out.');
  }
  const held = inTheWay(folder);
  if (held === null) return;
  throw new LoadError(
    `${folder} already contains ${held}, and load never overwrites`,
    'Choose another folder with --out.',
  );
}

/**
 * From the records to the reports: joined and judged in its own thread, while the work produces them. The work is told
 * by a signal, whose reason has their aliases, that the target does not accept some keys.
 */
async function judged(
  output: LoadOutput,
  records: { readonly sources: readonly RecordSource[]; readonly sameHost: boolean; readonly follow: boolean },
  work: (judge: Judge, refusal: AbortSignal) => Promise<LoadEnd>,
): Promise<number> {
  const traceFile = join(output.folder, 'trace.ndjson');
  const again = mergeAgain(output, records);
  const job: LoadJob = { ...records, identity: output.identity, traceFile };
  const progress = output.quiet ? null : showLoad(process.stderr);
  const refusal = new AbortController();
  const listen = (message: JudgeMessage): void => {
    if (message.type === 'proved') progress?.print(failureText(message.proved));
    else if (message.type === 'said') progress?.print(message.text);
    else if (message.type === 'counts') progress?.count(message.text);
    else if (message.type === 'refused') refusal.abort(message.keys);
  };
  const ended = `Judging the records did not finish. ${again ? `They are kept; judge them again: ${again}` : 'Run again.'}`;
  const judge = openWorker({ name: 'load-worker', job }, ended, listen);
  try {
    const end = await work(judge, refusal.signal);
    const report = await concludeRun(traceFile, () => judge.report(end), output.reporters, again);
    progress?.end();
    return tell(output, report);
  } catch (error) {
    if (error instanceof JudgingEnded) rmSync(traceFile, { force: true });
    throw error;
  } finally {
    progress?.end();
    await judge.close();
  }
}

/** The command that judges the records of a run again, if there is one. */
function mergeAgain(
  { source }: LoadOutput,
  { sources, sameHost }: { readonly sources: readonly RecordSource[]; readonly sameHost: boolean },
): string | undefined {
  if (source === null) return undefined;
  const files = sources.map(({ file }) => quote(file)).join(' ');
  return `${mergeText(files, source)}${sameHost && sources.length > 1 ? ' --same-host' : ''} --out FOLDER`;
}

function tell(output: LoadOutput, report: Report): number {
  const trace = join(output.folder, 'trace.ndjson');
  printReport(report, output, shownPath(trace));
  say(output, reportsText(trace));
  return report.result.exitCode;
}

function say(output: Pick<LoadOutput, 'quiet' | 'json'>, text: string): void {
  if (!output.quiet && !output.json) process.stdout.write(`${text}\n`);
}
