import { join } from 'node:path';
import { drawSeed } from '../../drive/draw-seed.ts';
import { SCENARIO_NAMES } from '../../load/load-spec.ts';
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

/** Joins the records of all instances of one run, and judges the complete run. */
export async function mergeCommand(invocation: Invocation): Promise<number> {
  const { options, positionals } = invocation;
  const profile = readTargetProfile(options.profile, { baseUrl: options.baseUrl }, warn);
  return merge({
    ...displayOf(invocation),
    files: positionals,
    sameHost: options.sameHost,
    source: { profileFile: options.profile, baseUrl: options.baseUrl },
    folder: options.out ?? join('reports', folderName('merge')),
    identity: loadIdentity(profile, options.seed ?? 0, invocation.selection),
  });
}
