import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRequirementId } from '../../catalogue/catalogue.ts';
import { WINDOW_S } from '../../catalogue/limits.ts';
import type { RequirementId } from '../../catalogue/requirement.ts';
import { REQUIREMENTS } from '../../catalogue/requirements.ts';
import { drive } from '../../drive/run.ts';
import type { Variables } from '../../profile/environment.ts';
import { suggestion } from '../../profile/nearest.ts';
import { sequencesFor } from '../../replay/failures.ts';
import { conclusion, type Outcome, outcomeOf } from '../../replay/outcome.ts';
import { replay } from '../../replay/replay.ts';
import { fullKeysOf, lengthOf, requestsOf, type Sequence } from '../../replay/sequence.ts';
import type { ReportedVerdict } from '../../report/report.ts';
import { duration, plural, sentence } from '../../report/wording.ts';
import { readReport } from '../../run-folder/read-report.ts';
import { readTrace } from '../../trace/read-trace.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Invocation } from '../arguments.ts';
import { holdKeys } from '../hold-keys.ts';
import { folderName, makeRunFolder, prepareRun, type Target } from '../prepare-run.ts';
import { replayTarget, requireKeys } from '../replay-target.ts';
import { untilSignal } from '../until-signal.ts';
import { UsageError } from '../usage-error.ts';
import { addUses, REPLAYS, usesOf, whenWhole } from '../used-budgets.ts';

/**
 * Seconds that all sequences together may take: a window, and the requests at its end. `replay` sends no sequence that
 * would take longer, except the first for each failure of the run while all before it no longer show.
 */
const PATIENCE_S = WINDOW_S + 5;

/**
 * Sends again the shortest sequence that shows each failure of a run, until one still fails, and says whether one does.
 * If a sequence may not show its failure, other sequences of the run follow until the answers decide. The exit code is
 * 1 if it fails, 0 if it does not, and 3 if the answers do not decide.
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
  const target = await replayTarget(invocation, variables, recorded);
  for (const sequence of found.flat()) requireKeys(sequence, target);
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
  const out = options.out ?? join(folder, REPLAYS, folderName(id));
  const start = performance.now();
  const attempt = async (form: Sequence, wait: number): Promise<Outcome> => {
    say(announcement(form, secondsOf(form, scale)));
    if (wait > 0) say(`Starts in ${duration(wait)}, when the used budgets are full again.`);
    await sleep(wait * 1000);
    const isFull = (performance.now() - start) / 1000 > WINDOW_S / scale;
    const { began, trace } = await send(form, verdict.id, target, { scale, isFull, out: unused(out), say });
    addUses(uses, trace);
    return outcomeOf(verdict.id, form, trace, { began, summary: verdict.summary, isFull });
  };
  const place = (form: Sequence) => whenWhole(form, uses, target.keys.full.length, scale);
  const outcome = conclusion(
    verdict.id,
    await tryEach(found, { keys: target.keys.full.length, scale, say, attempt, place }),
  );
  process.stdout.write(`${outcome.text}\n`);
  return outcome.exitCode;
}

/** How the sequences of a replay are sent. */
interface Sending {
  /** How many full keys there are. */
  readonly keys: number;
  readonly scale: number;
  readonly say: (text: string) => void;
  readonly attempt: (sequence: Sequence, wait: number) => Promise<Outcome>;
  readonly place: (sequence: Sequence) => { readonly sequence: Sequence; readonly wait: number };
}

/**
 * The outcome for each failure of the run, until one shows again; null: there was no time left to send its requests.
 */
