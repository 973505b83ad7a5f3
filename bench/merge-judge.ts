import { spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { catalogueDigest } from '../src/catalogue/catalogue.ts';
import { judgeTrace } from '../src/judge/judge-trace.ts';
import { dueAt } from '../src/load/arrivals.ts';
import { plannedRequests } from '../src/load/extent.ts';
import { type InstanceRecords, readInstance } from '../src/load/instance-records.ts';
import { type JoinedLoad, joinInstances } from '../src/load/join-instances.ts';
import { LOAD_FORMAT, type LoadSpec } from '../src/load/load-spec.ts';
import { loadTrace } from '../src/load/load-trace.ts';
import { readLines } from '../src/load/read-lines.ts';
import { requestLookup } from '../src/load/request-id.ts';
import { SCENARIOS } from '../src/load/scenario.ts';
import { keepHeapSmall } from '../src/load/small-heap.ts';
import { profileDigest } from '../src/profile/digest.ts';
import { readProfile } from '../src/profile/read-profile.ts';
import { referenceProfile } from '../src/reference/profile.ts';

// A million recorded requests over ten thousand keys, from four instances: how long it takes to read, merge and judge them, and
// in how much memory. The bars are 10 s and 500 MB. The records are made up, of a conforming target with windows on the minute.
//
// Usage: node bench/merge-judge.ts

const INSTANCES = 4;
const START = Date.UTC(2026, 10, 1, 12, 0, 5);

const request = { group: 'service' as const, path: '/service', query: {}, headers: {}, body: null };
const spec: LoadSpec = {
  format: LOAD_FORMAT,
  run: 'bench',
  scenario: 'sustained',
  baseUrl: 'http://127.0.0.1:1/api/v1',
  scale: 1,
  start: START,
  keys: 10_000,
  reads: [{ operation: 'get', method: 'GET', ...request }],
  writes: [{ operation: 'put', method: 'PUT', ...request }],
  timeout: 15_000,
  insecure: false,
  seconds: 49,
  rate: 1_000_000,
};

function* records(instance: number): Generator<string> {
  const { pacing } = SCENARIOS.sustained;
  if (pacing.pacing !== 'arrivals') return;
  const stages = pacing.stages(spec);
  const lookup = requestLookup(spec);
  const counted = new Map<string, number>();
  yield `=|${JSON.stringify(spec)}\n~|0|${START}|0\n@|${instance}|${START}|%${instance}%2F${INSTANCES}%3A${instance + 1}%2F${INSTANCES}\n`;
  const requests = plannedRequests(spec);
  for (let id = 0; id < requests; id += 1) {
    const planned = lookup(id);
    if (!planned) continue;
    const sent = Math.round(dueAt(stages, id) * 1000);
    const wall = START + sent / 1000;
    const minute = Math.floor(wall / 60_000);
    const budget = `${planned.key} ${planned.kind} ${minute}`;
    const count = (counted.get(budget) ?? 0) + 1;
    counted.set(budget, count);
    if (id % INSTANCES !== instance) continue;
    const limit = planned.kind === 'read' ? 100 : 30;
    const date = new Date(wall).toUTCString();
    yield `>|${id}|1|${Math.round(wall)}|${sent}\n<|${id}|${sent}|${sent + 3_000}|200|${limit}|${limit - count}|${(minute + 1) * 60}|${date}|-\n`;
  }
}

async function joined(files: readonly string[]): Promise<JoinedLoad> {
  const instances: InstanceRecords[] = [];
  for (const file of files) instances.push(await readInstance(file, readLines(file)));
  return joinInstances(instances, { sameHost: true });
}

async function measure(folder: string): Promise<void> {
  keepHeapSmall();
  const started = performance.now();
  const files = await readdir(folder);
  const load = await joined(files.map((file) => join(folder, file)));
  const merged = performance.now();
  const afterMerge = Math.round(process.resourceUsage().maxRSS / 1024);
  const read = readProfile(referenceProfile(spec.baseUrl), { file: 'reference' });
  if ('errors' in read) throw new Error('the reference profile is wrong');
  const { profile } = read;
  const trace = loadTrace(
    load,
    {
      suite: { name: 'bench', version: '0' },
      profile,
      profileDigest: profileDigest(profile),
      catalogueDigest: catalogueDigest(),
      seed: 1,
      nonce: null,
      runtime: { node: process.versions.node, platform: process.platform },
      selection: SCENARIOS.sustained.requirements,
    },
    [],
  );
  const { overall } = judgeTrace(trace);
  const judged = performance.now();
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(
    `${load.exchanges.length} requests, ${spec.keys} keys: merged in ${seconds(merged - started)} s and ${afterMerge} MB, judged in ${seconds(judged - merged)} s, ${megabytes} MB at most: ${overall}`,
  );
  const { user, system } = process.cpuUsage();
  console.log(`CPU time ${seconds((user + system) / 1000)} s`);
  const met = judged - started <= 10_000 && megabytes <= 500;
  console.log(`bars of 10 s and 500 MB: ${met ? 'met' : 'missed'}`);
  process.exitCode = met ? 0 : 1;
}

const given = process.argv[2];
if (given) await measure(given);
else {
  const folder = await mkdtemp(join(tmpdir(), 'bench-merge-'));
  try {
    for (let i = 0; i < INSTANCES; i += 1) {
      await pipeline(Readable.from(records(i)), createWriteStream(join(folder, `records-${i + 1}.raw`)));
    }
    const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), folder], { stdio: 'inherit' });
    process.exitCode = status ?? 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
