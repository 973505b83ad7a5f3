import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { systemClock } from '../../src/clock/system-clock.ts';
import { referenceProfile } from '../../src/reference/profile.ts';
import { type ReferenceServer, startReference } from '../../src/reference/server.ts';
import { readPage } from './page-source.test-support.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const ACTION = parse(read('action.yml')) as Action;
const SCRIPT = ACTION.runs.steps.find(({ id }) => id === 'run');

describe('the GitHub action', () => {
  test('no text of an input is ever read as shell', () => {
    const scripts = ACTION.runs.steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
    expect(scripts).toHaveLength(2);
    for (const script of scripts) {
      expect(script).not.toContain('${{');
      expect(script).not.toMatch(/\beval\b/);
    }
  });

  test('every input is described, and used', () => {
    const text = read('action.yml');
    for (const [name, { description }] of Object.entries(ACTION.inputs)) {
      expect(description).toMatch(/\.$/);
      expect(text).toContain(`inputs.${name}`);
    }
  });

  test('the recipe names inputs that there are', () => {
    const [workflow] = readPage(read('docs/ci.md')).blocks.filter(({ text }) =>
      text.includes('uses: your-organisation'),
    );
    const { jobs } = parse(workflow?.text ?? '') as { jobs: { certify: { steps: { with?: object }[] } } };
    const names = jobs.certify.steps.flatMap((step) => Object.keys(step.with ?? {}));
    expect(names).toContain('keys');
    expect(Object.keys(ACTION.inputs)).toEqual(expect.arrayContaining(names));
  });
});

describe("the action's script, run as a runner would", () => {
  const keys = { full: ['full-key-of-1', 'full-key-of-2'], restricted: 'restricted-1', revoked: null };
  let server: ReferenceServer;
  let folder: string;

  beforeAll(async () => {
    server = await startReference({ keys, clock: systemClock(1) });
    folder = mkdtempSync(join(tmpdir(), 'size-chart-action-'));
    writeFileSync(join(folder, 'acme.profile.yaml'), referenceProfile());
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function run(
    inputs: Readonly<Record<string, string>>,
  ): Promise<{ code: number | null; text: string; outputs: string }> {
    const output = join(folder, `output-${Math.random()}`);
    const summary = join(folder, 'summary.md');
    const variables = Object.fromEntries(Object.keys(SCRIPT?.env ?? {}).map((name) => [name, '']));
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', SCRIPT?.run ?? ''], {
      cwd: folder,
      env: {
        PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
        GITHUB_ACTION_PATH: ROOT,
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: summary,
        ...variables,
        ...inputs,
      },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, text, outputs: existsSync(output) ? readFileSync(output, 'utf8') : '' };
  }

  test('tests a deployment, hands the exit code on, and leaves reports and a summary', async () => {
    const { code, text, outputs } = await run({
      COMMAND: 'check',
      PROFILE: 'acme.profile.yaml',
      BASE_URL: server.baseUrl,
      OUT: 'conformance report',
      SIZE_CHART_KEYS: keys.full.join(','),
      SIZE_CHART_RESTRICTED_KEY: keys.restricted,
    });
    expect(text).toContain('NO FAILURE IN');
    expect(code).toBe(0);
    expect(outputs).toMatch(
      /^exit-code=0\nreport=conformance report\/report\.html\nverdict=no failure in part\ncounts=\{"pass":\d+,"fail":0,/,
    );
    expect(existsSync(join(folder, 'conformance report', 'junit.xml'))).toBe(true);
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('no failure in');
  });

  test('a text that looks like shell is a name like any other', async () => {
    const profile = '$(touch harm); `touch harm`; "; touch harm; --json';
    const { code, text } = await run({
      COMMAND: 'check',
      PROFILE: profile,
      OUT: 'x',
      SIZE_CHART_KEYS: 'full-key-of-1',
    });
    expect(code).toBe(2);
    expect(text).toContain(profile);
    expect(existsSync(join(folder, 'harm'))).toBe(false);
  });

  test('another command is refused', async () => {
    const { code, text } = await run({ COMMAND: 'reference', PROFILE: 'p', OUT: 'x' });
    expect(code).toBe(2);
    expect(text).toContain('must be certify or check');
  });
});

describe('the container', () => {
  const lines = read('Containerfile').split('\n');

  test('copies what there is, and all that the program is made of', () => {
    const sources = lines.flatMap((line) => /^COPY (.+) \S+$/.exec(line)?.[1]?.split(' ') ?? []);
    for (const source of sources) expect(existsSync(join(ROOT, source))).toBe(true);
    expect(sources).toEqual(
      expect.arrayContaining(['bin', 'src', 'suites', 'schema', 'package.json', 'tsconfig.json']),
    );
    const passed = read('.dockerignore').split('\n');
    for (const source of sources) expect(passed).toContain(`!${source}`);
  });

  test('runs without privileges', () => {
    expect(lines.findLast((line) => line.startsWith('USER '))).toBe('USER node');
    expect(lines.some((line) => line.startsWith('ENTRYPOINT ["node"'))).toBe(true);
  });
});
