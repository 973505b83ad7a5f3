import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run, temporaryFolder } from './command.test-support.ts';
import { reference } from './server.test-support.ts';

const SCALE = 20;

test.each([
  ['permission-401', 'AUTH-6', /Sends 3 requests\./],
  ['limit-plus-one', 'LIMIT-W', /Sends \d+ requests over/],
])('what fails by %s fails again, and not on a mended server', async (defect, id, sends) => {
  const cwd = temporaryFolder();
  // Windows that begin with the first request: in scaled time no two servers have the same minutes.
  const broken = await reference(SCALE, { variant: 'anchored', defect });
  const mended = await reference(SCALE, { variant: 'anchored' });
  await run(['certify'], { baseUrl: broken.baseUrl, cwd, scale: SCALE });
  const replay = (baseUrl: string) => run(['replay', 'out', id, '--base-url', baseUrl], { baseUrl, cwd, out: null });
  const again = await replay(broken.baseUrl);
  expect(again.stdout).toMatch(sends);
  expect(again.stdout).toContain(`${id} still fails: `);
  expect(again.code).toBe(1);
  const after = await replay(mended.baseUrl);
  expect(after.stdout).not.toContain('still fails:');
  expect([0, 3]).toContain(after.code);
  const other = await run(['replay', join(cwd, 'out'), 'VERSION-1'], { baseUrl: mended.baseUrl, cwd, out: null });
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringContaining('VERSION-1 did not fail in this run. What failed: '),
  ]);
});
