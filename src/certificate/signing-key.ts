import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { bytesOf, NoPlainFile } from '../plain-file.ts';
import { CertificateError } from './certificate-error.ts';

/** The environment variable that holds a private key as PEM, for machines that keep secrets there. */
const SIGNING_KEY_VARIABLE = 'SIZE_CHART_SIGNING_KEY';

const MAX_KEY_BYTES = 16_384;

/**
 * The private key that signs: from a PEM file (PKCS #8), or else from `SIZE_CHART_SIGNING_KEY`, in which `\n` may stand
 * for a line end. Never from an argument, because the process list shows those. Throws a `CertificateError` that does
 * not contain any part of the key.
 */
export function readSigningKey(file: string | null, env: Readonly<Record<string, string | undefined>>): KeyObject {
  const text = file === null ? env[SIGNING_KEY_VARIABLE]?.replaceAll('\\n', '\n') : readKeyFile(file);
  if (!text) {
    throw new CertificateError(
      `No signing key is given: give a PEM file with --key-file, or set ${SIGNING_KEY_VARIABLE} to its text. \`keygen\` makes one.`,
    );
  }
  const source = file === null ? SIGNING_KEY_VARIABLE : file;
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch {
    throw new CertificateError(
      text.includes('ENCRYPTED')
        ? `The private key in ${source} is locked with a passphrase: give it without a passphrase, from a place that only you can read.`
        : `${source} contains no private key in PEM (PKCS #8): \`keygen\` or \`openssl genpkey -algorithm ed25519\` makes one.`,
    );
  }
  return demandEd25519(key, source);
}

/** The public key to verify with, from a PEM file (SPKI). Throws a `CertificateError`. */
export function readPublicKey(file: string): KeyObject {
  const text = readKeyFile(file);
  if (text.includes('PRIVATE KEY')) {
    throw new CertificateError(`${file} contains a private key: give the public key, which is all that verify needs.`);
  }
  try {
    return demandEd25519(createPublicKey(text), file);
  } catch (cause) {
    if (cause instanceof CertificateError) throw cause;
    throw new CertificateError(
      `${file} contains no public key in PEM. Such a file starts with "-----BEGIN PUBLIC KEY-----".`,
    );
  }
}

/** The 32 bytes of an Ed25519 public key (RFC 8032), from the private or the public half. */
export function rawPublicKey(key: KeyObject): Uint8Array {
  const half = key.type === 'private' ? createPublicKey(key) : key;
  return Buffer.from(half.export({ format: 'jwk' }).x ?? '', 'base64url');
}

/** SHA-256 (hex) of the public key's SPKI DER: people compare it by eye, and the Sigstore bundle gives it as a hint. */
export function fingerprint(key: KeyObject): string {
  const half = key.type === 'private' ? createPublicKey(key) : key;
  return createHash('sha256')
    .update(half.export({ format: 'der', type: 'spki' }))
    .digest('hex');
}

function demandEd25519(key: KeyObject, source: string): KeyObject {
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new CertificateError(
    `The key in ${source} is of type ${key.asymmetricKeyType ?? 'unknown'}, but certificates are signed with Ed25519. \`keygen\` makes such a key pair.`,
  );
}

function readKeyFile(file: string): string {
  try {
    return bytesOf(file, MAX_KEY_BYTES, 'followed').toString('utf8');
  } catch (cause) {
    if (!(cause instanceof NoPlainFile)) throw cause;
    throw new CertificateError(
      `The key file ${file} cannot be used: ${cause.message}. Check its path and permissions.`,
    );
  }
}
