import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock/system-clock.ts';
import { referenceProfile } from '../../src/reference/profile.ts';
import { type ReferenceServer, startReference } from '../../src/reference/server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SCALE = 15;
const KEYS = {
  full: ['packed-one-4f1d', 'packed-two-4f1d', 'packed-three-4f1d', 'packed-four-4f1d'],
  restricted: 'packed-restricted-4f1d',
  revoked: null,
};

let home = '';
let tarball = '';
let server: ReferenceServer;

// npm and node of the runtime that runs the tests, on PATH as for a user of the package.
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`, NO_COLOR: '1' };

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'package-'));
  const packed = execFileSync('npm', ['pack', '--pack-destination', home, '--loglevel=error'], { cwd: ROOT, env });
  tarball = packed.toString().trim().split('\n').at(-1) ?? '';
  writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }\n');
  const install = ['install', `./${tarball}`, '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', install, { cwd: home, env, stdio: 'pipe' });
  server = await startReference({ keys: KEYS, clock: systemClock(SCALE) });
  writeFileSync(join(home, 'size-chart.profile.yaml'), referenceProfile(server.baseUrl));
}, 300_000);

afterAll(async () => {
  await server?.close();
  rmSync(home, { recursive: true, force: true });
});

const IN_ENVIRONMENT = { SIZE_CHART_KEYS: KEYS.full.join(','), SIZE_CHART_RESTRICTED_KEY: KEYS.restricted };

function run(...words: string[]) {
  return runIn(home, IN_ENVIRONMENT, ...words);
}

/** Not the synchronous call, because the server answers in this process. */
function runIn(cwd: string, keys: Readonly<Record<string, string>>, ...words: string[]) {
  const command = ['--no-install', 'size-chart-conformance', ...words];
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = execFile('npx', command, { cwd, env: { ...env, ...keys } }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, out: stdout, err: stderr }),
    );
  });
}

describe('the package, installed in an empty project', () => {
  test('certifies, attests, verifies and judges again', async () => {
    expect(await run('keygen', '--out', 'vendor')).toMatchObject({ code: 0 });
    const certified = await run('certify', '--time-scale', `${SCALE}`, '--out', 'run');
    expect(certified).toMatchObject({ code: 0, out: expect.stringContaining('CONFORMS') });
    expect(readdirSync(join(home, 'run'))).toEqual(
      expect.arrayContaining(['report.html', 'report.json', 'junit.xml', 'trace.ndjson']),
    );
    const before = readFileSync(join(home, 'run', 'report.json'), 'utf8');
    expect((await run('judge', 'run/trace.ndjson', '--json')).out).toBe(before);
    // Only what took place in real time is signed, and a check takes seconds.
    const unhurried = await startReference({ keys: KEYS, clock: systemClock(1) });
    onTestFinished(() => unhurried.close());
    expect(await run('check', '--base-url', unhurried.baseUrl, '--out', 'signed')).toMatchObject({ code: 0 });
    expect(await run('attest', 'signed', '--key-file', 'vendor.key.pem')).toMatchObject({ code: 0 });
    expect(await run('verify', 'signed', '--key', 'vendor.pub')).toMatchObject({ code: 0 });
  }, 120_000);

  // Together with the installation and filling in .env by hand, these are four of the five commands allowed until a
  // first verdict.
  test('comes from an OpenAPI document to a first verdict by init, a .env file, doctor and check', async () => {
    const cwd = join(home, 'start');
    mkdirSync(cwd);
    copyFileSync(join(ROOT, 'src/init/fixtures/size-chart.openapi.yaml'), join(cwd, 'openapi.yaml'));
    // In real time, as both commands take seconds: in windows of four seconds, a busy machine may leave some undecided.
    const unhurried = await startReference({ keys: KEYS, clock: systemClock(1) });
    onTestFinished(() => unhurried.close());
    const proposed = await runIn(cwd, {}, 'init', '--openapi', 'openapi.yaml', '--base-url', unhurried.baseUrl);
    expect(proposed).toMatchObject({ code: 0, out: expect.stringContaining('Wrote size-chart.profile.yaml.') });
    expect((await runIn(cwd, {}, 'check')).err).toContain('No API key is given. Set SIZE_CHART_KEYS');
    const example = readFileSync(join(cwd, '.env.example'), 'utf8');
    const filled = Object.entries(IN_ENVIRONMENT).reduce((text, [name, key]) => {
      return text.replace(new RegExp(`^${name}=$`, 'm'), `${name}=${key}`);
    }, example);
    writeFileSync(join(cwd, '.env'), filled);
    expect(await runIn(cwd, {}, 'doctor')).toMatchObject({ code: 0 });
    const checked = await runIn(cwd, {}, 'check', '--out', 'first');
    // One comparison, whose message is the whole output.
    expect(checked).toMatchObject({ code: 0, out: expect.stringMatching(/^NO FAILURE IN \d+ OF \d+ REQUIREMENTS$/m) });
  }, 120_000);

  test('runs in the test runner of the project, for what it is asked for by name', async () => {
    const cwd = mkdtempSync(join(home, 'by-runner-'));
    // A separate deployment, because requests of earlier tests would still count against its keys.
    const unused = await startReference({ keys: KEYS, clock: systemClock(SCALE) });
    onTestFinished(() => unused.close());
    writeFileSync(join(cwd, 'size-chart.profile.yaml'), referenceProfile(unused.baseUrl));
    const config =
      "import { conformance } from 'size-chart-conformance/vitest';\nexport default { test: { projects: [conformance] } };\n";
    writeFileSync(join(cwd, 'vitest.config.ts'), config);
    const environment = {
      ...env,
      ...IN_ENVIRONMENT,
      SIZE_CHART_TIME_SCALE: `${SCALE}`,
      SIZE_CHART_OUT: join(cwd, 'out'),
    };
    const out = await new Promise<string>((resolve) => {
      // The default reporter names a test only if it was slow.
      const words = ['--no-install', 'vitest', 'run', '--reporter=verbose', '--project', 'conformance', '-t', 'AUTH-4'];
      execFile('npx', words, { cwd, env: environment }, (_, stdout, stderr) => resolve(stdout + stderr));
    });
    expect(out).toMatch(/✓ .*AUTH-4 401 with no key/);
    expect(existsSync(join(cwd, 'out', 'report.html'))).toBe(true);
  }, 60_000);

  test('finds its load scripts', async () => {
    const { out } = await run('load', 'demo', '--dry-run');
    expect(out).toContain('Scenario   demo');
  }, 60_000);

  test('is a library with types', () => {
    writeFileSync(
      join(home, 'use.ts'),
      `import { judge, type Report } from 'size-chart-conformance';
