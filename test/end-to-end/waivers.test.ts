import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { referenceProfile } from '../../src/reference/profile.ts';
import { waiverStub } from '../../src/report/waiver-stub.ts';
import { expectInOrder, having, reportOf, run, temporaryFolder } from './command.test-support.ts';
import { reference } from './server.test-support.ts';

const SCALE = 20;
const ARGUMENTS = ['check', '--only', 'AUTH-4,STATUS-404', '--waivers', 'waivers.yaml'];

/** Runs against the reference server with a file of waivers. */
async function runWith(waivers: string, options: { readonly defect?: string; readonly profile?: string } = {}) {
  const { baseUrl } = await reference(SCALE, options.defect === undefined ? {} : { defect: options.defect });
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'waivers.yaml'), waivers);
  const profile = `${referenceProfile(baseUrl)}\n${options.profile ?? ''}`;
  return { ended: await run(ARGUMENTS, { baseUrl, cwd, scale: SCALE, profile }), folder: join(cwd, 'out') };
}

test('a known deviation is waived by what the report offered, and never certified', async () => {
  const { baseUrl } = await reference(SCALE, { defect: 'missing-410' });
  const cwd = temporaryFolder();
  await expectInOrder(await run(ARGUMENTS.slice(0, 3), { baseUrl, cwd, scale: SCALE }), 1, join(cwd, 'out'));
  const before = reportOf(join(cwd, 'out'));
  const [failure] = before.verdicts.filter(({ verdict }) => verdict === 'fail');
  expect(failure?.id).toBe('STATUS-404');

  const stub = failure ? waiverStub(failure, before.run.started) : '';
  const { ended, folder } = await runWith(stub, { defect: 'missing-410' });
  await expectInOrder(ended, 0, folder);
  const report = reportOf(folder);
  expect(having(report, 'waived')).toEqual(['STATUS-404']);
  expect(report.result.certifiable).toBe(false);
  expect(report.problems).toEqual([]);
  expect(report.waivers[0]).toMatchObject({ requirement: 'STATUS-404', daysLeft: 90, used: true });
  expect(ended.stdout).toContain('STATUS-404  waived until');
});

const waiver = (until: string): string => `[{ requirement: STATUS-404, reason: known, until: ${until} }]`;

test('a waiver that has ended waives nothing', async () => {
  const { ended, folder } = await runWith(waiver('2026-01-31'), { defect: 'missing-410' });
  await expectInOrder(ended, 1, folder);
  expect(reportOf(folder).problems.map(({ code }) => code)).toEqual(['waiver-expired']);
});

test.each([
  ['has ended', '2026-01-31', 'waiver-expired'],
  ['matches no failure', '2099-01-31', 'waiver-unmatched'],
])('a waiver that %s keeps a conforming target from conforming', async (_, until, code) => {
  const { ended, folder } = await runWith(waiver(until));
  await expectInOrder(ended, 3, folder);
  expect(reportOf(folder).problems.map((each) => each.code)).toEqual([code]);
});

test('one of an unknown requirement, or of what the profile waives, is refused before anything is sent', async () => {
  const unknown = await runWith('[{ requirement: STATUS-405, reason: known, until: 2099-01-31 }]');
  await expectInOrder(unknown.ended, 2, unknown.folder);
  expect(unknown.ended.stderr).toContain(
    'waivers.yaml:1:17: [0].requirement is not the ID of a requirement ("STATUS-405"). Did you mean "STATUS-400"?',
  );
  const double = await runWith(waiver('2099-01-31'), { profile: `waivers: ${waiver('2099-01-31')}` });
  await expectInOrder(double.ended, 2, double.folder);
  expect(double.ended.stderr).toContain('waives STATUS-404, which the profile already waives');
});
