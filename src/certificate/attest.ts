import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Report, serialiseReport } from '../report/report.ts';
import { judgeInto } from '../run-folder/judge-into.ts';
import { TraceError } from '../trace/problem.ts';
import type { Trace } from '../trace/trace.ts';
import { CertificateError, FormatError } from './certificate-error.ts';
import { type Envelope, encodeEnvelope, preAuthenticationEncoding, STATEMENT_TYPE } from './dsse.ts';
import type { Judge } from './judge-again.ts';
import { type Inspection, openRunFolder, type RunFile, type RunFolder } from './run-folder.ts';
import { fingerprint, rawPublicKey } from './signing-key.ts';
import { encodeBundle } from './sigstore-bundle.ts';
import { encodeSshSignature, sshSignedData } from './ssh-signature.ts';
import {
  encodeStatement,
  isCertifiable,
  type Role,
  type SuitePackage,
  shortcomings,
  type TestResult,
  testResult,
} from './statement.ts';
import { testedOf } from './tested.ts';
import { shown } from './verification.ts';

export interface AttestOptions {
  /** The run's folder: it holds `trace.ndjson` and `report.json`. */
  readonly run: string;
  readonly key: KeyObject;
  readonly suite: SuitePackage;
  readonly judge: Judge;
  /** `certifier` if the signer ran the suite as the certifying body; default `vendor`. */
  readonly role?: Role;
}

export interface Attestation {
  readonly result: TestResult;
  /** Why the result is not PASSED; empty if it is. */
  readonly shortcomings: readonly string[];
  /** Paths of the envelope, the Sigstore bundle and the SSH signature. */
  readonly files: readonly string[];
  /** SHA-256 (hex) of the public key. */
  readonly fingerprint: string;
}

/**
 * Signs what a run found: writes the certificate (`envelope.json`) into the run's folder, and also the same as a
 * Sigstore bundle and an SSH signature over the certificate, all with one key. It judges the trace again first, so it
 * signs only what follows from the trace. Throws a `CertificateError` if the run is not complete, if its report does
 * not follow from the trace, or if another certificate already exists.
 */
export async function attestRun(options: AttestOptions): Promise<Attestation> {
  const { key, suite, role = 'vendor' } = options;
  const folder = openRunFolder(options.run);
  const { report, text, trace } = await reportOfTrace(folder, options.judge);
  if (report.suite.version !== suite.version) {
    throw new CertificateError(
      `Version ${report.suite.version} made the run, but this is version ${suite.version}: attest it with the version that made it.`,
    );
  }
  const reportDigest = createHash('sha256').update(text).digest('hex');
  const files = certificateFiles(encodeStatement(report, { reportDigest, suite, role, tested: testedOf(trace) }), key);
  for (const file of CERTIFICATE_FILES) refuseToReplace(folder, file, files[file]);
  for (const file of CERTIFICATE_FILES) writeWhole(folder.path(file), files[file]);
  return {
    result: testResult(report),
    shortcomings: shortcomings(report),
    files: CERTIFICATE_FILES.map((file) => folder.path(file)),
    fingerprint: fingerprint(key),
  };
}

const CERTIFICATE_FILES = ['envelope', 'bundle', 'sshSignature'] as const satisfies readonly RunFile[];

/**
 * The three files of a certificate: the same bytes for the same statement and key, because Ed25519 uses no randomness.
 */
function certificateFiles(
  payload: Uint8Array,
  key: KeyObject,
): Readonly<Record<(typeof CERTIFICATE_FILES)[number], string>> {
  const signature = sign(null, preAuthenticationEncoding(STATEMENT_TYPE, payload), key);
  const statement: Envelope = { payloadType: STATEMENT_TYPE, payload, signature };
  const envelope = encodeEnvelope(statement);
  const sshSignature = sign(null, sshSignedData(Buffer.from(envelope)), key);
  return {
    envelope,
    bundle: encodeBundle(statement, fingerprint(key)),
    sshSignature: encodeSshSignature(rawPublicKey(createPublicKey(key)), sshSignature),
  };
}

async function reportOfTrace(folder: RunFolder, judge: Judge): Promise<{ report: Report; text: string; trace: Trace }> {
  // A run that was killed has no report either, and no report makes it whole.
  const { trace, digest } = await readWhole(folder);
  const recorded = read(
    folder,
    'report',
    () => folder.text('report'),
    `make it from the trace with \`${judgeInto(dirname(folder.path('trace')))}\``,
  );
  if (!isCertifiable(trace.header.command)) throw new CertificateError(notCertified(trace.header.command));
  if (trace.header.scale !== 1) {
    throw new CertificateError(
      `Time ran ${trace.header.scale} times faster than real time in this run: it is a rehearsal, and says nothing about a deployment in real time. Run certify without --time-scale, and attest that run.`,
    );
  }
  const report = await judge(trace, digest);
  const text = serialiseReport(report);
  if (text !== recorded) {
    throw new CertificateError(
      `${folder.path('report')} is not the report that this release makes from the trace: make it again with \`${judgeInto(dirname(folder.path('trace')))}\`.`,
    );
  }
  return { report, text, trace };
}

/**
 * Checked before the report: that of a load run has figures that the trace lacks, and making it again would drop them.
 */
function notCertified(command: string): string {
  const runs = command === 'load' ? 'Load runs are' : `A run of ${shown(command)} is`;
  return `${runs} not certified: run certify against the same deployment, and attest that run. The reports of this run do not change.`;
}

async function readWhole(folder: RunFolder): Promise<Inspection> {
  const path = folder.path('trace');
  const found = await folder.trace().catch((cause: unknown) => {
    if (!(cause instanceof TraceError)) throw cause;
    throw new CertificateError(`A damaged trace cannot be attested. ${cause.message}. Make the run again.`);
  });
  if (found === null) throw new CertificateError(`There is no ${path}: give the folder of a run.`);
  const [problem] = found.problems;
  if (problem) {
    const cause = new TraceError(problem, path);
    throw new CertificateError(`A damaged trace cannot be attested. ${cause.message}. Make the run again.`);
  }
  if (found.trace.footer) return found;
  throw new CertificateError(`${path} has no footer, so the run was cut short: run certify again, to its end.`);
}

function read(
  folder: RunFolder,
  file: RunFile,
  take: () => string | null,
  remedy = 'give the folder of a run',
): string {
  let found: string | null;
  try {
    found = take();
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw new CertificateError(`${folder.path(file)} cannot be used: ${cause.message}.`);
  }
  if (found === null) throw new CertificateError(`There is no ${folder.path(file)}: ${remedy}.`);
  return found;
}

/** A certificate is evidence, so one by another key or of another run is never overwritten. */
function refuseToReplace(folder: RunFolder, file: RunFile, text: string): void {
  const found = read(folder, file, () => folder.text(file) ?? text);
  if (found === text) return;
  throw new CertificateError(
    `${folder.path(file)} already exists with other content: move it away, or attest a copy of the run's folder.`,
  );
}

/** Writes a temporary file and renames it, so a reader never sees an incomplete certificate. */
function writeWhole(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { flag: 'wx' });
    renameSync(draft, path);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw new CertificateError(`Cannot write ${path} (${cause instanceof Error ? cause.message : 'unknown error'}).`);
  }
}
