import { createHash } from 'node:crypto';
import { FormatError } from './certificate-error.ts';

/** The purpose of the signature: `ssh-keygen -Y verify -n …` needs the same word (PROTOCOL.sshsig, "namespace"). */
export const SSH_NAMESPACE = 'size-chart-conformance';

const MAGIC = 'SSHSIG';
const ALGORITHM = 'ssh-ed25519';
const HASH = 'sha512';
const BEGIN = '-----BEGIN SSH SIGNATURE-----';
const END = '-----END SSH SIGNATURE-----';
const COLUMNS = 70;

/**
 * The bytes that an SSH signature of `message` signs (OpenSSH, PROTOCOL.sshsig section 3): magic, namespace, reserved,
 * hash algorithm and hash of the message.
 */
export function sshSignedData(message: Uint8Array): Uint8Array {
  const hash = createHash(HASH).update(message).digest();
  return Buffer.concat([Buffer.from(MAGIC), string(SSH_NAMESPACE), string(''), string(HASH), string(hash)]);
}

/**
 * An armoured SSH signature (PROTOCOL.sshsig sections 1 and 2), as `ssh-keygen -Y sign` writes it.
 * @param publicKey the 32 bytes of an Ed25519 public key
 * @param signature 64 bytes over `sshSignedData(message)`
 */
export function encodeSshSignature(publicKey: Uint8Array, signature: Uint8Array): string {
  const version = Buffer.from([0, 0, 0, 1]);
  const blob = Buffer.concat([
    Buffer.from(MAGIC),
    version,
    string(sshPublicKey(publicKey)),
    string(SSH_NAMESPACE),
    string(''),
    string(HASH),
    string(Buffer.concat([string(ALGORITHM), string(signature)])),
  ]);
  const lines = blob.toString('base64').match(new RegExp(`.{1,${COLUMNS}}`, 'g')) ?? [];
  return `${[BEGIN, ...lines, END].join('\n')}\n`;
}

/**
 * The 64 bytes of the signature in an armoured file made for this public key. It accepts only the form that
 * `encodeSshSignature` writes. Throws a `FormatError`.
 */
export function decodeSshSignature(text: string, publicKey: Uint8Array): Uint8Array {
  const lines = text.split('\n');
  const blob = Buffer.from(lines.slice(1, -2).join(''), 'base64');
  const signature = blob.subarray(-64);
  if (encodeSshSignature(publicKey, signature) !== text) {
    throw new FormatError('it is not an SSH signature by this key in the form that `attest` writes');
  }
  return signature;
}

/**
 * The line of an `allowed_signers` file (ssh-keygen(1)) that lets this key sign certificates under the given identity,
 * without a line end.
 */
export function allowedSigner(identity: string, publicKey: Uint8Array): string {
  const blob = Buffer.from(sshPublicKey(publicKey)).toString('base64');
  return `${identity} namespaces="${SSH_NAMESPACE}" ${ALGORITHM} ${blob}`;
}

/** A public key in SSH's wire format (RFC 8709 section 4). */
function sshPublicKey(publicKey: Uint8Array): Uint8Array {
  return Buffer.concat([string(ALGORITHM), string(publicKey)]);
}

/** A `string` of RFC 4251 section 5: its length in four bytes, big-endian, and its bytes. */
function string(value: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
