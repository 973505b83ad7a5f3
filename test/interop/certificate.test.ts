import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { attestRun } from '../../src/certificate/attest.ts';
import { generateKeyPair } from '../../src/certificate/key-pair.ts';
import { judge, makeRun, SUITE, temporaryFolder } from '../../src/certificate/run.test-support.ts';
import { readSigningKey } from '../../src/certificate/signing-key.ts';
import { type Certified, VERIFIERS } from './verifiers.ts';

const keys = generateKeyPair(join(temporaryFolder(), 'vendor'));
const otherKeys = generateKeyPair(join(temporaryFolder(), 'vendor'));
const run = await makeRun({ header: { nonce: 'n-1' } });
await attestRun({ run, key: readSigningKey(keys.privateKey, {}), suite: SUITE, judge });

function certified(folder: string, pair = keys): Certified {
  return {
    envelope: join(folder, 'envelope.json'),
    bundle: join(folder, 'report.sigstore.json'),
    sshSignature: join(folder, 'envelope.json.sig'),
    publicKey: pair.publicKey,
    allowedSigners: pair.allowedSigners,
  };
}

/** A copy of the run in which the text of each of the three files is modified. */
function altered(change: (text: string) => string): Certified {
  const folder = temporaryFolder();
  cpSync(run, folder, { recursive: true });
  const files = certified(folder);
  for (const file of [files.envelope, files.bundle, files.sshSignature]) {
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  }
  return files;
}

/** Changes PASSED to FAILED in the certificate; the armoured SSH signature does not change. */
const otherResult = (text: string): string =>
  text.replace(/"payload": "([^"]+)"/, (_, payload: string) => {
    const statement = Buffer.from(payload, 'base64').toString();
    expect(statement).toContain('"result":"PASSED"');
    return `"payload": "${Buffer.from(statement.replace('"result":"PASSED"', '"result":"FAILED"')).toString('base64')}"`;
  });

/** Changes one bit of each signature; in the SSH signature one of the last bytes, before the end marker. */
const otherSignature = (text: string): string =>
  text
    .replace(/"sig": "(.)/, (_, first: string) => `"sig": "${first === 'A' ? 'B' : 'A'}`)
    .replace(/(.)(.{5})(\n-----END)/, (_, digit: string, rest, end) => `${digit === 'A' ? 'B' : 'A'}${rest}${end}`);

describe.each(VERIFIERS)('$name', ({ install, verify }) => {
  let reason: string | null = null;
  beforeAll(() => {
    reason = install();
  }, 120_000);

  test('accepts a certificate', ({ skip }) => {
    if (reason) skip(`not available here: ${reason}`);
    const { accepted, output } = verify(certified(run));
    expect(accepted, output).toBe(true);
  });

  test.for<[string, () => Certified]>([
    ['another result', () => altered(otherResult)],
    ['another signature', () => altered(otherSignature)],
    ['another key', () => certified(run, otherKeys)],
  ])('refuses one with %s', ([, files], { skip }) => {
    if (reason) skip(`not available here: ${reason}`);
    const { accepted, output } = verify(files());
    expect(accepted, output).toBe(false);
  });
});
