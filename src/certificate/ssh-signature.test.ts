import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FormatError } from './certificate-error.ts';
import { allowedSigner, decodeSshSignature, encodeSshSignature, sshSignedData } from './ssh-signature.ts';

const keys = fc.uint8Array({ minLength: 32, maxLength: 32 });
const signatures = fc.uint8Array({ minLength: 64, maxLength: 64 });

test('a signature reads back as it was written, for its own key only', () => {
  fc.assert(
    fc.property(keys, keys, signatures, (key, other, signature) => {
      fc.pre(Buffer.compare(key, other) !== 0);
      const text = encodeSshSignature(key, signature);
      expect(Buffer.compare(decodeSshSignature(text, key), signature)).toBe(0);
      expect(() => decodeSshSignature(text, other)).toThrow(FormatError);
    }),
  );
});

test('garbage is a FormatError and nothing else', () => {
  fc.assert(
    fc.property(fc.string(), keys, (text, key) => {
      expect(() => decodeSshSignature(text, key)).toThrow(FormatError);
    }),
  );
});

test('what is signed starts with the magic and names the namespace, so that no other signature can be taken for it', () => {
  const signed = Buffer.from(sshSignedData(Buffer.from('message'))).toString('latin1');
  expect(signed.startsWith('SSHSIG\0\0\0\x16size-chart-conformance\0\0\0\0\0\0\0\x06sha512\0\0\0\x40')).toBe(true);
});

test('the armour is 70 columns wide, between its two marks', () => {
  const lines = encodeSshSignature(new Uint8Array(32), new Uint8Array(64)).split('\n');
  expect(lines[0]).toBe('-----BEGIN SSH SIGNATURE-----');
  expect(lines.at(-2)).toBe('-----END SSH SIGNATURE-----');
  expect(lines.slice(1, -3).every((line) => line.length === 70)).toBe(true);
});

test('an allowed signer is one line that holds the key in SSH’s wire format', () => {
  expect(allowedSigner('vendor', new Uint8Array(32))).toBe(
    'vendor namespaces="size-chart-conformance" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  );
});
