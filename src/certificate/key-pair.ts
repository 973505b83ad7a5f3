import { generateKeyPairSync } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { messageOf } from '../caught.ts';
import { makeFolder } from '../run-folder/output-folder.ts';
import { CertificateError } from './certificate-error.ts';
import { publicTexts } from './public-files.ts';
import { fingerprint } from './signing-key.ts';

export interface KeyPairFiles {
  /** PKCS #8 PEM, mode 0600: keep it secret. */
  readonly privateKey: string;
  /** SPKI PEM: publish it. */
  readonly publicKey: string;
  /** For `ssh-keygen -Y verify -f`: publish it, too. The identity is the last part of `out`. */
  readonly allowedSigners: string;
  /** SHA-256 (hex) of the public key, for comparison over another channel. */
  readonly fingerprint: string;
}

/**
 * Makes an Ed25519 key pair as `<out>.key.pem`, `<out>.pub` and `<out>.allowed_signers`; it creates a missing folder.
 * It never overwrites: if a file already exists, it throws a `CertificateError` and leaves nothing behind.
 */
export function generateKeyPair(out = 'vendor'): KeyPairFiles {
  const name = basename(out);
  if (!/^\w[\w.-]*$/.test(name) || out.endsWith('/')) {
    throw new CertificateError(
      `"${out}" cannot be used for key files: end it in a name of letters, digits, ".", "_" and "-".`,
    );
  }
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const files = {
    privateKey: `${out}.key.pem`,
    publicKey: `${out}.pub`,
    allowedSigners: `${out}.allowed_signers`,
  };
  const written: string[] = [];
  const write = (file: string, text: string, mode: number): void => {
    writeFileSync(file, text, { flag: 'wx', mode });
    written.push(file);
  };
  try {
    makeFolder(dirname(out));
    write(files.privateKey, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), 0o600);
    const texts = publicTexts(name, publicKey);
    write(files.publicKey, texts['.pub'], 0o644);
    write(files.allowedSigners, texts['.allowed_signers'], 0o644);
  } catch (cause) {
    for (const file of written) rmSync(file, { force: true });
    const why = messageOf(cause);
    throw new CertificateError(
      why.startsWith('EEXIST')
        ? `A key named ${out} already exists, and keygen never overwrites keys. Choose another name.`
        : `The key pair cannot be written (${why}): check the folder and its permissions.`,
    );
  }
  return { ...files, fingerprint: fingerprint(publicKey) };
}
