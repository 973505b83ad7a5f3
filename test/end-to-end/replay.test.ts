import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run, temporaryFolder } from './command.test-support.ts';
import { reference } from './server.test-support.ts';

const SCALE = 20;

// Limits are replayed in virtual time, in src/replay/replay.test.ts.
test('what fails fails again, and not on a mended server', async () => {
  const cwd = temporaryFolder();
  const id = 'AUTH-6';
  const broken = await reference(SCALE, { defect: 'permission-401' });
  const mended = await reference(SCALE);
  await run(['certify', '--only', id], { baseUrl: broken.baseUrl, cwd, scale: SCALE });
  const replay = (baseUrl: string) => run(['replay', 'out', id, '--base-url', baseUrl], { baseUrl, cwd, out: null });
  const again = await replay(broken.baseUrl);
  expect(again.stdout).toContain('Sends 3 requests.');
  expect(again.stdout).toContain(`${id} still fails: `);
  expect(again).toMatchObject({ code: 1, stderr: '' });
  const after = await replay(mended.baseUrl);
  expect(after.stdout).not.toContain('still fails:');
  expect(after.code).toBe(0);
  expect(after.stderr).toContain(`these requests go to ${mended.baseUrl}, not to ${broken.baseUrl}`);
  const misspelt = await run(['replay', join(cwd, 'out'), id.toLowerCase()], {
    baseUrl: mended.baseUrl,
    cwd,
    out: null,
  });
  expect([misspelt.code, misspelt.stderr]).toEqual([
    2,
    expect.stringContaining(`There is no requirement ${id.toLowerCase()}. Did you mean "${id}"? These failed: `),
  ]);
  const other = await run(['replay', join(cwd, 'out'), 'VERSION-1'], { baseUrl: mended.baseUrl, cwd, out: null });
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringContaining('VERSION-1 did not fail in this run. These failed: '),
  ]);
});
