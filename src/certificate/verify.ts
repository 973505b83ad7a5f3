import { createHash, type KeyObject, verify } from 'node:crypto';
import { catalogueDigest } from '../catalogue/catalogue.ts';
import type { Api } from '../init/openapi/operations.ts';
import { leftOutOf } from '../trace/left-out.ts';
import { TraceError } from '../trace/problem.ts';
import type { Trace } from '../trace/trace.ts';
import { checkAccessLog } from './access-log/check-log.ts';
import { FormatError } from './certificate-error.ts';
import { checkHeader, checkSchedule, checkSeed } from './check-trace.ts';
import { decodeEnvelope, type Envelope, encodeEnvelope, preAuthenticationEncoding, STATEMENT_TYPE } from './dsse.ts';
import { type Judge, judgeAgain } from './judge-again.ts';
import { leftOut } from './left-out.ts';
import { type Inspection, openRunFolder, type RunFile, type RunFolder } from './run-folder.ts';
import { fingerprint, rawPublicKey } from './signing-key.ts';
import { encodeBundle } from './sigstore-bundle.ts';
import { decodeSshSignature, sshSignedData } from './ssh-signature.ts';
import { type Claims, decodeStatement, type SuitePackage } from './statement.ts';
import { testedOf, testedText } from './tested.ts';
import {
  type Check,
  type CheckOutcome,
  concludeVerification,
  type Say,
  shown,
  type Verification,
} from './verification.ts';

export interface VerifyOptions {
  /** The run's folder, which may come from anybody: nothing in it is trusted. */
  readonly run: string;
  /** The public key of the alleged signer, obtained over a different channel than the run. */
  readonly key: KeyObject;
  /** The suite that is running now. */
  readonly suite: SuitePackage;
  readonly judge: Judge;
  /** The nonce that the reader gave out for this run; null: none. */
  readonly nonce?: string | null;
  /** The deployment's own access log, as a file; null: none. */
  readonly accessLog?: string | null;
  /** Whether the reader knows the key as that of a certifier whom they trust. */
  readonly knowsCertifier?: boolean;
  /** The operations that the deployment should offer: `verify` names those that the profile lacks; null: not known. */
  readonly api?: Pick<Api, 'operations'> | null;
}

/**
 * Checks a certificate against the run that it is about: the signatures, every digest, the trace's hash chain, header
 * and footer, and the catalogue; then judges the trace again and requires the same report and the same statement, byte
 * for byte. It records the outcome of each check. Throws a `CertificateError` only if the folder itself cannot be
 * opened: anything in the folder leads to a refuted or open check.
 */
export async function verifyRun(options: VerifyOptions): Promise<Verification> {
  const { key, suite, judge, nonce = null, accessLog = null, knowsCertifier = false, api = null } = options;
  const reader = { nonce, knowsCertifier };
  const folder = openRunFolder(options.run);
  const checks: Check[] = [];
  const say: Say = (name, outcome, text) => {
    checks.push({ name, outcome, text });
    return outcome === 'established';
  };

  const envelope = checkEnvelope(folder, key, say);
  const claims = envelope && checkStatement(envelope, say);
  if (!envelope || !claims) return concludeVerification(checks, null, reader, []);
  checkBundle(folder, envelope, key, say);
  checkSshSignature(folder, envelope, key, say);
  if (nonce !== null) checkNonce(claims, nonce, say);

  const difference = checkSuite(claims, suite, say) ? 'refuted' : 'open';
  const reportText = checkReport(folder, claims, say);
  const trace = await checkTrace(folder, claims, difference, say);
  if (trace === null || reportText === null) return concludeVerification(checks, claims, reader, []);
  checkHeader(trace, claims, difference, say);
  if (nonce !== null) checkSeed(trace, nonce, say);
  checkSchedule(trace, difference, say);
  const inLog = accessLog !== null && checkAccessLog(trace, { file: accessLog, nonce: trace.header.nonce }, say);
  await judgeAgain({ trace, envelope, claims, reportText, judge, difference, say });
  return concludeVerification(checks, claims, { ...reader, inLog }, whatWasTested(trace, api));
}

function whatWasTested(trace: Trace, api: Pick<Api, 'operations'> | null): readonly string[] {
  const missing = api === null ? [] : leftOut(trace.header.profile, api);
  const pointedOut =
    missing.length === 0 ? [] : [`Not tested, though the OpenAPI document lists them: ${missing.join(', ')}.`];
  return [
    ...testedText(testedOf(trace), leftOutOf(trace)),
    ...pointedOut,
    `SHA-256 of the profile: ${trace.header.profileDigest}`,
  ];
}

function checkEnvelope(folder: RunFolder, key: KeyObject, say: Say): Envelope | null {
  try {
    const text = folder.text('envelope');
    if (text === null) {
      say('signature', 'open', 'The run has no certificate (envelope.json): `attest` makes one.');
      return null;
    }
    const envelope = decodeEnvelope(text);
    if (envelope.payloadType !== STATEMENT_TYPE) throw new FormatError(`its payload is not ${STATEMENT_TYPE}`);
    const signed = preAuthenticationEncoding(envelope.payloadType, envelope.payload);
    const good = verify(null, signed, key, envelope.signature);
    const who = `by the key given (SHA-256 ${fingerprint(key)})`;
    say('signature', good ? 'established' : 'refuted', `The certificate is ${good ? '' : 'not '}signed ${who}.`);
    return good ? envelope : null;
  } catch (cause) {
    say('signature', 'refuted', `envelope.json is not a certificate: ${shown(cause)}.`);
    return null;
  }
}

