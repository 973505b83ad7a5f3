import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Api } from '../init/openapi/operations.ts';
import { seedOf } from './nonce.ts';
import { forge, makeRun, type RunChanges } from './run.test-support.ts';
import { attest, attestedRun, check, failing, payload, read, vendor } from './verify.test-support.ts';
import { verificationText } from './wording.ts';

describe('an honest certificate', () => {
  test.each<[string, RunChanges, string]>([
    ['a complete pass', {}, 'PASSED'],
    ['a failure', { statuses: [200, 500] }, 'FAILED'],
    ['a run of one requirement', { header: { selection: ['AUTH-1'] } }, 'WARNED'],
  ])('of %s is verified as what it is', async (_, changes, result) => {
    const verification = await check(await attestedRun(changes));
    expect(failing(verification)).toEqual([]);
    expect(verification).toMatchObject({ outcome: 'verified', exitCode: 0, result, standing: 'self-attested' });
  });

  test('names its target in the verdict', async () => {
    expect(verificationText(await check(await attestedRun()))).toMatch(
      /^Verified \(self-attested\): PASSED, .*\nTarget: acme-size-charts 2\.3\.1 at https:\/\/staging\.acme\.example\/api\/v1, run of 20/,
    );
  });

  test('is verified without its copies for other programs', async () => {
    const run = await attestedRun();
    rmSync(join(run, 'report.sigstore.json'));
    rmSync(join(run, 'envelope.json.sig'));
    expect((await check(run)).exitCode).toBe(0);
  });

  test('can be made again: the same bytes, so nothing is in the way', async () => {
    const run = await attestedRun();
    const before = read(run, 'envelope.json');
    await attest(run);
    expect(read(run, 'envelope.json')).toBe(before);
  });
});

describe('standing', () => {
  test('a nonce that the reader gave out makes it witnessed; another one, or none, refutes', async () => {
    const run = await attestedRun({ header: { nonce: 'n-1', seed: seedOf('n-1') } });
    expect(await check(run, { nonce: 'n-1' })).toMatchObject({ exitCode: 0, standing: 'witnessed' });
    expect(await check(run)).toMatchObject({ exitCode: 0, standing: 'self-attested' });
    expect(failing(await check(run, { nonce: 'n-2' }))).toEqual(['refuted: nonce', 'refuted: seed']);
    expect(failing(await check(await attestedRun({ header: { seed: seedOf('n-1') } }), { nonce: 'n-1' }))).toEqual([
      'refuted: nonce',
    ]);
  });

  test('a run that only bears the nonce, and was not planned from it, is refuted', async () => {
    const run = await attestedRun({ header: { nonce: 'n-1', seed: 7 } });
    expect(failing(await check(run, { nonce: 'n-1' }))).toEqual(['refuted: seed']);
  });

  test('a key that calls itself certifier is one only where the reader names it as such', async () => {
    const run = await attestedRun({}, 'certifier');
    const unknown = await check(run);
    expect(unknown.standing).toBe('signed by a key that calls itself certifier');
    expect(verificationText(unknown)).toContain('anybody can claim this of their own key');
    expect((await check(run, { knowsCertifier: true })).standing).toBe('run by the certifier');
    expect((await check(await attestedRun(), { knowsCertifier: true })).standing).toBe('self-attested');
  });

  test('an access log backs a nonce, and refutes a run that it does not have', async () => {
    const run = await attestedRun({ header: { nonce: 'n-1', seed: seedOf('n-1') } });
    const line = (status: number): string =>
      `{"time":${1_773_480_413 + 1.25},"method":"GET","path":"/api/v1/labels","status":${status},"ua":"n-1"}`;
    const log = join(run, 'access.log');
    writeFileSync(log, [200, 200, 401, 429].map(line).join('\n'));
    const backed = await check(run, { nonce: 'n-1', accessLog: log });
    expect(backed).toMatchObject({ exitCode: 0, standing: 'witnessed by the access log' });
    expect((await check(run, { accessLog: log })).standing).toBe('self-attested');
    writeFileSync(log, [200, 200, 401, 429].map((status) => line(status).replace(',"ua":"n-1"', '')).join('\n'));
    const unmarked = await check(run, { nonce: 'n-1', accessLog: log });
    expect(unmarked).toMatchObject({ exitCode: 0, standing: 'witnessed' });
    writeFileSync(
      log,
      [200, 200, 401, 429].map((status) => line(status).replace('"ua":"n-1"', '"nonce":"n-2"')).join('\n'),
    );
    expect(failing(await check(run, { nonce: 'n-1', accessLog: log }))).toEqual(['refuted: access log']);
    writeFileSync(log, [200, 200, 401, 429, 500].map(line).join('\n'));
    expect(failing(await check(run, { nonce: 'n-1', accessLog: log }))).toEqual(['refuted: access log']);
  });
});

describe('what was tested', () => {
  test('is in the certificate, and listed', async () => {
    const text = verificationText(await check(await attestedRun()));
    expect(text).toContain('What was tested:');
    expect(text).toMatch(/Probes: \d+ for 400/);
    expect(text).toContain('Keys: 1 with full permissions, one with limited permissions. Requests: 4.');
    expect(text).toMatch(/SHA-256 of the profile: [0-9a-f]{64}/);
  });

  test('repeat runs until one passes: how often it was run is listed', async () => {
    const text = verificationText(await check(await attestedRun({ header: { attempts: 7 } })));
    expect(text).toContain('This was run number 7 of this installation against this target within a day');
  });

  test('test another deployment than customers use: the certificate names the address, and says that it shows no more', async () => {
    const verification = await check(await attestedRun());
    expect(verification.subject?.target.baseUrl).toBe('https://staging.acme.example/api/v1');
    expect(verificationText(verification)).toContain('you have only the word of the holder of the key');
  });

  test('cannot be said to be more than it was', async () => {
    const run = await attestedRun();
    forge(run, vendor.privateKey, Buffer.from(payload(run).replace('"requests":4', '"requests":4000')));
    expect(failing(await check(run))).toEqual(['refuted: result']);
  });

  test('leave operations out of the profile: an OpenAPI document tells', async () => {
    const operation = (method: string, path: string) => ({ method, path }) as Api['operations'][number];
    const api = { operations: [operation('GET', '/labels/{id}'), operation('GET', '/labels')] };
    const { operations } = JSON.parse(read(await makeRun(), 'trace.ndjson').split('\n')[0] ?? '').profile;
    expect(operations).toEqual([]);
    const text = verificationText(await check(await attestedRun(), { api }));
    expect(text).toContain('Not tested, though the OpenAPI document lists them: GET /labels/{id}, GET /labels.');
  });
});
