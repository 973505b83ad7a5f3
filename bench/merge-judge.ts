import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadIdentity } from '../src/cli/load-identity.ts';
import { judgeTrace } from '../src/judge/judge-trace.ts';
import { dueAt } from '../src/load/arrivals.ts';
import { extentOf } from '../src/load/extent.ts';
import { LoadReading } from '../src/load/load-reading.ts';
import { LOAD_FORMAT, type LoadSpec } from '../src/load/load-spec.ts';
import { requestLookup } from '../src/load/request-id.ts';
import { SCENARIOS } from '../src/load/scenario.ts';
import { keepHeapSmall } from '../src/load/small-heap.ts';
import { readProfile } from '../src/profile/read-profile.ts';
import { referenceProfile } from '../src/reference/profile.ts';

// Recorded requests of many keys, from several instances: how long it takes to read, join and judge them, and in how
// much memory. The records are made up, of a conforming target with windows on the minute, just below both limits:
// every window is open to the end.
//
// Usage: node bench/merge-judge.ts [1e6 | 1e7]

const SIZES = {
  '1e6': { keys: 10_000, instances: 4, ms: 6_000, megabytes: 500 },
  '1e7': { keys: 100_000, instances: 8, ms: 60_000, megabytes: 1_000 },
};
const size = process.argv[2] === '1e7' ? '1e7' : '1e6';
const { keys, instances, ...bars } = SIZES[size];

const START = Date.UTC(2026, 10, 1, 12, 0, 5);
const TICKS = Array.from({ length: 10 }, () => `~|0|${START}|0\n`).join('');

const request = { group: 'service' as const, path: '/service', query: {}, headers: {}, body: null };
const spec: LoadSpec = {
  format: LOAD_FORMAT,
  run: 'bench',
  scenario: 'sustained',
  baseUrl: 'http://127.0.0.1:1/api/v1',
  scale: 1,
  start: START,
  keys,
  reads: [{ operation: 'get', method: 'GET', ...request }],
  writes: [{ operation: 'put', method: 'PUT', ...request }],
  timeout: 15_000,
  insecure: false,
  seconds: 49,
  rate: 1_000_000,
};

/** What each instance records, in turn. */
function* records(): Generator<readonly string[]> {
  const { pacing } = SCENARIOS.sustained;
  if (pacing.pacing !== 'arrivals') return;
  const stages = pacing.stages(spec);
  const lookup = requestLookup(spec);
  const counted = { read: new Uint8Array(keys), write: new Uint8Array(keys) };
  let minute = 0;
  let batch = Array.from({ length: instances }, (_, instance) => {
    const segment = `%${instance}%2F${instances}%3A${instance + 1}%2F${instances}`;
    return `=|${JSON.stringify(spec)}\n${TICKS}@|${instance}|${START}|${segment}\n`;
  });
  const requests = extentOf(spec).requests;
  for (let id = 0; id < requests; id += 1) {
    const planned = lookup(id);
    if (!planned) continue;
    const sent = Math.round(dueAt(stages, id) * 1000);
    const wall = START + sent / 1000;
    if (Math.floor(wall / 60_000) > minute) {
      minute = Math.floor(wall / 60_000);
      counted.read.fill(0);
      counted.write.fill(0);
    }
    const count = (counted[planned.kind][planned.key] ?? 0) + 1;
    counted[planned.kind][planned.key] = count;
    const limit = planned.kind === 'read' ? 100 : 30;
    const date = new Date(wall).toUTCString();
    batch[id % instances] +=
      `>|${id}|1|${Math.round(wall)}|${sent}\n<|${id}|${sent}|${sent + 3_000}|200|${limit}|${limit - count}|${(minute + 1) * 60}|${date}|-\n`;
    if (id % 50_000 < 49_999) continue;
    yield batch;
    batch = batch.map(() => '');
  }
  yield batch;
}

async function measure(folder: string): Promise<void> {
  keepHeapSmall();
  const started = performance.now();
  const files = (await readdir(folder)).map((file) => join(folder, file));
  const profile = referenceProfile(spec.baseUrl);
  const read = readProfile(profile, { file: 'reference' });
  if ('errors' in read) throw new Error('the reference profile is wrong');
  const reading = new LoadReading(
    files.map((file) => ({ name: file, file })),
    null,
    loadIdentity(read.profile, 1, SCENARIOS.sustained.requirements),
    null,
  );
  const { load, trace } = reading.finish([]);
  const merged = performance.now();
  const afterMerge = Math.round(process.resourceUsage().maxRSS / 1024);
  const { overall } = judgeTrace(trace);
  const judged = performance.now();
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(
    `${load.accounting.recorded} requests, ${spec.keys} keys: merged in ${seconds(merged - started)} s and ${afterMerge} MB, judged in ${seconds(judged - merged)} s, ${megabytes} MB at most: ${overall}`,
  );
  const { user, system } = process.cpuUsage();
  console.log(`CPU time ${seconds((user + system) / 1000)} s`);
  const met = judged - started <= bars.ms && megabytes <= bars.megabytes;
  console.log(`bars of ${bars.ms / 1000} s and ${bars.megabytes} MB: ${met ? 'met' : 'missed'}`);
  process.exitCode = met ? 0 : 1;
}

const given = process.argv[3];
if (given) await measure(given);
else {
  const folder = await mkdtemp(join(tmpdir(), 'bench-merge-'));
  try {
    const files = Array.from({ length: instances }, (_, i) => openSync(join(folder, `records-${i + 1}.raw`), 'w'));
    for (const batch of records()) for (const [i, file] of files.entries()) writeSync(file, batch[i] ?? '');
    for (const file of files) closeSync(file);
    const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), size, folder], {
      stdio: 'inherit',
    });
    process.exitCode = status ?? 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
