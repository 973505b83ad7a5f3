import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRequirementId } from '../../catalogue/catalogue.ts';
import { WINDOW_S } from '../../catalogue/limits.ts';
import type { RequirementId } from '../../catalogue/requirement.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import type { VerdictName } from '../../judge/verdict.ts';
import { replay } from '../../replay/replay.ts';
import { type Sequence, sameAnswers, sequencesOf, shortened } from '../../replay/sequence.ts';
import { readReport } from '../../report/read-report.ts';
import type { ReportedVerdict } from '../../report/report.ts';
import { duration, plural, sentence } from '../../report/wording.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { readTrace } from '../../trace/read-trace.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Invocation } from '../arguments.ts';
import { holdKeys } from '../hold-keys.ts';
import { folderName, makeRunFolder, prepareRun, recordedTarget, type Target } from '../prepare-run.ts';
import { UsageError } from '../usage-error.ts';

/** A sequence and the wait for its place in the minute take no longer than this together, in seconds: a window, and its end. */
const LONGEST_S = WINDOW_S + 4;

/** Where the replays of a run lie, in its folder. */
const REPLAYS = 'replays';

/**
 * Sends the shortest sequence again that shows a failure of a run, and says whether it still fails. The exit code is 1 where it does, 0 where
 * it does not, and 3 where the answers do not tell.
 *
 * @throws UsageError where the run shows no such failure, or a key or the profile that it needs is missing
 */
export async function replayCommand(invocation: Invocation): Promise<number> {
  const { options, positionals } = invocation;
  const [folder = '.', id = ''] = positionals;
  const verdict = failureOf(id, (await readReport(folder)).verdicts);
  const recorded = await readTrace(join(folder, 'trace.ndjson'));
  const sequence = choose(verdict, recorded);
  const target = await targetFor(invocation, recorded);
  requireKeys(sequence, target);
  const { scale } = recorded.header;
  const say = (text: string): void => {
    if (!options.quiet) process.stdout.write(`${text}\n`);
  };
  const requests = sequence.steps.reduce((sum, step) => sum + step.exchanges.length, 0);
  say(`${id} failed on ${recorded.header.baseUrl}: ${sentence(verdict.summary)}`);
  say(
    `Sends ${plural(requests, 'request')}${sequence.paced ? ` over ${duration(sequence.length / 1e6 / scale)}` : ''}.`,
  );
  const wait = sequence.paced ? secondsToStart(folder, sequence, recorded) : 0;
  if (wait > 0)
    say(`Begins in ${duration(wait)}: on whole budgets, and where it then began in the minute if that is soon.`);
  await sleep(wait * 1000);
  const run = prepareRun(target, {
    command: 'replay',
    mode: 'check',
    selection: new Set<RequirementId>([verdict.id]),
    out: options.out ?? join(folder, REPLAYS, folderName(id)),
    seed: null,
    scale,
    nonce: null,
  });
  makeRunFolder(dirname(run.traceFile));
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => interruption.abort(new Error('interrupted')));
  }
  const header = { ...run.header, experiments: [] };
  await holdKeys({ baseUrl: target.profile.baseUrl, keys: target.keys }, () =>
    replay({ ...run, header }, sequence, interruption.signal),
  );
  return conclude(verdict.id, sequence, await readTrace(run.traceFile));
}

/** The shortest sequence of which the judge, who sees nothing but its recorded answers, says the same. */
function choose({ id, proofs }: ReportedVerdict, recorded: Trace): Sequence {
  const header = { ...recorded.header, command: 'replay', selection: [id], experiments: [] };
  const fails = ({ steps }: Sequence): boolean => {
    const exchanges = steps.flatMap((step) => step.exchanges);
    return hasFailed(judgeTrace({ ...recorded, header, exchanges, unanswered: [] }).verdicts[0]);
  };
  const sequences = sequencesOf(id, proofs, recorded.exchanges);
  const found = sequences.find(fails);
  if (found) return found.paced ? shortened(found, fails) : found;
  const longest = sequences.at(-1);
  if (longest) return longest;
  throw new UsageError(`${id} failed without a request to send again. Run certify --only ${id}.`);
}

function hasFailed(verdict: { readonly verdict: VerdictName } | undefined): boolean {
  return verdict?.verdict === 'fail' || verdict?.verdict === 'waived';
}

