import { attestRun } from '../../certificate/attest.ts';
import { generateKeyPair } from '../../certificate/key-pair.ts';
import { readPublicKey, readSigningKey } from '../../certificate/signing-key.ts';
import { suitePackage } from '../../certificate/suite-package.ts';
import { verifyRun } from '../../certificate/verify.ts';
import type { Invocation } from '../arguments.ts';
import { reportOf } from '../conclude-run.ts';
import { UsageError } from '../usage-error.ts';

/** Makes a key pair for certificates. */
export async function keygenCommand({ options }: Invocation): Promise<number> {
  const { privateKey, publicKey, allowedSigners, fingerprint } = generateKeyPair(options.out ?? undefined);
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ privateKey, publicKey, allowedSigners, fingerprint })}\n`);
  } else {
    process.stdout.write(
      `Private key  ${privateKey} (readable by you alone: keep it so)\nPublic key   ${publicKey}\nFor ssh      ${allowedSigners}\nFingerprint  ${fingerprint}\n`,
    );
  }
  return 0;
}

/** Signs a run. */
export async function attestCommand({ positionals: [run = '.'], options }: Invocation): Promise<number> {
  const key = readSigningKey(options.keyFile, process.env);
  const { result, shortcomings, files, fingerprint } = await attestRun({
    run,
    key,
    suite: suitePackage(),
    judge: reportOf,
  });
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ result, shortcomings, files, fingerprint })}\n`);
    return 0;
  }
  const lines = [
    `Attested as ${result}.`,
    ...shortcomings.map((each) => `  not PASSED: ${each}`),
    ...files.map((file) => `  ${file}`),
    `Signed by ${fingerprint}.`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

/** Checks a certificate, and judges its trace again. */
export async function verifyCommand({ positionals: [run = '.'], options }: Invocation): Promise<number> {
  if (options.key === null) {
    throw new UsageError(
      'verify needs the public key of who signed: give it by --key, as you got it from them and not from the run.',
    );
  }
  const { nonce } = options;
  const verification = await verifyRun({
    run,
    key: readPublicKey(options.key),
    suite: suitePackage(),
    judge: reportOf,
    nonce,
  });
  if (options.json) {
    process.stdout.write(`${JSON.stringify(verification, null, 2)}\n`);
    return verification.exitCode;
  }
  const marks = { established: '✓', refuted: '✗', open: '?' };
  const { outcome, result, standing, checks, limits } = verification;
  const lines = [
    ...checks.map((check) => `${marks[check.outcome]} ${check.name}: ${check.text}`),
    '',
    `${outcome}${result === null ? '' : `: ${result}, ${standing}`}`,
    ...limits.map((limit) => `  ${limit}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return verification.exitCode;
}