export async function tryEach(
  failures: readonly (readonly Sequence[])[],
  { keys, scale, say, attempt, place }: Sending,
): Promise<readonly (Outcome | null)[]> {
  const outcomes: (Outcome | null)[] = [];
  const start = performance.now();
  let isFirst = true;
  let isTold = false;
  for (const sequences of failures) {
    let outcome: Outcome | null = null;
    for (const form of sequences.flatMap((each) => repeated(each, keys))) {
      let { sequence, wait } = place(form);
      const takes = wait + secondsOf(sequence, scale);
      const isDue = outcome === null && outcomes.every((each) => each?.exitCode === 0);
      if (!isDue && (performance.now() - start) / 1000 + takes > PATIENCE_S / scale) continue;
      if (!isFirst) say('That did not show the failure.');
      isFirst = false;
      outcome = await attempt(sequence, wait);
      while (outcome.used !== undefined) {
        say(
          isTold
            ? `Less was left of ${outcome.used}, too.`
            : `Less was left of ${outcome.used} than these requests explain: somebody may have used it in the minute before, so its answers decide nothing.`,
        );
        isTold = true;
        ({ sequence, wait } = place(form));
        outcome = await attempt(sequence, wait);
      }
      if (outcome.isInterrupted || outcome.exitCode === 1) return [...outcomes, outcome];
      if (outcome.exitCode === 0 || sequence.isCertain) break;
    }
    outcomes.push(outcome);
  }
  return outcomes;
}

function secondsOf(sequence: Sequence, scale: number): number {
  return lengthOf(sequence) / 1e6 / scale;
}

/** Repeats a sequence that may not show the failure on each key. */
function repeated(sequence: Sequence, keys: number): readonly Sequence[] {
  const often = sequence.pace === 'at once' && !sequence.isCertain && fullKeysOf(sequence).length === 1;
  return Array.from({ length: often ? keys : 1 }, () => sequence);
}

/** What is sent, and why it takes as long as it does. */
function announcement(sequence: Sequence, length: number): string {
  const what = `Sends ${plural(requestsOf(sequence).length, 'request')}`;
  if (length < 1) return `${what}.`;
  return `${what} over ${duration(length)}, with the timing of the run.`;
}

interface Manner {
  readonly scale: number;
  /** Whether a minute passed since the start. */
  readonly isFull: boolean;
  readonly out: string;
  readonly say: (text: string) => void;
}

/** A shorter wait goes without saying. */
const LEAST_TOLD_S = 2;

/** Sends a sequence and returns its recording. */
async function send(
  sequence: Sequence,
  id: RequirementId,
  target: Target,
  { scale, isFull, out, say }: Manner,
): Promise<{ readonly began: number; readonly trace: Trace }> {
  const run = prepareRun(target, {
    command: 'replay',
    mode: 'check',
    selection: new Set<RequirementId>([id]),
    out,
    scale,
  });
  makeRunFolder(dirname(run.traceFile));
  const header = { ...run.header, experiments: [] };
  let began = 0;
  await untilSignal(({ signal }) =>
    holdKeys({ baseUrl: target.profile.baseUrl, keys: target.keys }, () =>
      drive({ ...run, header }, { signal }, async (session) => {
        const tell = (wait: number): void => {
          const seconds = wait / 1e6 / scale;
          if (seconds >= LEAST_TOLD_S)
            say(`Waits ${duration(seconds)}, to be as far from the end of a window as in the run.`);
        };
        began = await replay(session, sequence, { isFull, tell });
        await session.cleanUp();
      }),
    ),
  );
  return { began, trace: await readTrace(run.traceFile) };
}

/**
 * This folder, or the same name with a number if it exists: folders are named by the second, and a replay may take less
 * than that.
 */
function unused(folder: string): string {
  let name = folder;
  for (let next = 2; existsSync(name); next++) name = `${folder}-${next}`;
  return name;
}

const IDS = REQUIREMENTS.map(({ id }) => id);

function failureOf(id: string, verdicts: readonly ReportedVerdict[]): ReportedVerdict {
  const found = verdicts.find((each) => each.id === id && each.proofs.length > 0);
  if (found) return found;
  const failed = verdicts.filter(({ proofs }) => proofs.length > 0).map((each) => each.id);
  const what = isRequirementId(id)
    ? `${id} did not fail in this run.`
    : `There is no requirement ${id}.${suggestion(id, failed.length > 0 ? failed : IDS)}`;
  throw new UsageError(`${what} ${failed.length === 0 ? 'Nothing failed.' : `These failed: ${failed.join(', ')}.`}`);
}
