import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { certify } from '../../src/api.ts';
import { REQUIREMENTS } from '../../src/catalogue/requirements.ts';
import { examineTarget } from '../../src/cli/commands/doctor.ts';
import { systemClock } from '../../src/clock/system-clock.ts';
import { init } from '../../src/init/init.ts';
import type { Keys } from '../../src/profile/profile.ts';
import { readProfile } from '../../src/profile/read-profile.ts';
import { atTheEnd } from '../end-to-end/at-the-end.test-support.ts';
import { having, reportOf, start, temporaryFolder } from '../end-to-end/command.test-support.ts';
import { serveDocument } from './document-server.test-support.ts';

const DOCUMENTS = fileURLToPath(new URL('../../src/init/fixtures/generated', import.meta.url));
const BIN = fileURLToPath(new URL('../../bin/size-chart-conformance.js', import.meta.url));
const SCALE = 20;
/** `doctor` has nothing to wait for, and a time limit of real seconds, which a busy machine does not miss. */
const UNSCALED = 1;
const KEYS: Keys = { full: ['first-hour-one-8d1f', 'first-hour-two-77ab'], restricted: null, revoked: null };

async function serve(name: string) {
  const document = parse(readFileSync(join(DOCUMENTS, name), 'utf8')) as Record<string, unknown>;
  const server = await serveDocument(document, KEYS.full, systemClock(SCALE));
  atTheEnd(() => server.close());
  return server;
}

test.concurrent.each(readdirSync(DOCUMENTS))(
  '%s: from the document to a verdict without an edit, and nothing that conforms fails',
  async (name) => {
    const server = await serve(name);
    const folder = join(temporaryFolder(), name);
    mkdirSync(folder);
    const file = join(folder, 'size-chart.profile.yaml');
    const { text } = await init(file, { openapi: server.documentUrl, baseUrl: null, name: null });
    const read = readProfile(text, { file });
    if ('errors' in read) throw new Error(JSON.stringify(read.errors));
    const target = { profile: read.profile, keys: KEYS };
    const ids = REQUIREMENTS.map(({ id }) => id);
    const { operations, probes } = await examineTarget(target, ids, UNSCALED, new AbortController().signal);
    // Without a restricted key the probes for 403 are not tried, here as in a run.
    const odd = [...operations, ...probes].filter(
      ({ standing, subject }) => standing !== 'good' && !/forbidden/.test(subject),
    );
    expect(odd).toEqual([]);
    const report = await certify({ profile: file, keys: KEYS, out: join(folder, 'run'), timeScale: SCALE });
    expect(having(report, 'fail')).toEqual([]);
    expect([0, 3]).toContain(report.result.exitCode);
    expect(server.harm).toEqual([]);
  },
);

test('the same by three commands and a file of keys', async () => {
  const server = await serve('fastapi.json');
  const cwd = temporaryFolder();
  const { PATH = '', HOME = '' } = process.env;
  const command = (...args: readonly string[]) =>
    start([process.execPath, BIN, ...args], { cwd, env: { PATH, HOME } }).ended;
  expect(await command('init', '--openapi', server.documentUrl)).toMatchObject({ code: 0 });
  writeFileSync(join(cwd, '.env'), `SIZE_CHART_KEYS=${KEYS.full.join(',')}\n`);
  const pace = ['--time-scale', String(SCALE)];
  const doctor = await command('doctor', ...pace);
  expect(doctor).toMatchObject({ code: 3, stderr: '' });
  expect(doctor.stdout).toContain('set SIZE_CHART_RESTRICTED_KEY');
  const run = await command('certify', ...pace, '--out', 'run');
  expect([0, 3]).toContain(run.code);
  expect(having(reportOf(join(cwd, 'run')), 'fail')).toEqual([]);
});
