/**
 * Measures how soon failures are told: certifies reference servers with seeded defects in real time, several at once,
 * each until its first failure, and holds the moment at which that was shown against the answer from which the judge
 * could prove it, by the recorded trace: `first-failure.ts [AT_ONCE] [DEFECT …]`. Without defects a sample with two of
 * each requirement, whose table is written to docs/benchmarks.md.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRequirementId } from '../src/catalogue/catalogue.ts';
import type { RequirementId } from '../src/catalogue/requirement.ts';
import { isOfLimits, LIMITS } from '../src/judge/shown.ts';
import { packageRoot } from '../src/package-root.ts';
import type { Defect } from '../src/reference/defects/defect.ts';
import { DEFECTS } from '../src/reference/defects.ts';
import { referenceProfile } from '../src/reference/profile.ts';
import { startReference } from '../src/reference/server.ts';
import { throwAwayKeys } from '../src/reference/throw-away-keys.ts';
import { readReport } from '../src/run-folder/read-report.ts';
import { readTrace, streamTrace } from '../src/trace/read-trace.ts';
import type { Intent, Trace } from '../src/trace/trace.ts';
import { alignTables } from './docs/align-tables.ts';
import { provableAt } from './first-failure/provable.ts';
import { sampleOf } from './first-failure/sample.ts';
import { type Told, table } from './first-failure/table.ts';

/** A run on the command line, as it was seen from outside. Real ms since the Unix epoch. */
interface Run {
  readonly defect: Defect;
  readonly folder: string;
  readonly started: number;
  readonly ended: number;
  /** Early: while the run lasted. */
  readonly first: {
    readonly id: RequirementId | typeof LIMITS;
    readonly at: number;
    readonly early: boolean;
  } | null;
}

const [atOnce = '8', ...names] = process.argv.slice(2);
const chosen = names.length === 0 ? sampleOf(DEFECTS) : DEFECTS.filter(({ name }) => names.includes(name));
if (!(Number(atOnce) >= 1) || chosen.length === 0) {
  console.error(
    'Usage: first-failure.ts [AT_ONCE] [DEFECT ...]: how many runs at once, and defects of the reference server',
  );
  process.exit(2);
}
const PAGE = join(packageRoot(), 'docs', 'benchmarks.md');
const folder = mkdtempSync(join(tmpdir(), 'first-failure-'));
const runs: Run[] = [];
const queue = chosen.values();
await Promise.all(
  Array.from({ length: Number(atOnce) }, async () => {
    for (const defect of queue) runs.push(await certify(defect));
  }),
);
const told: Told[] = [];
for (const run of runs) {
  told.push(await toldIn(run));
  console.error(JSON.stringify(told.at(-1)));
}
told.sort((one, other) => one.shown - other.shown);
const text = alignTables(table(told));
console.log(text);
if (names.length === 0) {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(/(<!-- first failures -->\n)[\s\S]*(<!-- end of first failures -->)/, `$1\n${text}\n\n$2`),
  );
}
rmSync(folder, { recursive: true, force: true });

async function certify(defect: Defect): Promise<Run> {
  const keys = throwAwayKeys();
  const server = await startReference({
    keys,
    defect: defect.name,
    ...(defect.variant && { variant: defect.variant }),
  });
  const own = join(folder, defect.name);
  mkdirSync(own);
  writeFileSync(join(own, 'size-chart.profile.yaml'), referenceProfile(server.baseUrl));
  const env = {
    ...process.env,
    SIZE_CHART_KEYS: keys.full.join(','),
    SIZE_CHART_RESTRICTED_KEY: keys.restricted,
    SIZE_CHART_REVOKED_KEY: keys.revoked,
  };
  const args = [
    join(packageRoot(), 'bin/size-chart-conformance.js'),
    'certify',
    '--bail',
    '--json',
    '--out',
    join(own, 'run'),
  ];
  const started = Date.now();
  const child = spawn(process.execPath, args, { cwd: own, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let first: Run['first'] = null;
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    const [, id = '', when] = /^FAIL ([\w-]+).*\((\d|at the end)/m.exec(said) ?? [];
    if (first === null && (id === LIMITS || isRequirementId(id))) {
      first = { id, at: Date.now(), early: when !== 'at the end' };
    }
  });
  await new Promise((resolve) => child.once('close', resolve));
  const ended = Date.now();
  await server.close();
  return { defect, folder: own, started, ended, first };
}

async function toldIn({ defect, folder: own, started, ended, first }: Run): Promise<Told> {
  const file = join(own, 'run', 'trace.ndjson');
  const trace = await readTrace(file);
  const bursts: (readonly Intent[])[] = [];
  for await (const line of streamTrace(file)) if (line.type === 'intent') bursts.push(line.exchanges);
  const { verdicts } = await readReport(join(own, 'run'));
  const failing = verdicts.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  const breaks = (id: RequirementId): boolean => [...defect.must, ...defect.may].includes(id);
  const wallTime = (time: number): number => (trace.header.epoch + time) / 1e3;
  if (!first?.early) {
    // What no part of the run proves is proved by all of it: with its last answer.
    const ids: readonly (RequirementId | typeof LIMITS)[] = [LIMITS, ...failing];
    const provable = Math.min(...ids.map((id) => provableAt(trace, bursts, id) ?? lastAnswer(trace)));
    const requirement = failing.find(breaks) ?? failing[0] ?? null;
    const right = requirement !== null && breaks(requirement);
    const at = first?.at ?? ended;
    const late = requirement === null ? null : (at - wallTime(provable)) / 1000;
    const inTheEnd = { early: false, shown: (at - started) / 1000, ended: (ended - at) / 1000 };
    return { defect: defect.name, requirement, right, late, ...inTheEnd };
  }
  const provable = provableAt(trace, bursts, first.id);
  const named = failing.find((id) => (first.id === LIMITS ? isOfLimits(id) : id === first.id)) ?? null;
  return {
    defect: defect.name,
    requirement: named,
    right: named !== null && breaks(named),
    early: true,
    shown: (first.at - started) / 1000,
    late: provable === null ? null : (first.at - wallTime(provable)) / 1000,
    ended: (ended - first.at) / 1000,
  };
}

/** When the last answer came, in µs of the run's clock. */
function lastAnswer({ exchanges }: Trace): number {
  return exchanges.reduce((last, { answered }) => Math.max(last, answered ?? 0), 0);
}
