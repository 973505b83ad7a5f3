import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyHider } from '../profile/hide-keys.ts';
import type { Keys, Profile } from '../profile/profile.ts';
import { type K6, loadFolder } from './k6.ts';
import { k6Environment } from './k6-environment.ts';
import { explainExit, type K6Process, startK6 } from './k6-process.ts';
import { loadHeaders } from './load-headers.ts';
import type { RecordSource } from './load-reading.ts';
import type { LoadSpec } from './load-spec.ts';
import { RecordFile } from './record-file.ts';
import { decodeLine } from './record-line.ts';
import { SCENARIOS } from './scenario.ts';

export interface K6Drive {
  readonly k6: K6;
  readonly spec: LoadSpec;
  readonly profile: Profile;
  readonly keys: Keys;
  readonly instances: number;
  /** Where specification and records go: the run's folder, which exists. */
  readonly folder: string;
  /** Keep k6's own dashboard and summary next to the records. */
  readonly dashboard: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted to end the run early. */
  readonly signal: AbortSignal;
}

/** ms that k6 needs to start, and for each lane's JavaScript VM. Two processes on two busy cores need all of it. */
const START_MS = 1_500;
const START_PER_LANE_MS = 25;

/** Where the instances of a run write their records. */
export function recordSources(folder: string, instances: number): readonly RecordSource[] {
  return Array.from({ length: instances }, (_, i) => {
    return { name: `instance ${i + 1}`, file: join(folder, `records-${i + 1}.raw`) };
  });
}

/** Whether the records have a request. @throws LoadError where a file cannot be read */
export function hasSent(sources: readonly RecordSource[]): boolean {
  return sources.some(({ file }) => {
    if (!existsSync(file)) return false;
    const records = new RecordFile(file);
    try {
      for (const lines of records) if (lines.some((line) => decodeLine(line)?.type === 'intent')) return true;
      return false;
    } finally {
      records.close();
    }
  });
}

/** Runs the given number of k6 processes; returns why they did not finish as planned, or nothing if they did. */
export async function driveK6(drive: K6Drive): Promise<readonly string[]> {
  const spec = { ...drive.spec, start: Date.now() + startUp(drive.spec) };
  const specFile = join(drive.folder, 'load.json');
  await writeFile(specFile, `${JSON.stringify(spec, null, 2)}\n`);
  const headers = loadHeaders(spec, drive.profile);
  const environment = await k6Environment(specFile, { keys: drive.keys, headers, http: drive.profile.http }, drive.env);
  const processes: K6Process[] = [];
  const stop = (): void => {
    for (const each of processes) each.stop();
  };
  const own = (name: string): string => join(drive.folder, `k6-${name}`);
  drive.signal.addEventListener('abort', stop);
  try {
    for (const [instance, { file: records }] of recordSources(drive.folder, drive.instances).entries()) {
      processes.push(
        startK6({
          k6: drive.k6.path,
          script: join(loadFolder(), `${spec.scenario}.ts`),
          records,
          instance,
          instances: drive.instances,
          env: environment.env,
          own: drive.dashboard
            ? { dashboard: own(`dashboard-${instance + 1}.html`), summary: own(`summary-${instance + 1}.json`) }
            : null,
        }),
      );
    }
    if (drive.signal.aborted) stop();
    const exits = await Promise.all(processes.map((each) => each.ended));
    const hide = keyHider(drive.keys);
    return exits.flatMap((exit, i) => {
      const said = explainExit(exit);
      return said === null ? [] : [hide(drive.instances === 1 ? said : `instance ${i + 1}: ${said}`)];
    });
  } finally {
    drive.signal.removeEventListener('abort', stop);
    await environment.dispose();
  }
}

function startUp(spec: LoadSpec): number {
  const { pacing } = SCENARIOS[spec.scenario];
  const lanes = pacing.pacing === 'lanes' ? pacing.lanes(spec) : 0;
  return START_MS + lanes * START_PER_LANE_MS;
}
