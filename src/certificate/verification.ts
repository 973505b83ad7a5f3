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
export type Standing = 'self-attested' | 'witnessed' | 'run by the certifier';

export interface Verification {
  readonly outcome: 'verified' | 'refuted' | 'not established';
  /** 0 verified, 1 refuted, 3 not established. */
  readonly exitCode: 0 | 1 | 3;
  /** What a verified certificate certifies; null where it is not verified. */
  readonly result: TestResult | null;
  readonly standing: Standing | null;
  readonly checks: readonly Check[];
  /** What no certificate of this standing can show, in sentences. */
  readonly limits: readonly string[];
}

/** The outcome of all checks: one refuted check refutes, one open check leaves it open. */
export function concludeVerification(
  checks: readonly Check[],
  claims: Claims | null,
  nonce: string | null,
): Verification {
  const has = (outcome: CheckOutcome): boolean => checks.some((each) => each.outcome === outcome);
  if (has('refuted')) return { outcome: 'refuted', exitCode: 1, result: null, standing: null, checks, limits: [] };
  if (!claims || has('open')) {
    return { outcome: 'not established', exitCode: 3, result: null, standing: null, checks, limits: [] };
  }
  const standing = standingOf(claims, nonce);
  return { outcome: 'verified', exitCode: 0, result: claims.result, standing, checks, limits: limitsOf(standing) };
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
      "The run was made after your nonce was known. To match it with the target, look for the nonce in the User-Agent of the target's own access log.",
      OTHER_FILES,
    ];
  }
  return [
    claim,
    'When the run was made is not shown either: give the vendor a nonce to certify with, and verify with --nonce, or run the suite yourself.',
    OTHER_FILES,
  ];
}

const MARKS = { established: 'yes', refuted: 'NO', open: '?' } as const;

/** The verification in words, for a terminal or a log: what was and what could not be established. */
export function verificationText(verification: Verification): string {
  const lines = [headline(verification), ''];
  for (const { outcome, text } of verification.checks) lines.push(`  ${MARKS[outcome].padEnd(4)} ${text}`);
  if (verification.limits.length > 0) lines.push('', 'What this does not establish:');
  for (const each of verification.limits) lines.push(`  -  ${each}`);
  return `${lines.join('\n')}\n`;
}

const RESULTS: Readonly<Record<TestResult, string>> = {
  PASSED: 'every requirement that can be tested from outside passed',
  WARNED: 'nothing failed, but the run is no complete pass',
  FAILED: 'the target does not conform',
};

function headline({ outcome, result, standing }: Verification): string {
  if (outcome === 'refuted') return 'Not verified: the certificate is refuted.';
  if (outcome === 'not established' || result === null) return 'Not verified: it could not be established.';
  return `Verified (${standing}): ${result}, ${RESULTS[result]}.`;
}

/** A text from a certificate or trace, or an error's message, as it may be shown: no control characters, not without end. */
export function shown(text: unknown): string {
  return shorten(printable(text instanceof Error ? text.message : String(text)), 200);
}
