import type { RequirementId } from '../../catalogue/requirement.ts';
import type { RunOptions } from '../../drive/run.ts';
import type { Variables } from '../../profile/environment.ts';
import { isReporter } from '../../report/formats.ts';
import type { Invocation } from '../arguments.ts';
import { countAttempt } from '../attempts.ts';
import { certify, type RunDisplay } from '../certify.ts';
import { defaultFolder, holdKeys } from '../hold-keys.ts';
import { planJson, planText } from '../plan-text.ts';
import { loadTarget, prepareRun, type Target } from '../prepare-run.ts';

/** Tests a deployment against every selected requirement. */
export async function certifyCommand(invocation: Invocation, variables: Variables): Promise<number> {
  const prepared = prepare(invocation, variables, 'certify');
  const { openapi } = invocation.options;
  // Most runs have no document to read.
  const described =
    openapi === null ? [] : await (await import('../described-by.ts')).describedBy(openapi, prepared.profile);
  const header = described.length === 0 ? prepared.header : { ...prepared.header, ruledOut: described.length };
  const run = { ...prepared, header, ruledOut: described };
  return carryOut(invocation.options.dryRun ? run : counted(run), invocation);
}

/** The run, with the number of such runs that this installation has made on the target within a day. */
function counted(run: RunOptions): RunOptions {
  const attempts = countAttempt(run.profile.baseUrl, { folder: defaultFolder(), now: Date.now() });
  return attempts === null ? run : { ...run, header: { ...run.header, attempts } };
}

/** Like certify, but exhausts no budget. */
export async function checkCommand(invocation: Invocation, variables: Variables): Promise<number> {
  return carryOut(prepare(invocation, variables, 'check'), invocation);
}

function carryOut(run: RunOptions, invocation: Invocation): Promise<number> {
  const display = displayOf(invocation);
  const work = () => certify(run, display, invocation.options.bail ?? 0);
  return display.dryRun ? work() : holdKeys({ baseUrl: run.profile.baseUrl, keys: run.keys }, work);
}

/** Prints what certify would do. */
export async function planCommand(invocation: Invocation, variables: Variables): Promise<number> {
  const { plan, header } = prepare(invocation, variables, 'certify');
  const { json, verbose } = invocation.options;
  const text = json ? planJson(plan, header) : planText(plan, header, verbose);
  process.stdout.write(`${text}\n`);
  return 0;
}

/** How a command reports its progress. */
export function displayOf({ options }: Invocation): RunDisplay {
  return {
    dryRun: options.dryRun,
    json: options.json,
    quiet: options.quiet,
    verbose: options.verbose,
    colour: !options.noColor && process.stdout.isTTY && process.env.NO_COLOR === undefined,
    reporters: options.reporter.filter(isReporter),
  };
}

/** @throws UsageError */
export function targetOf(
  { options }: Invocation,
  variables: Variables,
  endedWaiver: 'error' | 'warning' = 'warning',
): Target {
  const { profile: profileFile, waivers: waiversFile, baseUrl, maxRequests } = options;
  return loadTarget({ profileFile, waiversFile, baseUrl, variables, maxRequests, endedWaiver }, warn);
}

export function warn(text: string): void {
  process.stderr.write(`warning: ${text}\n`);
}

function prepare(invocation: Invocation, variables: Variables, mode: 'certify' | 'check') {
  const { out, seed, nonce, timeScale } = invocation.options;
  return prepareRun(targetOf(invocation, variables), {
    command: mode,
    mode,
    selection: new Set<RequirementId>(invocation.selection),
    out,
    seed,
    scale: timeScale,
    nonce,
  });
}
