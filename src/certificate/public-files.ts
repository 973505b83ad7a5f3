import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fingerprint, rawPublicKey } from './signing-key.ts';
import { allowedSigner } from './ssh-signature.ts';

/** A public key in the files that other programs read, as their commands name them. */
export interface PublicFiles {
  /** The signer's name in `allowedSigners`. */
  readonly identity: string;
  readonly allowedSigners: string;
  readonly publicKey: string;
  /** Those that do not exist yet, with their text. */
  readonly missing: readonly { readonly file: string; readonly text: string }[];
}

/** What the public files of a key contain, without the end of their names. */
export function publicTexts(identity: string, key: KeyObject) {
  return {
    '.allowed_signers': `${allowedSigner(identity, rawPublicKey(key))}\n`,
    '.pub': (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'pem', type: 'spki' }).toString(),
  };
}

/**
 * The public files of a private key: those that `keygen` wrote beside it. If they are not there, files in the current
 * folder that do not exist yet, under a name that no other key has.
 *
 * @param keyFile null: the key comes from the environment
 */
export function publicFilesOf(keyFile: string | null, key: KeyObject): PublicFiles {
  const beside = (keyFile ?? 'vendor.key.pem').replace(/(\.key)?\.pem$/, '');
  const name = basename(beside).replace(/[^\w.-]/g, '_');
  const isThere = Object.entries(publicTexts(name, key)).every(([end, text]) => holds(`${beside}${end}`, text));
  const path = isThere ? beside : `${name}-${fingerprint(key).slice(0, 8)}`;
  const identity = basename(path);
  const files = Object.entries(publicTexts(identity, key)).map(([end, text]) => ({ file: `${path}${end}`, text }));
  return {
    identity,
    allowedSigners: `${path}.allowed_signers`,
    publicKey: `${path}.pub`,
    missing: files.filter(({ file, text }) => !holds(file, text)),
  };
}

function holds(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8').trim() === text.trim();
  } catch {
    return false;
  }
}
