import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRequirementId } from '../../catalogue/catalogue.ts';
import { WINDOW_S } from '../../catalogue/limits.ts';
import type { RequirementId } from '../../catalogue/requirement.ts';
import { drive } from '../../drive/run.ts';
import { outcomeOf } from '../../replay/outcome.ts';
import { replay } from '../../replay/replay.ts';
import { budgetOf, fullKeysOf, lengthOf, onKey, requestsOf, type Sequence } from '../../replay/sequence.ts';
import { shortestSequence } from '../../replay/shortest.ts';
import { readReport } from '../../report/read-report.ts';
import type { ReportedVerdict } from '../../report/report.ts';
import { duration, plural, sentence } from '../../report/wording.ts';
import { readTrace } from '../../trace/read-trace.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Invocation } from '../arguments.ts';
import { holdKeys } from '../hold-keys.ts';
import { folderName, makeRunFolder, prepareRun, recordedTarget, type Target } from '../prepare-run.ts';
import { untilSignal } from '../until-signal.ts';
import { UsageError } from '../usage-error.ts';

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
  const found = shortestSequence(verdict.id, verdict.proofs, recorded);
  if (!found) throw new UsageError(`${id} failed without a request to send again. Run certify --only ${id}.`);
  const target = await targetFor(invocation, recorded);
  requireKeys(found, target);
  const { scale, baseUrl } = recorded.header;
  const { sequence, wait } = whenWhole(found, await lastUses(folder, recorded), target.keys.full.length, scale);
  const say = (text: string): void => {
    if (!options.quiet) process.stdout.write(`${text}\n`);
  };
  say(`${id} failed on ${baseUrl}: ${sentence(verdict.summary)}`);
  const length = lengthOf(sequence) / 1e6 / scale;
  say(`Sends ${plural(requestsOf(sequence).length, 'request')}${length < 1 ? '' : ` over ${duration(length)}`}.`);
  if (wait > 0) say(`Begins in ${duration(wait)}: the budgets that it takes have been used.`);
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
  const { text, exitCode } = outcomeOf(verdict.id, sequence, await readTrace(run.traceFile), began);
  process.stdout.write(`${text}\n`);
  return exitCode;
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

function requireKeys(sequence: Sequence, { keys }: Target): void {
  const aliases = new Set(requestsOf(sequence).map(({ key }) => key));
  const missing = [...aliases].filter((alias) => {
    if (alias === 'restricted' || alias === 'revoked') return keys[alias] === null;
    return alias?.startsWith('key-') && Number(alias.slice(4)) > keys.full.length;
  });
  if (missing.length === 0) return;
  throw new UsageError(
    `The sequence needs ${missing.join(', ')}, which the environment does not have. Set SIZE_CHART_KEYS (in the order of the run) and the keys of the other roles.`,
  );
}

/** When each budget was last used by the run or one of its replays, in seconds since the Unix epoch. */
async function lastUses(folder: string, recorded: Trace): Promise<ReadonlyMap<string, number>> {
  const replays = join(folder, REPLAYS);
  const files = existsSync(replays) ? readdirSync(replays).map((name) => join(replays, name, 'trace.ndjson')) : [];
  const traces = [
    recorded,
    ...(await Promise.all(files.filter((file) => existsSync(file)).map((file) => readTrace(file)))),
  ];
  const uses = new Map<string, number>();
  for (const { header, exchanges } of traces) {
    for (const each of exchanges) {
      const at = (header.epoch + (each.answered ?? each.sent) / header.scale) / 1e6;
      uses.set(budgetOf(each), Math.max(uses.get(budgetOf(each)) ?? 0, at));
    }
  }
  return uses;
}

/**
 * The sequence, and the seconds after which all of its budgets are whole: a window after they were last used. What takes one key alone
 * takes the one that has rested longest.
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
