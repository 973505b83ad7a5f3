import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRequirementId } from '../../catalogue/catalogue.ts';
import { WINDOW_S } from '../../catalogue/limits.ts';
import type { RequirementId } from '../../catalogue/requirement.ts';
import { drive } from '../../drive/run.ts';
import type { Variables } from '../../profile/environment.ts';
import { type Outcome, outcomeOf } from '../../replay/outcome.ts';
import { replay } from '../../replay/replay.ts';
import { budgetOf, fullKeysOf, lengthOf, onKey, requestsOf, type Sequence } from '../../replay/sequence.ts';
import { sequencesFor } from '../../replay/shortest.ts';
import type { ReportedVerdict } from '../../report/report.ts';
import { duration, plural, sentence } from '../../report/wording.ts';
import { readReport } from '../../run-folder/read-report.ts';
import { isFullKey, numberOfKey } from '../../trace/exchange.ts';
import { readTrace } from '../../trace/read-trace.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Invocation } from '../arguments.ts';
import { holdKeys } from '../hold-keys.ts';
import { folderName, makeRunFolder, prepareRun, recordedTarget, type Target } from '../prepare-run.ts';
import { untilSignal } from '../until-signal.ts';
import { UsageError } from '../usage-error.ts';

/** Name of the folder for the replays of a run, inside the run's folder. */
const REPLAYS = 'replays';

/**
 * Seconds that all sequences together may take: a window, and the requests at its end. `replay` sends no further sequence that would take
 * longer.
 */
const PATIENCE_S = WINDOW_S + 5;

/**
 * Sends again the shortest sequence that shows a failure of a run, and says whether it still fails. If that sequence may not show the
 * failure, other sequences of the run follow until the answers decide. The exit code is 1 if it fails, 0 if it does not, and 3 if the
 * answers do not decide.
 *
 * @throws UsageError if the run shows no such failure, or if a key or profile that it needs is missing
 */
export async function replayCommand(invocation: Invocation, variables: Variables): Promise<number> {
  const { options, positionals } = invocation;
  const [folder = '.', id = ''] = positionals;
  const { verdicts } = await readReport(folder);
  const verdict = failureOf(id, verdicts);
  const recorded = await readTrace(join(folder, 'trace.ndjson'));
  const found = sequencesFor(verdict.id, verdicts, recorded);
  if (found.length === 0)
    throw new UsageError(`The proof of ${id} has no request to send again. Run certify --only ${id}.`);
  const target = await targetFor(invocation, variables, recorded);
  for (const sequence of found) requireKeys(sequence, target);
  const { scale, baseUrl } = recorded.header;
  const say = (text: string): void => {
    if (!options.quiet) process.stdout.write(`${text}\n`);
  };
  say(`${id} failed on ${baseUrl}: ${sentence(verdict.summary)}`);
  if (target.profile.baseUrl !== baseUrl) {
    process.stderr.write(
      `warning: these requests go to ${target.profile.baseUrl}, not to ${baseUrl}: they show nothing about the deployment that failed, unless this is the same. To ask that one, give --base-url ${baseUrl}.\n`,
    );
  }
  const uses = await usesOf(folder, recorded);
  const start = performance.now();
  const out = options.out ?? unused(join(folder, REPLAYS, folderName(id)));
  let outcome: Outcome | null = null;
  for (const [index, form] of found.flatMap((each) => repeated(each, target)).entries()) {
    const { sequence, wait } = whenWhole(form, uses, target.keys.full.length, scale);
    const length = lengthOf(sequence) / 1e6 / scale;
    if (outcome && (performance.now() - start) / 1000 + wait + length > PATIENCE_S / scale) continue;
    if (outcome) say('That did not show the failure.');
    say(announcement(sequence, length));
    if (wait > 0) say(`Starts in ${duration(wait)}, when the used budgets are full again.`);
    await sleep(wait * 1000);
    const { began, trace } = await send(sequence, verdict.id, target, scale, index === 0 ? out : unused(out));
    addUses(uses, trace);
    outcome = outcomeOf(verdict.id, sequence, trace, began);
    if (outcome.exitCode !== 3 || sequence.isCertain || trace.footer?.outcome !== 'complete') break;
  }
  process.stdout.write(`${outcome?.text ?? ''}\n`);
  return outcome?.exitCode ?? 3;
}

/** Repeats a sequence that may not show the failure on each key. */
function repeated(sequence: Sequence, { keys }: Target): readonly Sequence[] {
  const often = sequence.pace === 'at once' && !sequence.isCertain && fullKeysOf(sequence).length === 1;
  return Array.from({ length: often ? keys.full.length : 1 }, () => sequence);
}

/** What is sent, and why it takes as long as it does. */
function announcement(sequence: Sequence, length: number): string {
  const what = `Sends ${plural(requestsOf(sequence).length, 'request')}`;
  if (length < 1) return `${what}.`;
  return `${what} over ${duration(length)}, with the timing of the run. If they must lie around the end of a window, it first waits for one: up to a minute.`;
}

