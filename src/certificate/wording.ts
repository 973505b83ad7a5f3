import { dirname, join } from 'node:path';
import { quote } from '../replay/curl.ts';
import { printable } from '../report/printable.ts';
import type { Attestation } from './attest.ts';
import type { KeyPairFiles } from './key-pair.ts';
import type { PublicFiles } from './public-files.ts';
import { SSH_NAMESPACE } from './ssh-signature.ts';
import { PREDICATE_TYPE, type TestResult } from './statement.ts';
import { shown, type Verification } from './verification.ts';

/** What `keygen` says: which file to keep, which to publish, and the fingerprint to give over another channel. */
export function keyPairText(files: KeyPairFiles): string {
  return lines(
    `${files.privateKey}  the private key: keep it secret (mode 0600), and sign with --key-file`,
    `${files.publicKey}  the public key: publish it`,
    `${files.allowedSigners}  the same for ssh-keygen: publish it`,
    '',
    `SHA-256 of the public key: ${files.fingerprint}`,
    'Send the fingerprint to those who verify, over a different channel than your reports.',
  );
}

/**
 * What `attest` says: the signed result, why it is not a complete pass, and how others can check it, from the current
 * folder.
 */
export function attestationText(
  { result, shortcomings, files, fingerprint }: Attestation,
  { identity, allowedSigners, publicKey, missing }: PublicFiles,
): string {
  const inRun = (file: string): string => asWord(join(dirname(files[0] ?? ''), file));
  return lines(
    `Attested: ${result}, ${RESULTS[result]}.`,
    ...shortcomings.map((each) => `  -  ${printable(each)}`),
    '',
    'Files written, all signed with the same key:',
    ...files.map((file) => `  ${printable(file)}`),
    `SHA-256 of the public key: ${fingerprint}`,
    '',
    'Anybody who has the public key and the folder of the run can check it with `verify`, or without this suite:',
    ...missing.map(
      ({ file, text }) => `  printf '%s\\n' ${text.trim().split('\n').map(asWord).join(' ')} > ${asWord(file)}`,
    ),
    `  ssh-keygen -Y verify -f ${asWord(allowedSigners)} -I ${asWord(identity)} -n ${SSH_NAMESPACE} -s ${inRun('envelope.json.sig')} < ${inRun('envelope.json')}`,
    `  cosign verify-blob-attestation --key ${asWord(publicKey)} --bundle ${inRun('report.sigstore.json')} --insecure-ignore-tlog \\`,
    `    --type ${PREDICATE_TYPE} ${inRun('report.json')}`,
  );
}

/** A path as one word of a command. */
function asWord(path: string): string {
  return quote(printable(path));
}

/** What `verify` says: what was and what could not be established. */
export function verificationText(verification: Verification): string {
  const { checks, tested, limits } = verification;
  return lines(
    headline(verification),
    '',
    ...checks.map(({ outcome, text }) => `  ${MARKS[outcome].padEnd(4)} ${text}`),
    ...(tested.length > 0 ? ['', 'What was tested:'] : []),
    ...tested.map((each) => `  -  ${printable(each)}`),
    ...(limits.length > 0 ? ['', 'What this does not establish:'] : []),
    ...limits.map((each) => `  -  ${each}`),
  );
}

const MARKS = { established: 'yes', refuted: 'NO', open: '?' } as const;

const RESULTS: Readonly<Record<TestResult, string>> = {
  PASSED: 'a complete pass of the catalogue',
  WARNED: 'nothing failed, but the run is not a complete pass',
  FAILED: 'the target does not conform',
};

function headline({ outcome, result, standing, subject }: Verification): string {
  if (outcome === 'refuted') return 'Not verified: the certificate is refuted.';
  if (outcome === 'not established' || result === null || subject === null) {
    return 'Not verified: some checks could not be decided.';
  }
  const { target, started } = subject;
  const name = [target.name, target.version ?? ''].join(' ').trim();
  return `Verified (${standing}): ${result}, ${RESULTS[result]}.\nTarget: ${shown(name)} at ${shown(target.baseUrl)}, run of ${shown(started)}.`;
}

function lines(...texts: readonly string[]): string {
  return `${texts.join('\n')}\n`;
}
