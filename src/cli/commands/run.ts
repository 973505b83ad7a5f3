import type { RequirementId } from '../../catalogue/requirement.ts';
import type { RunOptions } from '../../drive/run.ts';
import { readOpenApi } from '../../init/openapi/document.ts';
import { isDocumentedAs } from '../../init/openapi/documented.ts';
import { apiOf } from '../../init/openapi/operations.ts';
import { ruledOut } from '../../init/openapi/ruled-out.ts';
import { readSource } from '../../init/openapi/source.ts';
import type { Variables } from '../../profile/environment.ts';
import type { Profile } from '../../profile/profile.ts';
import type { RuledOut } from '../../property/odd-request.ts';
import { isReporter } from '../../report/formats.ts';
import type { Invocation } from '../arguments.ts';
import { countAttempt } from '../attempts.ts';
import { certify, type RunDisplay } from '../certify.ts';
import { defaultFolder, holdKeys } from '../hold-keys.ts';
import { planJson, planText } from '../plan-text.ts';
import { loadTarget, prepareRun, type Target } from '../prepare-run.ts';
import { UsageError } from '../usage-error.ts';

/** Tests a deployment against every selected requirement. */
export async function certifyCommand(invocation: Invocation, variables: Variables): Promise<number> {
  const prepared = prepare(invocation, variables, 'certify');
  const described = await describedBy(invocation.options.openapi, prepared.profile);
  const header = described.length === 0 ? prepared.header : { ...prepared.header, ruledOut: described.length };
  const run = { ...prepared, header, ruledOut: described };
  return carryOut(invocation.options.dryRun ? run : counted(run), invocation);
}

/**
 * What an interface description rules out for the operations of the profile; nothing where there is none.
 *
 * @throws InitError where it cannot be read; UsageError where it has none of these operations
 */
export async function describedBy(openapi: string | null, profile: Profile): Promise<readonly RuledOut[]> {
  if (openapi === null) return [];
  const api = apiOf((await readOpenApi(await readSource(openapi))).root);
  const { operations, baseUrl } = profile;
  if (operations.some((own) => api.operations.some((each) => isDocumentedAs(own, each, baseUrl)))) {
    return ruledOut(profile, api);
  }
  throw new UsageError(
    `${openapi} has none of the profile's operations. Check that it is the document of this deployment; leave --openapi out, or give another document.`,
  );
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