/** Tells what the judge makes of the answers. Those of a history that are what they were show what they showed, whatever else explains them. */
function conclude(id: RequirementId, sequence: Sequence, trace: Trace): number {
  const [verdict] = judgeTrace(trace).verdicts;
  const tell = (text: string, code: number): number => {
    process.stdout.write(`${text}\n`);
    return code;
  };
  if (hasFailed(verdict)) return tell(`${id} still fails: ${sentence(verdict?.summary ?? '')}`, 1);
  if (trace.footer?.outcome !== 'complete') return tell(`Interrupted: whether ${id} still fails is not known.`, 3);
  if (sameAnswers(sequence, trace.exchanges)) return tell(`${id} still fails: every answer is what it was.`, 1);
  if (verdict?.verdict === 'inconclusive') {
    return tell(`Whether ${id} still fails, these answers do not tell: ${sentence(verdict.summary)}`, 3);
  }
  // A window that ended in the midst of it lets more through: only what was refused again can be held against what was refused then.
  const refused = (exchanges: readonly Exchange[]): boolean => exchanges.some(({ status }) => status === 429);
  const then = refused(sequence.steps.flatMap((step) => step.exchanges));
  if (sequence.paced && (verdict?.verdict !== 'pass' || refused(trace.exchanges) !== then))
    return tell(`${id} does not show in these answers, which does not rule it out: certify does.`, 3);
  return tell(`${id} no longer fails in these requests. certify says whether it holds.`, 0);
}

function failureOf(id: string, verdicts: readonly ReportedVerdict[]): ReportedVerdict {
  const found = verdicts.find((each) => each.id === id && each.proofs.length > 0);
  if (found) return found;
  const failed = verdicts.filter(({ proofs }) => proofs.length > 0).map((each) => each.id);
  const what = isRequirementId(id) ? `${id} did not fail in this run` : `There is no requirement ${id}`;
  throw new UsageError(`${what}. ${failed.length === 0 ? 'Nothing did.' : `What failed: ${failed.join(', ')}.`}`);
}

/** The profile that is named, else the recorded one. */
async function targetFor(invocation: Invocation, { header }: Trace): Promise<Target> {
  const { options, given } = invocation;
  if (!given.has('profile')) return recordedTarget(header.profile, options);
  // Loaded when asked for: whoever mends something waits for each replay.
  return (await import('./run.ts')).targetOf(invocation);
}

function requireKeys({ steps }: Sequence, { keys }: Target): void {
  const aliases = new Set(steps.flatMap(({ exchanges }) => exchanges.map(({ key }) => key)));
  const missing = [...aliases].filter((alias) => {
    if (alias === 'restricted' || alias === 'revoked') return keys[alias] === null;
    return alias?.startsWith('key-') && Number(alias.slice(4)) > keys.full.length;
  });
  if (missing.length === 0) return;
  throw new UsageError(
    `The sequence needs ${missing.join(', ')}, which the environment does not have. Set SIZE_CHART_KEYS (in the order of the run) and the keys of the other roles.`,
  );
}

/**
 * Seconds to wait first: until the budgets are whole again that the run and its replays have used, a window after the last of them. Windows
 * may lie on the minutes of the clock, so it then begins where it began in the minute, if it still ends soon.
 */
function secondsToStart(folder: string, { length, steps }: Sequence, { header }: Trace): number {
  const replays = join(folder, REPLAYS);
  const folders = [folder, ...(existsSync(replays) ? readdirSync(replays).map((name) => join(replays, name)) : [])];
  const last = Math.max(
    ...folders.map((each) => statSync(join(each, 'trace.ndjson'), { throwIfNoEntry: false })?.mtimeMs ?? 0),
  );
  const now = Date.now() / 1000;
  const idle = Math.max(0, (WINDOW_S + 1) / header.scale - (now - last / 1000));
  // In scaled time the target's minutes are not those of this clock.
  if (header.scale !== 1) return idle;
  const began = (header.epoch + (steps[0]?.exchanges[0]?.sent ?? 0)) / 1e6;
  const phase = (((began - now - idle) % WINDOW_S) + WINDOW_S) % WINDOW_S;
  return phase + length / 1e6 <= LONGEST_S ? idle + phase : idle;
}
