import { type Exchange, isSuccess } from '../trace/exchange.ts';
import { PROOFS_SHOWN } from './make-report.ts';
import type { ReportedProof, ReportedVerdict } from './report.ts';

/**
 * In µs. What only comes in a crowd waits for less than a queue that waits for a budget: beside quick answers, and by
 * itself.
 */
const LATE = 2e6;
const LATE_BY_ITSELF = 5e6;
/** So many times as long as the others. */
const MUCH_LATER = 10;

/**
 * What shows a failure, in words in which causes find their signs: of each proof the part, what was received and what
 * was odd about the request, then what sets the wrong answers apart, what the answers have in common, and whether other
 * parts fail too. An empty one stands for proofs that are left out.
 */
export function seenIn(verdict: ReportedVerdict): string[] {
  const { proofs, proofsOmitted } = verdict;
  const isWhole = proofsOmitted === 0 && proofs.length < PROOFS_SHOWN;
  return [...proofs.map((each) => wordsOf(each, verdict)), ...(isWhole ? [] : [''])];
}

function wordsOf({ part, received, evidence }: ReportedProof, { summary, parts }: ReportedVerdict): string {
  // What is refused beside what was let through is there to show that the budget was spent.
  const odd = evidence.findLast(({ variation, status }) => variation !== null && status !== 429);
  // What sets the wrong answers apart stands in brackets at the end.
  const [, apart = ''] = /\(([^()]+)\)$/.exec(summary) ?? [];
  const facts = [
    ...(evidence.some(({ status, fault }) => status === 404 && fault === 'missing') ? ['absent thing'] : []),
    ...(evidence.some(({ status, operation }) => status === 404 && operation === null) ? ['unknown path'] : []),
    ...(/were let through/.test(summary) ? ['let through'] : []),
    ...(isLate(evidence) ? ['answered late'] : []),
    ...(parts.some(({ verdict }) => verdict === 'pass') ? ['not on all'] : []),
    parts.filter(({ verdict }) => verdict === 'fail').length > 1 ? 'beside others' : 'by itself',
  ];
  return [part ?? '', received, odd?.variation ?? '', apart, ...facts].join(' ');
}

/** Whether successes took so long that something held them back. */
function isLate(evidence: readonly Exchange[]): boolean {
  const times = evidence
    .filter(({ status }) => isSuccess(status))
    .map(({ sent, answered }) => (answered ?? sent) - sent)
    .toSorted((one, other) => one - other);
  const usual = times[Math.floor(times.length / 4)] ?? 0;
  const longest = times.at(-1) ?? 0;
  return longest >= LATE_BY_ITSELF || (longest >= LATE && longest >= MUCH_LATER * usual);
}
