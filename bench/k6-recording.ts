import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { extentOf } from '../src/load/extent.ts';
import { findK6, loadFolder } from '../src/load/k6.ts';
import { k6Arguments } from '../src/load/k6-process.ts';
import { LOAD_FORMAT, type LoadSpec } from '../src/load/load-spec.ts';
import { SCENARIOS } from '../src/load/scenario.ts';

// What crash-safe recording costs: the quota script, which reads three headers and prints a line for each sending and
// each answer, against a bare k6 script that sends the same bursts at the same times and looks at nothing. They run in
// alternating rounds, since a shared machine's speed wanders, and the ratio is of each round's pair: requests per
// second of CPU, script over bare. The bar is a median of at least 0.80.
//
// Usage: node bench/k6-recording.ts [rounds, at least 12]

const KEYS = 40;
const SCALE = 40;
const rounds = Math.max(12, Number(process.argv[2] ?? 12));

const server = createServer((request, response) => {
  request.resume();
  response.setHeader('X-RateLimit-Limit', '100');
  response.setHeader('X-RateLimit-Remaining', '42');
  response.setHeader('X-RateLimit-Reset', '1795000060');
  response.end('{}');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const port = typeof address === 'object' && address ? address.port : 0;
const folder = await mkdtemp(join(tmpdir(), 'bench-k6-'));
const k6 = await findK6({ env: process.env, progress: console.error });

const get = {
  operation: 'get',
  group: 'service' as const,
  method: 'GET',
  path: '/service',
  query: {},
  headers: {},
  body: null,
};
const spec: LoadSpec = {
  format: LOAD_FORMAT,
  run: 'bench',
  scenario: 'quota-read',
  baseUrl: `http://127.0.0.1:${port}/api/v1`,
  scale: SCALE,
  start: null,
  keys: KEYS,
  reads: [get],
  writes: [],
  timeout: 15_000,
  insecure: false,
  seconds: 0,
  rate: 0,
};
const requests = extentOf(spec).requests;

/** The same waves, with nothing but what k6 needs to send them. */
function bareScript(start: number): string {
  const { pacing } = SCENARIOS['quota-read'];
  const lanes = pacing.pacing === 'lanes' ? Array.from({ length: KEYS }, (_, lane) => pacing.tracks(spec, lane)) : [];
  const waves = lanes.map((tracks) =>
    tracks.flatMap((track) =>
      track.waves.flatMap(({ at, count, times, every }) =>
        Array.from({ length: times }, (_, turn) => [start + (at + turn * every) / SCALE, count]),
      ),
    ),
  );
  return `
import exec from 'k6/execution';
import http from 'k6/http';
const waves = ${JSON.stringify(waves)};
const params = { headers: { 'X-API-Key': 'key' } };
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const options = {
  scenarios: { bare: { executor: 'per-vu-iterations', vus: ${KEYS}, iterations: 1 } },
  systemTags: ['status'],
  discardResponseBodies: true,
};
export default async function () {
  const open = [];
  for (const [at, count] of waves[exec.vu.idInTest - 1]) {
    const ahead = at - Date.now();
    if (ahead > 0) await pause(ahead);
    for (let i = 0; i < count; i += 1) open.push(http.asyncRequest("GET", '${spec.baseUrl}/service', null, params).then(() => null));
  }
  await Promise.all(open);
}
`;
}

/** Runs k6 once; gives the seconds of CPU that it took, its start included. */
async function cpuOf(kind: 'recorded' | 'bare'): Promise<number> {
  const start = Date.now() + 1_500;
  const specFile = join(folder, 'load.json');
  await writeFile(specFile, JSON.stringify({ ...spec, start }));
  const bare = join(folder, 'bare.js');
  await writeFile(bare, bareScript(start));
  const script = kind === 'bare' ? bare : join(loadFolder(), 'quota-read.ts');
  const records = join(folder, `${kind}.raw`);
  const args = k6Arguments({ script, records, instance: 0, instances: 1, own: null });
  const env = {
    PATH: process.env.PATH,
    SIZE_CHART_LOAD_SPEC: specFile,
    SIZE_CHART_KEYS: Array.from({ length: KEYS }, (_, i) => `key-${i}`).join(),
  };
  // The shell's `times` tells what its children took: Node itself does not say.
  const { stdout } = await promisify(execFile)('sh', ['-c', '"$0" "$@" >/dev/null && times', k6.path, ...args], {
    env,
  });
  const [, children = ''] = stdout.trim().split('\n');
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  return seconds.reduce((sum, each) => sum + each, 0);
}

try {
  await cpuOf('bare');
  await cpuOf('recorded');
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (['bare', 'recorded'] as const) : (['recorded', 'bare'] as const);
    const cpu = { bare: 0, recorded: 0 };
    for (const kind of order) cpu[kind] = await cpuOf(kind);
    const ratio = cpu.bare / cpu.recorded;
    ratios.push(ratio);
    console.log(
      `round ${round + 1}: bare ${(requests / cpu.bare).toFixed(0)}, recorded ${(requests / cpu.recorded).toFixed(0)} requests per CPU second, ratio ${ratio.toFixed(2)}`,
    );
  }
  ratios.sort((a, b) => a - b);
  const middle =
    (ratios[Math.floor((ratios.length - 1) / 2)] ?? 0) / 2 + (ratios[Math.ceil((ratios.length - 1) / 2)] ?? 0) / 2;
  console.log(
    `${requests} requests a round: median ratio ${middle.toFixed(2)} [${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)}], bar 0.80: ${middle >= 0.8 ? 'met' : 'missed'}`,
  );
  process.exitCode = middle >= 0.8 ? 0 : 1;
} finally {
  server.close();
  await rm(folder, { recursive: true, force: true });
}
