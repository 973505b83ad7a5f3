import { messageOf } from '../caught.ts';
import { printable, shorten } from '../report/printable.ts';
import type { Claims, TestResult } from './statement.ts';

/** `established`: proved. `refuted`: disproved. `open`: cannot be decided here; the text says what would help. */
export type CheckOutcome = 'established' | 'refuted' | 'open';

export interface Check {
  readonly name: string;
  readonly outcome: CheckOutcome;
  /** One sentence, printable as it is. */
  readonly text: string;
}

/** Records a check, and returns whether it is established. */
export type Say = (name: string, outcome: CheckOutcome, text: string) => boolean;

/** What the reader of a certificate knows besides the run. */
export interface Reader {
  /** The nonce that they gave out; null: none. */
  readonly nonce: string | null;
  /** Whether they know the key as that of a certifier whom they trust. */
  readonly knowsCertifier: boolean;
  /** Whether their access log has the requests of the run, and by the nonce no others; by default they have none. */
  readonly inLog?: boolean;
}

export interface Verification {
  readonly outcome: 'verified' | 'refuted' | 'not established';
  /** 0 verified, 1 refuted, 3 not established. */
  readonly exitCode: 0 | 1 | 3;
  /** What a verified certificate certifies; null if it is not verified. */
  readonly result: TestResult | null;
  readonly standing: Standing | null;
  /** What the certificate is about; null if it is not verified. */
  readonly subject: Pick<Claims, 'target' | 'started'> | null;
  readonly checks: readonly Check[];
  /** What the run tested, in sentences; empty if it is not verified. */
  readonly tested: readonly string[];
  /** What no certificate of this standing can show, in sentences. */
  readonly limits: readonly string[];
}

/**
 * The outcome of all checks: one refuted check refutes, and one open check leaves it open. It is verified only if the
 * result follows from the report.
 */
export function concludeVerification(
  checks: readonly Check[],
  claims: Claims | null,
  reader: Reader,
  tested: readonly string[],
): Verification {
  const has = (outcome: CheckOutcome): boolean => checks.some((each) => each.outcome === outcome);
  const established = (name: string): boolean =>
    checks.some((each) => each.name === name && each.outcome === 'established');
  const unverified = { result: null, standing: null, subject: null, checks, tested: [], limits: [] };
  if (has('refuted')) return { ...unverified, outcome: 'refuted', exitCode: 1 };
  if (!claims || !established('result') || has('open'))
    return { ...unverified, outcome: 'not established', exitCode: 3 };
  const standing = standingOf(claims, reader);
  const subject = { target: claims.target, started: claims.started };
  const limits = [...LIMITS[standing], OTHER_FILES];
  return { outcome: 'verified', exitCode: 0, result: claims.result, standing, subject, checks, tested, limits };
}

function standingOf(claims: Claims, { nonce, knowsCertifier, inLog = false }: Reader): Standing {
  const isCertifier = claims.role === 'certifier';
  if (isCertifier && knowsCertifier) return 'run by the certifier';
  if (nonce !== null && claims.nonce === nonce) return inLog ? 'witnessed by the access log' : 'witnessed';
  return isCertifier ? 'signed by a key that calls itself certifier' : 'self-attested';
}

const OTHER_FILES =
  'The certificate covers only trace.ndjson and report.json. `report` can make any other file of the run again from report.json.';

const CLAIM =
  'The signature does not show that the recorded exchanges took place, or that they took place with this target: for this you have only the word of the holder of the key.';

const WHEN =
  'Nor does it show when the run was made: give the vendor a nonce to certify with, and verify with --nonce, or run the suite yourself.';

/** What a certificate of each standing leaves open, the weakest first. */
const LIMITS = {
  'self-attested': [CLAIM, WHEN],
  'signed by a key that calls itself certifier': [
    CLAIM,
    "The certificate says that a certifier signed it, but anybody can claim this of their own key. If you know the key as a certifier's, give it with --certifier-key.",
    WHEN,
  ],
  witnessed: [
    CLAIM,
    'The run follows the schedule of your nonce, but anybody who has the nonce and this suite can invent a recording with that schedule. Only an access log of the target that has the nonce can refute it (--access-log): each request has it in its header X-Conformance-Nonce.',
  ],
  'witnessed by the access log': [
    'You have only the word of whoever gave you the log that it is complete, and that it belongs to the deployment that customers use.',
  ],
  'run by the certifier': [
    'You have only the word of the certifier whose key you gave that the exchanges took place.',
    'The run shows only how the target behaved at that time and at that address.',
  ],
};

/** How well the signer's word is supported. */
type Standing = keyof typeof LIMITS;

/**
 * A text from a certificate or trace, or an error's message, safe to show: without control characters, and of limited
 * length.
 */
export function shown(text: unknown): string {
  return shorten(printable(messageOf(text)), 200);
}
