import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { attestRun } from './attest.ts';
import { generateKeyPair } from './key-pair.ts';
import { publicFilesOf } from './public-files.ts';
import { judge, makeRun, SUITE, temporaryFolder } from './run.test-support.ts';
import { readSigningKey } from './signing-key.ts';
import { attestationText } from './wording.ts';

test('the commands that check a certificate name each file by its path, as one word', () => {
  const files = ['envelope.json', 'report.sigstore.json', 'envelope.json.sig'].map((name) => `/runs/my run/${name}`);
  const text = attestationText(
    { result: 'PASSED', shortcomings: [], files, fingerprint: '' },
    { identity: 'acme', allowedSigners: 'keys/acme.allowed_signers', publicKey: 'keys/acme.pub', missing: [] },
  );
  expect(text).toContain(
    "ssh-keygen -Y verify -f keys/acme.allowed_signers -I acme -n size-chart-conformance -s '/runs/my run/envelope.json.sig' < '/runs/my run/envelope.json'",
  );
  expect(text).toMatch(/--key keys\/acme\.pub --bundle '\/runs\/my run\/report\.sigstore\.json'/);
  expect(text).toMatch(/ '\/runs\/my run\/report\.json'$/m);
});

describe('the command for ssh-keygen works as it is pasted', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'keys'));
  const { privateKey } = generateKeyPair(join(folder, 'keys', 'acme'));
  const key = readSigningKey(privateKey, {});
  const attestation = await attestRun({ run: await makeRun(), key, suite: SUITE, judge });
  const elsewhere = join(folder, 'elsewhere.pem');

  test.each([
    ['with the files beside the key', () => privateKey],
    ['from any folder, where the key comes from the environment', () => null],
    ['where only the private key is there', () => elsewhere],
  ])('%s', (_, keyFile) => {
    const [given] = [keyFile()];
    if (given === elsewhere) renameSync(privateKey, elsewhere);
    const text = attestationText(attestation, publicFilesOf(given, key));
    const pasted = text.split('\n').filter((line) => /^ {2}(printf|ssh-keygen) /.test(line));
    expect(pasted.length).toBe(given === privateKey ? 1 : 3);
    const { status, stdout, error } = spawnSync('sh', ['-ec', pasted.join('\n')], { cwd: temporaryFolder() });
    if (spawnSync('sh', ['-c', 'command -v ssh-keygen']).status !== 0) return;
    expect({ status, error, stdout: `${stdout}` }).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Good "size-chart-conformance" signature for /),
    });
  });
});
