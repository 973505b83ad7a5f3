import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { referenceProfile } from '../../src/reference/profile.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const IMAGE = 'size-chart-conformance:test';
const BASE = /^FROM (\S+)/m.exec(readFileSync(join(ROOT, 'Containerfile'), 'utf8'))?.[1] ?? '';

/** The first tool that can build and run images here; else why there is none. Rootless ones do: podman needs no daemon. */
function findTool(): { readonly tool: string } | { readonly none: string } {
  const reasons: string[] = [];
  for (const tool of ['podman', 'docker']) {
    const { error, status } = spawnSync(tool, ['info'], { stdio: 'ignore', timeout: 20_000 });
    if (error) reasons.push(`${tool} is not installed`);
    else if (status !== 0) reasons.push(`${tool} has no daemon or lacks the right to run`);
    // Tests fetch nothing: the base must have been pulled before.
    else if (spawnSync(tool, ['image', 'inspect', BASE], { stdio: 'ignore' }).status === 0) return { tool };
    else reasons.push(`${tool} has no image ${BASE}`);
  }
  return { none: reasons.join('; ') };
}

const found = findTool();
const folder = mkdtempSync(join(tmpdir(), 'container-test-'));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  if ('tool' in found) spawnSync(found.tool, ['rmi', '--force', IMAGE], { stdio: 'ignore' });
});

test('the image is built, and runs as any user on a folder of the host', ({ skip }) => {
  if ('none' in found) return skip(`no image can be built here: ${found.none}`);
  const { tool } = found;
  const run = (...args: readonly string[]) => spawnSync(tool, args, { cwd: ROOT, encoding: 'utf8' });
  const built = run('build', '--file', 'Containerfile', '--tag', IMAGE, '.');
  expect(built.status, built.stderr).toBe(0);
  writeFileSync(join(folder, 'size-chart.profile.yaml'), referenceProfile('http://127.0.0.1:8080/api/v1'));
  const inside = (...args: readonly string[]) =>
    run('run', '--rm', '--user', `${process.getuid?.() ?? 1000}`, '--volume', `${folder}:/work`, ...args);
  expect(inside(IMAGE, 'version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  const planned = inside('--env', 'SIZE_CHART_KEYS=one-of-a-test,two-of-a-test', IMAGE, 'certify', '--dry-run');
  expect(planned).toMatchObject({ status: 0, stdout: expect.stringContaining('requests') });
  // Nothing listens there: the run ends with its cause, and writes its reports into the folder.
  const ended = inside('--env', 'SIZE_CHART_KEYS=one-of-a-test', IMAGE, 'check', '--out', 'out');
  expect(ended.status).toBe(3);
  expect(readFileSync(join(folder, 'out', 'report.json'), 'utf8')).toContain('nothing listens at');
}, 600_000);