function checkStatement(envelope: Envelope, say: Say): Claims | null {
  try {
    return decodeStatement(envelope.payload);
  } catch (cause) {
    say('statement', 'refuted', `The signed content is not a statement about a run: ${shown(cause)}.`);
    return null;
  }
}

/** The bundle is the same certificate for other programs. It may be absent, but must not differ. */
function checkBundle(folder: RunFolder, envelope: Envelope, key: KeyObject, say: Say): void {
  const text = read(folder, 'bundle', say);
  if (text === null) return;
  const same = text === encodeBundle(envelope, fingerprint(key));
  const what = same ? 'the same certificate' : 'something other than the certificate';
  say('bundle', same ? 'established' : 'refuted', `The Sigstore bundle holds ${what}.`);
}

/** Like the bundle: absent, or correct. */
function checkSshSignature(folder: RunFolder, envelope: Envelope, key: KeyObject, say: Say): void {
  const text = read(folder, 'sshSignature', say);
  if (text === null) return;
  try {
    const signature = decodeSshSignature(text, rawPublicKey(key));
    // The only valid form of the envelope is that of its file.
    const signed = sshSignedData(Buffer.from(encodeEnvelope(envelope)));
    if (!verify(null, signed, key, signature)) throw new FormatError('it signs something else');
    say('ssh signature', 'established', 'The SSH signature signs this certificate with the same key.');
  } catch (cause) {
    say('ssh signature', 'refuted', `The SSH signature does not sign this certificate: ${shown(cause)}.`);
  }
}

function checkNonce(claims: Claims, nonce: string, say: Say): void {
  const found = claims.nonce === null ? 'without a nonce' : `with the nonce "${shown(claims.nonce)}"`;
  if (claims.nonce === nonce) say('nonce', 'established', 'The run was made with the nonce that you gave.');
  else say('nonce', 'refuted', `The run was made ${found}, not with the one that you gave.`);
}

/**
 * Whether a difference from the bytes computed here refutes the certificate: only the same suite must give the same
 * bytes.
 */
function checkSuite(claims: Claims, suite: SuitePackage, say: Say): boolean {
  const named = `${shown(claims.suite.name)} ${shown(claims.suite.version)}`;
  const sameVersion = claims.suite.name === suite.name && claims.suite.version === suite.version;
  const same = sameVersion && claims.suite.digest === suite.digest && claims.catalogueDigest === catalogueDigest();
  if (same) return say('suite', 'established', `The run used the same suite as this one: ${named}.`);
  const why = sameVersion
    ? `The suite of the run calls itself ${named}, as this one does, but its files or its catalogue differ`
    : `The run used ${named}, but this is ${suite.name} ${suite.version}`;
  return say('suite', 'open', `${why}: verify with the published package of that version.`);
}

function checkReport(folder: RunFolder, claims: Claims, say: Say): string | null {
  const text = read(folder, 'report', say, 'report.json is missing, though the certificate covers it.');
  if (text === null) return null;
  const same = createHash('sha256').update(text).digest('hex') === claims.reportDigest;
  say('report', same ? 'established' : 'refuted', `report.json is ${same ? '' : 'not '}the signed one.`);
  return same ? text : null;
}

async function checkTrace(
  folder: RunFolder,
  claims: Claims,
  difference: CheckOutcome,
  say: Say,
): Promise<Trace | null> {
  let found: Inspection | null;
  try {
    found = await folder.trace();
  } catch (cause) {
    // Another version may have written a trace that this one cannot read.
    const foreign = cause instanceof TraceError && cause.problem.code !== 'unreadable';
    if (foreign) say('chain', difference, `trace.ndjson is not a trace: ${shown(cause)}.`);
    else say('trace', 'refuted', `trace.ndjson cannot be read: ${shown(cause)}.`);
    return null;
  }
  if (found === null) {
    say('trace', 'refuted', 'trace.ndjson is missing, though the certificate covers it.');
    return null;
  }
  const { trace, digest, problems } = found;
  const same = digest === claims.traceDigest;
  say('trace', same ? 'established' : 'refuted', `trace.ndjson is ${same ? '' : 'not '}the signed one.`);
  if (!same) return null;
  const [problem] = problems;
  const why = problem?.message ?? (trace.footer ? null : 'it has no footer, so the run was cut short');
  if (why === null) {
    say(
      'chain',
      'established',
      'The trace is complete: header, footer, hash chain and numbering agree with its lines.',
    );
    return trace;
  }
  say('chain', difference, `The trace is not intact: ${shown(why)}.`);
  return null;
}

/**
 * The file's text; null if there is none, or if it is not a regular file, which a check then reports.
 *
 * @param absent what to report if there is none; left out: nothing, since it may be absent
 */
function read(folder: RunFolder, file: RunFile, say: Say, absent: string | null = null): string | null {
  try {
    const text = folder.text(file);
    if (text === null && absent !== null) say(file, 'refuted', absent);
    return text;
  } catch (cause) {
    say(file, 'refuted', `${shown(folder.path(file))} cannot be read: ${shown(cause)}.`);
    return null;
  }
}