const report: Report = await judge('run/trace.ndjson');
console.log(report.result.overall);
`,
    );
    const used = spawnSync(process.execPath, ['use.ts'], { cwd: home, env });
    expect(used.stdout.toString()).toBe('conforms\n');
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--types',
      'node',
      '--typeRoots',
      join(ROOT, 'node_modules/@types'),
    ];
    const checked = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, 'use.ts'], {
      cwd: home,
    });
    expect(checked.stdout.toString()).toBe('');
  }, 60_000);

  test('holds all that its scripts for k6 import', () => {
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      // k6 removes types before it looks for a file.
      const imports = readFileSync(file, 'utf8').matchAll(/^(?:import (?!type)|\}|export ).*? from '(\.[^']+)';$/gm);
      for (const [, path = ''] of imports) visit(join(dirname(file), path));
    };
    const folder = join(home, 'node_modules/size-chart-conformance/load');
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts'))) visit(join(folder, file));
    expect(seen.size).toBeGreaterThan(20);
  });

  test('the links of its README and pages lead to something in it', () => {
    const folder = join(home, 'node_modules/size-chart-conformance');
    const pages = [
      'README.md',
      ...readdirSync(join(folder, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
    ];
    const broken = pages.flatMap((page) =>
      [...readFileSync(join(folder, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].flatMap(([, link = '']) =>
        existsSync(join(folder, dirname(page), link)) ? [] : [`${page}: ${link}`],
      ),
    );
    expect(broken).toEqual([]);
  });

  test('holds no test, no key and no more than it needs', () => {
    expect(statSync(join(home, tarball)).size).toBeLessThan(2 ** 20);
    const files = readdirSync(join(home, 'node_modules/size-chart-conformance'), { recursive: true }).map(String);
    expect(files.filter((file) => /\.test(-support)?\.|test-certificates|\.pem$/.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', join('load', 'engine.ts')]));
  });
});
