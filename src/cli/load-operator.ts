import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../caught.ts';
import { requireAllowed } from '../load/ceilings.ts';
import { extentOf } from '../load/extent.ts';
import { findK6, type K6, loadFolder } from '../load/k6.ts';
import { LoadError } from '../load/load-error.ts';
import { loadHeaders } from '../load/load-headers.ts';
import { describePlan, specify } from '../load/load-plan.ts';
import type { LoadSpec, ScenarioName } from '../load/load-spec.ts';
import { notInManifests, operatorManifests, operatorSteps } from '../load/operator.ts';
import { isLoopback } from '../profile/loopback.ts';
import type { Profile } from '../profile/profile.ts';
import { makeFolder } from '../run-folder/output-folder.ts';
import { mergeText, type ProfileSource } from './merge-text.ts';

export interface OperatorOptions {
  readonly scenario: ScenarioName;
  readonly profile: Profile;
  /** How many keys the Secret will hold. */
  readonly keys: number;
  readonly seconds: number | null;
  readonly rate: number | null;
  readonly maxRequests: number | null;
  readonly instances: number;
  readonly seed: number;
  readonly consent: boolean;
  readonly source: ProfileSource;
  /** Where `load.json`, `archive.tar` and `k6-operator.yaml` are written. */
  readonly folder: string;
  readonly namespace: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Writes the manifests of a load run on Kubernetes and says what to do with them. It sends nothing and needs no
 * cluster. Returns exit code
 * 0. @throws LoadError
 */
export async function operatorCommand(options: OperatorOptions): Promise<number> {
  const { profile, scenario, keys, seconds, rate, instances, folder, namespace } = options;
  requireElsewhere(profile.baseUrl);
  const run = `${scenario}-${options.seed}`;
  const spec = specify(profile, { scenario, keys, run, scale: 1, seconds, rate });
  const extent = extentOf(spec);
  process.stdout.write(`${describePlan(spec, extent, instances).join('\n')}\n`);
  const left = notInManifests(profile.http);
  if (left !== null) process.stdout.write(`${left}\n`);
  requireAllowed(spec, extent, profile, { requests: options.maxRequests, rate, seconds, consent: options.consent });
  const k6 = await findK6({ env: options.env, progress: (text) => process.stderr.write(`${text}\n`) });
  makeFolder(folder);
  const archive = await archiveScript(k6, spec, resolve(folder));
  const name = `size-chart-${scenario}`;
  const file = join(folder, 'k6-operator.yaml');
  await writeFile(file, operatorManifests({ spec, name, namespace, instances, archive, k6Version: k6.version }));
  const shown = relative(process.cwd(), file);
  process.stdout.write(
    `\n${operatorSteps({ name, namespace }, loadHeaders(spec, profile), shown, mergeText('*.raw', options.source)).join('\n')}\n`,
  );
  return 0;
}

/** @throws LoadError where the address means the machine that uses it */
function requireElsewhere(baseUrl: string): void {
  if (!isLoopback(baseUrl)) return;
  throw new LoadError(
    `${baseUrl} means the machine that uses it, so each pod would load itself`,
    'Give the address of the target in the cluster: base_url in the profile, or --base-url.',
  );
}

/**
 * Lets k6 pack a script, its modules and the specification. The only `-e` value names the specification, which is in
 * the archive. The environment of the process, which has the keys, stays out.
 */
export async function archiveScript(k6: K6, spec: LoadSpec, folder: string): Promise<Uint8Array> {
  const specFile = join(folder, 'load.json');
  const archive = join(folder, 'archive.tar');
  await writeFile(specFile, `${JSON.stringify(spec, null, 2)}\n`);
  const script = join(loadFolder(), `${spec.scenario}.ts`);
  const args = ['archive', '-e', `SIZE_CHART_LOAD_SPEC=${specFile}`, '-O', archive, script];
  try {
    await promisify(execFile)(k6.path, args, { timeout: 30_000 });
  } catch (error) {
    const words = messageOf(error);
    throw new LoadError(`k6 could not archive ${script}: ${words}`, 'Check that the folder is writable.');
  }
  return readFile(archive);
}
