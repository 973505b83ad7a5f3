/**
 * Certifies servers on real limiter libraries (`fleet/`) in real time, several at once, and compares what is said with
 * what is known: `fleet.ts [--list] [ID …]`. Without IDs all of them, and the table in docs/limiters.md is written.
 * Exit code 1 where something disagrees, 3 where nothing does, and a language is missing or a server was left
 * undecided.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, type FleetResult, fleetTable } from './fleet/compare.ts';
import { type FleetServer, install, type Language, readServers, start } from './fleet/servers.ts';

const ROOT = join(import.meta.dirname, '..');
const FLEET = join(ROOT, 'fleet');
const PAGE = join(ROOT, 'docs', 'limiters.md');
/** Most of a run is waiting: so many at once keep two processors from delaying anybody's burst. */
const AT_ONCE = 4;
/** A run takes some ten minutes; one that has not ended by then, in ms, says nothing of its server. */
const RUN_WITHIN = 20 * 60_000;

const servers = readServers(FLEET);
const ids = process.argv.slice(2).filter((each) => each !== '--list');
const unknown = ids.filter((id) => !servers.some((server) => server.id === id));
if (unknown.length > 0) {
  console.error(`There is no server ${unknown.join(', ')} in the fleet: npm run fleet -- --list names all.`);
  process.exit(2);
}
if (process.argv.includes('--list')) {
  for (const { id, library, known } of servers) console.log(`${id.padEnd(30)}${library}: ${known}`);
  process.exit(0);
}

const chosen = ids.length === 0 ? servers : servers.filter(({ id }) => ids.includes(id));
const ready = new Set<Language>();
for (const language of new Set(chosen.map((each) => each.language))) {
  try {
    await install(FLEET, language);
    ready.add(language);
  } catch (error) {
    console.error(`Without the servers in ${language}: ${error instanceof Error ? error.message.trim() : error}`);
  }
}

const results: FleetResult[] = [];
const queue = chosen.filter(({ language }) => ready.has(language)).values();
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (const server of queue) results.push(await certify(server).catch((error) => untried(server, error)));
  }),
);
results.sort((one, other) => chosen.indexOf(one.server) - chosen.indexOf(other.server));
console.log(fleetTable(results));
if (ids.length === 0 && results.length === servers.length) writePage(fleetTable(results));
const kinds = results.map((each) => compare(each).kind);
process.exitCode = kinds.includes('disagrees') ? 1 : kinds.includes('open') || results.length < chosen.length ? 3 : 0;

async function certify(server: FleetServer): Promise<FleetResult> {
  const key = (role: string): string => `${role}-${randomBytes(12).toString('hex')}`;
  const keys = { full: [1, 2, 3, 4].map(() => key('full')), restricted: key('restricted') };
  const out = join(ROOT, 'reports', 'fleet', server.id);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const { baseUrl, stop } = await start(FLEET, server, keys);
  try {
    const args = ['bin/size-chart-conformance.js', 'certify', '--quiet', '--out', out];
    const target = ['--profile', join(FLEET, 'profile.yaml'), '--base-url', baseUrl];
    const env = { ...process.env, SIZE_CHART_KEYS: keys.full.join(','), SIZE_CHART_RESTRICTED_KEY: keys.restricted };
    const exit = await new Promise<number | null>((resolve) => {
      const options = { cwd: ROOT, env, timeout: RUN_WITHIN };
      const child = execFile(process.execPath, [...args, ...target], options, (_error, _output, errors) => {
        if (child.exitCode !== 0 && child.exitCode !== 1) console.error(`${server.id}: ${errors.trim()}`);
        resolve(child.exitCode);
      });
    });
    const verdicts = verdictsOf(join(out, 'report.json'));
    const result = { server, exit, failed: verdicts('fail'), inconclusive: verdicts('inconclusive') };
    const { kind, text } = compare(result);
    console.error(`${server.id}: ${kind === 'agrees' ? 'as known' : text}`);
    return result;
  } finally {
    stop();
  }
}

/** A server that could not be started says nothing of the suite. */
function untried(server: FleetServer, error: unknown): FleetResult {
  console.error(`${server.id}: ${error instanceof Error ? error.message : error}`);
  return { server, exit: null, failed: [], inconclusive: [] };
}

/** What the report says; nothing where the run ended without one. */
function verdictsOf(file: string): (verdict: string) => string[] {
  if (!existsSync(file)) return () => [];
  const { verdicts } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly verdicts: readonly { readonly id: string; readonly verdict: string }[];
  };
  return (verdict) => verdicts.filter((each) => each.verdict === verdict).map(({ id }) => id);
}

/** Puts the table between its marks. */
function writePage(table: string): void {
  const page = readFileSync(PAGE, 'utf8');
  const text = page.replace(/(<!-- table of the fleet -->\n)[\s\S]*(<!-- end of the table -->)/, `$1\n${table}\n\n$2`);
  writeFileSync(PAGE, text);
}
