import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CertificateError } from './certificate-error.ts';
import { generateKeyPair } from './key-pair.ts';
import { temporaryFolder } from './run.test-support.ts';
import { fingerprint, readPublicKey, readSigningKey } from './signing-key.ts';

test('a pair is made once, secret half for the owner only, and is never overwritten', () => {
  const out = join(temporaryFolder(), 'new', 'acme');
  const pair = generateKeyPair(out);
  expect(statSync(pair.privateKey).mode & 0o777).toBe(0o600);
  expect(fingerprint(readSigningKey(pair.privateKey, {}))).toBe(pair.fingerprint);
  expect(fingerprint(readPublicKey(pair.publicKey))).toBe(pair.fingerprint);
  expect(readFileSync(pair.allowedSigners, 'utf8')).toMatch(/^acme namespaces="[^"]+" ssh-ed25519 \S+\n$/);

  const before = readFileSync(pair.privateKey, 'utf8');
  expect(() => generateKeyPair(out)).toThrow('never overwrites');
  expect(readFileSync(pair.privateKey, 'utf8')).toBe(before);
});

test('where one of the files is there already, none of the others is left behind', () => {
  const directory = temporaryFolder();
  writeFileSync(join(directory, 'vendor.pub'), 'mine');
  expect(() => generateKeyPair(join(directory, 'vendor'))).toThrow(CertificateError);
  expect(readdirSync(directory)).toEqual(['vendor.pub']);
});

test.each(['', '.', '..', 'keys/', 'a b'])('"%s" names no key files', (name) => {
  expect(() => generateKeyPair(join(temporaryFolder(), 'keys') + name.padStart(name.length + 1, '/'))).toThrow(
    'cannot be used for key files',
  );
});

test('the signing key comes from the environment, where `\\n` may stand for line ends', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  for (const value of [pem, pem.replaceAll('\n', '\\n')]) {
    expect(fingerprint(readSigningKey(null, { SIZE_CHART_SIGNING_KEY: value }))).toBe(fingerprint(privateKey));
  }
});

const write = (text: string): string => {
  const file = join(temporaryFolder(), 'key');
  writeFileSync(file, text);
  return file;
};
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');
const pkcs8 = { format: 'pem', type: 'pkcs8' } as const;
const spki = { format: 'pem', type: 'spki' } as const;

test.each([
  ['no key at all', () => readSigningKey(null, {}), 'No signing key is given: give a PEM file with --key-file'],
  [
    'a file that is not there',
    () => readSigningKey('/nowhere/key.pem', {}),
    'The key file /nowhere/key.pem cannot be used: there is no such file',
  ],
  ['garbage', () => readSigningKey(write('hunter2'), {}), 'contains no private key in PEM'],
  ['a huge file', () => readSigningKey(write('x'.repeat(20_000)), {}), 'larger than 16384 bytes'],
  ['an RSA key', () => readSigningKey(write(rsa.privateKey.export(pkcs8).toString()), {}), 'of type rsa'],
  [
    'a locked key',
    () =>
      readSigningKey(
        write(ed25519.privateKey.export({ ...pkcs8, cipher: 'aes-256-cbc', passphrase: 'x' }).toString()),
        {},
      ),
    'locked with a passphrase',
  ],
  ['an RSA public key', () => readPublicKey(write(rsa.publicKey.export(spki).toString())), 'of type rsa'],
  [
    'a private key to verify with',
    () => readPublicKey(write(ed25519.privateKey.export(pkcs8).toString())),
    'private key',
  ],
  ['garbage to verify with', () => readPublicKey(write('hunter2')), 'contains no public key in PEM'],
])('%s is told in words that hold nothing of the key', (_, read, message) => {
  let thrown: unknown;
  try {
    read();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(CertificateError);
  expect(String(thrown)).toContain(message);
  expect(String(thrown)).not.toContain('hunter2');
  expect(String(thrown)).not.toContain('MC4C');
});
