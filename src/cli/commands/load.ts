import { join } from 'node:path';
import type { RequirementId } from '../../catalogue/requirement.ts';
import { drawSeed } from '../../drive/draw-seed.ts';
import { SCENARIO_NAMES, type ScenarioName } from '../../load/load-spec.ts';
import { requireRunOn } from '../../load/recorded-target.ts';
import { SCENARIOS } from '../../load/scenario.ts';
import { baseUrlOf, type Variables } from '../../profile/environment.ts';
import type { Invocation } from '../arguments.ts';
import { holdKeys } from '../hold-keys.ts';
import { loadIdentity } from '../load-identity.ts';
import { operatorCommand } from '../load-operator.ts';
import { loadCommand as load, mergeCommand as merge } from '../load-run.ts';
import { folderName, readTargetProfile } from '../prepare-run.ts';
import { UsageError } from '../usage-error.ts';
import { displayOf, targetOf, warn } from './run.ts';

/** Loads the target with a scenario, driven by k6, and judges what was recorded. */
export async function loadCommand(invocation: Invocation, variables: Variables): Promise<number> {
  const { options, positionals } = invocation;
  const scenario = SCENARIO_NAMES.find((name) => name === positionals[0]);
  if (scenario === undefined) throw new UsageError(`Choose a scenario: ${SCENARIO_NAMES.join(', ')}.`);
  requireJudged(scenario, invocation.selection);
  const { profile, keys } = targetOf(invocation, variables);
  const seed = options.seed ?? drawSeed();
  const folder = options.out ?? join('reports', folderName(`load-${scenario}`));
  const extent = { seconds: options.duration, rate: options.rate, maxRequests: options.maxRequests };
  const source = { profileFile: options.profile, baseUrl: options.baseUrl ?? baseUrlOf(variables.values) };
  const shared = {
    scenario,
    profile,
    source,
    ...extent,
    folder,
    consent: options.iMayLoadThisTarget,
    env: process.env,
  };
  if (options.kubernetes !== null) {
    const { kubernetes: namespace, instances } = options;
    return operatorCommand({ ...shared, keys: keys.full.length, instances, seed, namespace });
  }
  const work = () =>
    load({
      ...shared,
      ...displayOf(invocation),
      keys,
      instances: options.instances,
      scale: options.timeScale,
      dashboard: options.dashboard,
      identity: loadIdentity(profile, seed, invocation.selection),
    });
  return options.dryRun ? work() : holdKeys({ baseUrl: profile.baseUrl, keys }, work);
}

/** @throws UsageError where nothing of the selection could be judged, so that the load would be for nothing */
function requireJudged(scenario: ScenarioName, selection: readonly RequirementId[]): void {
  const { requirements } = SCENARIOS[scenario];
  if (selection.some((id) => requirements.includes(id))) return;
  const some = selection.slice(0, 6).join(', ');
  throw new UsageError(
    `Scenario ${scenario} judges none of ${some}${selection.length > 6 ? ' …' : ''}. Select some of ${requirements.join(', ')}; or run certify, which judges them all.`,
  );
}

/** Joins the records of all instances of one run, and judges the complete run. */
export async function mergeCommand(invocation: Invocation): Promise<number> {
  const { options, positionals } = invocation;
  const profile = readTargetProfile(options.profile, { baseUrl: options.baseUrl }, warn);
  if (options.baseUrl !== null) for (const file of positionals) requireRunOn(profile.baseUrl, file);
  return merge({
    ...displayOf(invocation),
    files: positionals,
    sameHost: options.sameHost,
    source: { profileFile: options.profile, baseUrl: options.baseUrl },
    folder: options.out ?? join('reports', folderName('merge')),
    identity: loadIdentity(profile, options.seed ?? 0, invocation.selection),
  });
}