/** Sends a sequence and returns its recording. */
async function send(
  sequence: Sequence,
  id: RequirementId,
  target: Target,
  scale: number,
  out: string,
): Promise<{ readonly began: number; readonly trace: Trace }> {
  const run = prepareRun(target, {
    command: 'replay',
    mode: 'check',
    selection: new Set<RequirementId>([id]),
    out,
    seed: null,
    scale,
    nonce: null,
  });
  makeRunFolder(dirname(run.traceFile));
  const header = { ...run.header, experiments: [] };
  let began = 0;
  await untilSignal(({ signal }) =>
    holdKeys({ baseUrl: target.profile.baseUrl, keys: target.keys }, () =>
      drive({ ...run, header }, { signal }, async (session) => {
        began = await replay(session, sequence);
        await session.cleanUp();
      }),
    ),
  );
  return { began, trace: await readTrace(run.traceFile) };
}

/** This folder, or the same name with a number if it exists: folders are named by the second, and a replay may take less than that. */
function unused(folder: string): string {
  let name = folder;
  for (let next = 2; existsSync(name); next++) name = `${folder}-${next}`;
  return name;
}

function failureOf(id: string, verdicts: readonly ReportedVerdict[]): ReportedVerdict {
  const found = verdicts.find((each) => each.id === id && each.proofs.length > 0);
  if (found) return found;
  const failed = verdicts.filter(({ proofs }) => proofs.length > 0).map((each) => each.id);
  const what = isRequirementId(id) ? `${id} did not fail in this run` : `There is no requirement ${id}`;
  throw new UsageError(`${what}. ${failed.length === 0 ? 'Nothing failed.' : `These failed: ${failed.join(', ')}.`}`);
}

/** The given profile, else the recorded one. */
async function targetFor(invocation: Invocation, variables: Variables, { header }: Trace): Promise<Target> {
  const { options, given } = invocation;
  if (!given.has('profile')) return recordedTarget(header.profile, { baseUrl: options.baseUrl, variables });
  // Loaded only when needed: somebody who fixes a failure waits for each replay.
  return (await import('./run.ts')).targetOf(invocation, variables);
}

function requireKeys(sequence: Sequence, { keys }: Target): void {
  const aliases = new Set(requestsOf(sequence).map(({ key }) => key));
  const missing = [...aliases].filter((alias) => {
    if (alias === 'restricted' || alias === 'revoked') return keys[alias] === null;
    return isFullKey(alias) && numberOfKey(alias) > keys.full.length;
  });
  if (missing.length === 0) return;
  throw new UsageError(
    `The sequence needs ${missing.join(', ')}, which the environment does not provide. Set SIZE_CHART_KEYS (in the order of the run) and the keys of the other roles.`,
  );
}

/** When each budget was last used by the run or one of its replays, in seconds since the Unix epoch. */
async function usesOf(folder: string, recorded: Trace): Promise<Map<string, number>> {
  const replays = join(folder, REPLAYS);
  const files = existsSync(replays) ? readdirSync(replays).map((name) => join(replays, name, 'trace.ndjson')) : [];
  const uses = new Map<string, number>();
  addUses(uses, recorded);
  for (const file of files.filter((each) => existsSync(each))) addUses(uses, await readTrace(file));
  return uses;
}

function addUses(uses: Map<string, number>, { header, exchanges }: Trace): void {
  for (const each of exchanges) {
    const at = (header.epoch + (each.answered ?? each.sent) / header.scale) / 1e6;
    uses.set(budgetOf(each), Math.max(uses.get(budgetOf(each)) ?? 0, at));
  }
}

/**
 * The sequence, and the seconds until all of its budgets are full: a window after they were last used. A sequence that needs only one key
 * gets the key that has been unused for longest.
 */
function whenWhole(
  sequence: Sequence,
  uses: ReadonlyMap<string, number>,
  keys: number,
  scale: number,
): { readonly sequence: Sequence; readonly wait: number } {
  if (sequence.pace === 'single') return { sequence, wait: 0 };
  const [own, ...others] = fullKeysOf(sequence);
  const aliases = Array.from({ length: keys }, (_, index) => `key-${index + 1}`);
  const forms = own === undefined || others.length > 0 ? [sequence] : aliases.map((key) => onKey(sequence, own, key));
  const now = Date.now() / 1000;
  const [first] = forms
    .map((form) => {
      const last = Math.max(0, ...requestsOf(form).map((each) => uses.get(budgetOf(each)) ?? 0));
      return { sequence: form, wait: Math.max(0, last + (WINDOW_S + 1) / scale - now) };
    })
    .sort((one, other) => one.wait - other.wait);
  return first ?? { sequence, wait: 0 };
}
