import { printable, shorten } from '../report/printable.ts';
import type { Claims, TestResult } from './statement.ts';

/** `established`: shown to be so. `refuted`: shown not to be so. `open`: cannot be told here, and the text says what would help. */
export type CheckOutcome = 'established' | 'refuted' | 'open';

export interface Check {
  readonly name: string;
  readonly outcome: CheckOutcome;
  /** One sentence, printable as it is. */
  readonly text: string;
}

/** Records a check, and gives whether it is established. */
export type Say = (name: string, outcome: CheckOutcome, text: string) => boolean;

/** How much the signer's word is backed, weakest first. */
type Standing = 'self-attested' | 'witnessed' | 'run by the certifier';

export interface Verification {
  readonly outcome: 'verified' | 'refuted' | 'not established';
  /** 0 verified, 1 refuted, 3 not established. */
  readonly exitCode: 0 | 1 | 3;
  /** What a verified certificate certifies; null where it is not verified. */
  readonly result: TestResult | null;
  readonly standing: Standing | null;
  /** What the certificate is about; null where it is not verified. */
  readonly subject: Pick<Claims, 'target' | 'started'> | null;
  readonly checks: readonly Check[];
  /** What no certificate of this standing can show, in sentences. */
  readonly limits: readonly string[];
}

/**
 * The outcome of all checks: one refuted check refutes, one open check leaves it open, and nothing is verified whose result
 * was not found to follow.
 */
export function concludeVerification(
  checks: readonly Check[],
  claims: Claims | null,
  nonce: string | null,
): Verification {
  const has = (outcome: CheckOutcome): boolean => checks.some((each) => each.outcome === outcome);
  const unverified = { result: null, standing: null, subject: null, checks, limits: [] };
  if (has('refuted')) return { ...unverified, outcome: 'refuted', exitCode: 1 };
  const follows = checks.some(({ name, outcome }) => name === 'result' && outcome === 'established');
  if (!claims || !follows || has('open')) return { ...unverified, outcome: 'not established', exitCode: 3 };
  const standing = standingOf(claims, nonce);
  const subject = { target: claims.target, started: claims.started };
  const limits = limitsOf(standing);
  return { outcome: 'verified', exitCode: 0, result: claims.result, standing, subject, checks, limits };
}

function standingOf(claims: Claims, nonce: string | null): Standing {
  if (claims.role === 'certifier') return 'run by the certifier';
  return nonce !== null && claims.nonce === nonce ? 'witnessed' : 'self-attested';
}

const OTHER_FILES =
  'Only trace.ndjson and report.json are covered: any other file of the run can be made again from report.json with `report`.';

function limitsOf(standing: Standing): readonly string[] {
  if (standing === 'run by the certifier') {
    return [
      'The holder of this key says that they ran the suite as certifier. Whether the key is that of a certifier whom you trust is yours to know.',
      'The run shows how the target behaved then, and at that address.',
      OTHER_FILES,
    ];
  }
  const claim =
    'That the recorded exchanges took place, and with this target, is the word of the holder of the key: a signature does not show it.';
  if (standing === 'witnessed') {
    return [
      claim,
      "The run carries your nonce. That it was made after you gave it out, and with this target, shows in the target's own access log: each request has the nonce in its User-Agent.",
      OTHER_FILES,
    ];
  }
  return [
    claim,
    'When the run was made is not shown either: give the vendor a nonce to certify with, and verify with --nonce, or run the suite yourself.',
    OTHER_FILES,
  ];
}

/** A text from a certificate or trace, or an error's message, as it may be shown: no control characters, not without end. */
export function shown(text: unknown): string {
  return shorten(printable(text instanceof Error ? text.message : String(text)), 200);
}
