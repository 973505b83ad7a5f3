import { attestRun } from '../../certificate/attest.ts';
import { generateKeyPair } from '../../certificate/key-pair.ts';
import { publicFilesOf } from '../../certificate/public-files.ts';
import { readPublicKey, readSigningKey } from '../../certificate/signing-key.ts';
import { suitePackage } from '../../certificate/suite-package.ts';
import { verifyRun } from '../../certificate/verify.ts';
import { attestationText, keyPairText, verificationText } from '../../certificate/wording.ts';
import { readOpenApi } from '../../init/openapi/document.ts';
import { apiOf } from '../../init/openapi/operations.ts';
import { readSource } from '../../init/openapi/source.ts';
import type { Invocation } from '../arguments.ts';
import { verdictLine } from '../print-report.ts';
import { reportApart } from '../report-apart.ts';
import { UsageError } from '../usage-error.ts';

/** Makes a key pair for certificates. */
export async function keygenCommand({ options }: Invocation): Promise<number> {
  const files = generateKeyPair(options.out ?? undefined);
  process.stdout.write(options.json ? `${JSON.stringify(files)}\n` : keyPairText(files));
  return 0;
}

/** Signs a run. */
export async function attestCommand({ positionals: [run = '.'], options }: Invocation): Promise<number> {
  const key = readSigningKey(options.keyFile, process.env);
  const role = options.role.includes('certifier') ? 'certifier' : 'vendor';
  const attestation = await attestRun({ run, key, suite: suitePackage(), judge: reportApart, role });
  const text = () => attestationText(attestation, publicFilesOf(options.keyFile, key));
  process.stdout.write(options.json ? `${JSON.stringify(attestation)}\n` : text());
  return 0;
}

/** Checks a certificate, and judges its trace again. */
export async function verifyCommand({ positionals: [run = '.'], options }: Invocation): Promise<number> {
  const { key, certifierKey, nonce, accessLog, openapi } = options;
  const file = certifierKey ?? key;
  if (file === null || (certifierKey !== null && key !== null)) {
    throw new UsageError(
      "verify needs one public key, that of the signer: give it with --key (or with --certifier-key if you know that it is a certifier's). Use the key that the signer sent you, not one from the run's folder.",
    );
  }
  const verification = await verifyRun({
    run,
    key: readPublicKey(file),
    suite: suitePackage(),
    judge: reportApart,
    nonce,
    accessLog,
    knowsCertifier: certifierKey !== null,
    api: openapi === null ? null : apiOf((await readOpenApi(await readSource(openapi))).root),
  });
  const text = verificationText(verification);
  process.stdout.write(
    options.json ? `${JSON.stringify(verification, null, 2)}\n` : options.quiet ? verdictLine(text) : text,
  );
  return verification.exitCode;
}
