import { jsonOf } from '../profile/json.ts';
import { type Report, serialiseReport } from '../report/report.ts';
import { countsText } from '../report/wording.ts';
import type { Trace } from '../trace/trace.ts';
import { type Envelope, isRecord } from './dsse.ts';
import { type Claims, encodeStatement, shortcomings } from './statement.ts';
import { testedOf } from './tested.ts';
import { type CheckOutcome, type Say, shown } from './verification.ts';

/**
 * The report that this release makes of a trace whose bytes have the given SHA-256 (hex). It is a parameter, so
 * attesting and verifying do not depend on the judge.
 */
export type Judge = (trace: Trace, traceDigest: string) => Report | Promise<Report>;

interface Rejudgement {
  readonly trace: Trace;
  readonly envelope: Envelope;
  readonly claims: Claims;
  /** The text of `report.json`. */
  readonly reportText: string;
  readonly judge: Judge;
  /** The meaning of a difference: only this release must give the same bytes. */
  readonly difference: CheckOutcome;
  readonly say: Say;
}

/** Judges the trace again, and compares the report and the signed statement with the result, byte for byte. */
export async function judgeAgain(options: Rejudgement): Promise<void> {
  const { trace, envelope, claims, reportText, judge, difference, say } = options;
  let report: Report;
  let text: string;
  try {
    report = await judge(trace, claims.traceDigest);
    text = serialiseReport(report);
  } catch (cause) {
    say('verdicts', 'open', `The trace could not be judged again: ${shown(cause)}.`);
    return;
  }
  if (text !== reportText) {
    say('verdicts', difference, `Judging the trace again gives a different report${differences(reportText, report)}.`);
    return;
  }
  say('verdicts', 'established', 'Judging the trace again gives the same report, byte for byte.');
  if (Buffer.compare(encodeStatement(report, { ...claims, tested: testedOf(trace) }), envelope.payload) !== 0) {
    say('result', difference, `The certificate says ${claims.result}, which does not follow from the report.`);
    return;
  }
  const missing = shortcomings(report).map(shown).join('; ');
  const what = missing === '' ? 'a complete pass' : `not a complete pass (${missing})`;
  say('result', 'established', `The result ${claims.result} follows from the report: ${countsText(report)}; ${what}.`);
}

/** Which verdicts of the given report differ from ours; at most five. */
function differences(reportText: string, report: Report): string {
  const theirs = jsonOf(reportText);
  const list: readonly unknown[] = isRecord(theirs) && Array.isArray(theirs.verdicts) ? theirs.verdicts : [];
  const found: string[] = [];
  for (const { id, verdict } of report.verdicts) {
    const entry = list.find((each) => isRecord(each) && each.id === id);
    const other = isRecord(entry) && typeof entry.verdict === 'string' ? shown(entry.verdict) : 'missing';
    if (other !== verdict) found.push(`${id} is ${verdict}, but the report says ${other}`);
  }
  return found.length === 0 ? '' : `: ${found.slice(0, 5).join('; ')}`;
}
