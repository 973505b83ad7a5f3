import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CertificateError } from './certificate-error.ts';
import { fingerprint, rawPublicKey } from './signing-key.ts';
import { allowedSigner } from './ssh-signature.ts';

export interface KeyPairFiles {
  /** PKCS #8 PEM, mode 0600: keep it secret. */
  readonly privateKey: string;
  /** SPKI PEM: publish it. */
  readonly publicKey: string;
  /** For `ssh-keygen -Y verify -f`: publish it, too. */
  readonly allowedSigners: string;
  /** SHA-256 (hex) of the public key, to be compared over another channel. */
  readonly fingerprint: string;
}

/**
 * Makes an Ed25519 key pair as `<name>.pem`, `<name>.pub` and `<name>.allowed_signers` in a folder, which is created
 * where it is missing. Never overwrites: a file that is already there is a `CertificateError`, and nothing is left behind.
 */
export function generateKeyPair(options: { readonly directory: string; readonly name?: string }): KeyPairFiles {
  const { directory, name = 'vendor' } = options;
  if (!/^[\w.-]+$/.test(name)) {
    throw new CertificateError(`"${name}" cannot name key files: use letters, digits, ".", "_" and "-".`);
  }
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const files = {
    privateKey: join(directory, `${name}.pem`),
    publicKey: join(directory, `${name}.pub`),
    allowedSigners: join(directory, `${name}.allowed_signers`),
  };
  const written: string[] = [];
  const write = (file: string, text: string, mode: number): void => {
    writeFileSync(file, text, { flag: 'wx', mode });
    written.push(file);
  };
  try {
    mkdirSync(directory, { recursive: true });
    write(files.privateKey, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), 0o600);
    write(files.publicKey, publicKey.export({ format: 'pem', type: 'spki' }).toString(), 0o644);
    write(files.allowedSigners, `${allowedSigner(name, rawPublicKey(publicKey))}\n`, 0o644);
  } catch (cause) {
    for (const file of written) rmSync(file, { force: true });
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CertificateError(
      why.startsWith('EEXIST')
        ? `There is already a key of this name in ${directory}: keys are never overwritten. Choose another name or folder.`
        : `Cannot write the key pair (${why}): check the folder and its permissions.`,
    );
  }
  return { ...files, fingerprint: fingerprint(publicKey) };
}
