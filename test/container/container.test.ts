import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { referenceProfile } from '../../src/reference/profile.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const IMAGE = 'size-chart-conformance:test';
const BASE = /^FROM (\S+)/m.exec(readFileSync(join(ROOT, 'Containerfile'), 'utf8'))?.[1] ?? '';

/** Runs a command of the suite in a container of the image, as this user, in the folder. */
type Run = (env: readonly string[], ...args: readonly string[]) => SpawnSyncReturns<string>;

/** A tool that already has the base image: tests download none. */
interface Engine {
  readonly tool: string;
  readonly options: readonly string[];
  /** What runs commands in the image, once it is built. */
  readonly start: () => Run;
}

const ENTRY_POINT = '{{range .OCIv1.Config.Entrypoint}}{{.}} {{end}}';

const call = (tool: string, ...args: readonly string[]) => spawnSync(tool, args, { cwd: ROOT, encoding: 'utf8' });

/**
 * podman and docker are the usual tools; buildah also works without a daemon and without the right to create
 * namespaces.
 */
function engineOf(tool: string): Engine {
  const inFolder = (env: readonly string[]) => [
    ...['--user', `${process.getuid?.() ?? 1000}`, '--volume', `${folder}:/work`],
    ...env.flatMap((each) => ['--env', each]),
  ];
  if (tool !== 'buildah') {
    const start =
      (): Run =>
      (env, ...args) =>
        call(tool, 'run', '--rm', ...inFolder(env), IMAGE, ...args);
    return { tool, options: [], start };
  }
  const apart = ['--isolation', 'chroot'];
  const start = (): Run => {
    const container = call(tool, 'from', '--pull=never', IMAGE).stdout.trim();
    const entry = call(tool, 'inspect', '--type', 'image', '--format', ENTRY_POINT, IMAGE).stdout.trim().split(' ');
    onTestFinished(() => void call(tool, 'rm', container));
    return (env, ...args) => call(tool, 'run', ...apart, ...inFolder(env), container, '--', ...entry, ...args);
  };
  return { tool, options: ['--pull=never', ...apart], start };
}

/** The first tool that can build and run images here, or why there is none. */
function findTool(): Engine | { readonly none: string } {
  const reasons: string[] = [];
  for (const tool of ['podman', 'docker', 'buildah']) {
    const { error, status } = spawnSync(tool, ['info'], { stdio: 'ignore', timeout: 20_000 });
    if (error) reasons.push(`${tool} is not installed`);
    else if (status !== 0) reasons.push(`${tool} has no daemon or lacks the right to run`);
    else if (call(tool, 'images', '--quiet', BASE).stdout.trim() !== '') return engineOf(tool);
    else reasons.push(`${tool} has no image ${BASE}`);
  }
  return { none: reasons.join('; ') };
}

const folder = mkdtempSync(join(tmpdir(), 'container-test-'));
const found = findTool();

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  if ('tool' in found) call(found.tool, 'rmi', '--force', IMAGE);
});

test('the image is built, and runs as any user on a folder of the host', ({ skip }) => {
  if ('none' in found) return skip(`no image can be built here: ${found.none}`);
  const { tool, options, start } = found;
  const built = call(tool, 'build', ...options, '--file', 'Containerfile', '--tag', IMAGE, '.');
  expect(built.status, built.stderr).toBe(0);
  writeFileSync(join(folder, 'size-chart.profile.yaml'), referenceProfile('http://127.0.0.1:8080/api/v1'));
  const inside = start();
  expect(inside([], 'version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  const planned = inside(['SIZE_CHART_KEYS=one-of-a-test,two-of-a-test'], 'certify', '--dry-run');
  expect(planned).toMatchObject({ status: 0, stdout: expect.stringContaining('requests') });
  // Nothing listens there, so the run ends with this cause, and writes its reports into the folder.
  const ended = inside(['SIZE_CHART_KEYS=one-of-a-test'], 'check', '--out', 'out');
  expect(ended.status).toBe(3);
  expect(readFileSync(join(folder, 'out', 'report.json'), 'utf8')).toContain('nothing listens at');
}, 600_000);
