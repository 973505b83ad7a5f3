import { findingOf, isExclusion } from '../judge/exclusion.ts';
import { requestsNamedIn } from '../judge/requests-named.ts';
import type { Exchange } from '../trace/exchange.ts';
import { causesOf, inOrderOfChange } from './causes.ts';
import { guidanceOn } from './guidance.ts';
import type { Report, ReportedProof, ReportedVerdict } from './report.ts';
import { scopeOf } from './scope.ts';
import { seenIn } from './seen.ts';
import { capital, diagnosesOf, sentence } from './wording.ts';

/** The most requests shown above the sentence that they prove. */
const ROWS_SHOWN = 3;

/**
 * A failure as every format tells it: what is wrong, what shows it, where to look, what to do, and what follows from
 * it.
 */
export interface Finding {
  readonly verdict: ReportedVerdict;
  /** What is wrong with the deployment. */
  readonly sentence: string;
  /** Names of what it looks like; mostly none. */
  readonly looksLike: readonly string[];
  /** The proof of what the sentence says first, and those of its requests that show the failure by themselves. */
  readonly proof: ReportedProof | null;
  readonly rows: readonly Exchange[];
  /** What these rows contradict. */
  readonly conclusion: string | null;
  /** Most frequent first, each once. Both are empty if an earlier failure has the same ones. */
  readonly causes: readonly string[];
  readonly remedies: readonly string[];
  /**
   * Whether the causes are those of named defects, all of which the deployment has: not possible causes of one failure.
   */
  readonly ofDefects: boolean;
  /** The earlier failure that has the same causes and remedies. */
  readonly adviceOf: ReportedVerdict | null;
  /** What the same requests break as well, and what could not be judged because of it. */
  readonly consequences: readonly ReportedVerdict[];
}

/** What to change, in the order in which to change it. */
export function findingsOf(report: Report): Finding[] {
  const ordered = inOrderOfChange(report);
  const causes = causesOf(ordered);
  const findings = ordered.filter((each) => !causes.has(each)).map((each) => finding(each, report, causes));
  return findings.map((each, index) => adviceOnce(each, findings.slice(0, index)));
}

/** A finding that refers to an earlier one instead of repeating its causes and remedies. */
function adviceOnce(finding: Finding, earlier: readonly Finding[]): Finding {
  const text = ({ causes, remedies }: Finding): string => JSON.stringify([causes, remedies]);
  const same = earlier.find((each) => finding.remedies.length > 0 && text(each) === text(finding));
  return same ? { ...finding, causes: [], remedies: [], adviceOf: same.verdict } : finding;
}

function finding(
  verdict: ReportedVerdict,
  report: Report,
  causes: ReadonlyMap<ReportedVerdict, ReportedVerdict>,
): Finding {
  const [proof = null] = verdict.proofs;
  return {
    verdict,
    sentence: sentence(verdict.summary),
    looksLike: diagnosesOf(verdict),
    proof,
    rows: proof === null ? [] : tellingRows(proof),
    conclusion: proof === null ? null : conclusionOf(proof),
    ...adviceOn(verdict),
    adviceOf: null,
    consequences: report.verdicts.filter(
      (each) => each.suppressedBy.includes(verdict.id) || causes.get(each) === verdict,
    ),
  };
}

/** What is known of the very defect, where it has a name; else what is usual where the requirement is broken. */
function adviceOn(verdict: ReportedVerdict): Pick<Finding, 'causes' | 'remedies' | 'ofDefects'> {
  const { id, remedy } = verdict;
  const known = (remedy ?? '').split(/ (?=Usually )/).map((each) => /^Usually (.+?\.) ([A-Z].*)$/s.exec(each));
  if (known.every((each) => each !== null)) {
    const causes = new Set(known.map(([, cause = '']) => capital(cause)));
    return { causes: [...causes], remedies: [...new Set(known.map(([, , own = '']) => own))], ofDefects: true };
  }
  const { causes = [], remedies = [] } = guidanceOn(id, seenIn(verdict), scopeOf(verdict)) ?? {};
  const own = remedy === null ? [] : [sentence(remedy)];
  return { causes, remedies: [...new Set([...own, ...remedies])], ofDefects: false };
}

/** Of a table's row in words, which says nothing beside the table. */
const ROW = /^#\d+ \((read|write), sent at /;

/**
 * What a proof ends on. If mechanisms are excluded one by one: what holds whatever the mechanism, if that names its
 * requests; otherwise what excludes the first, which explains most. What excludes others says nothing of what is wrong.
 */
export function conclusionOf({ argument }: Pick<ReportedProof, 'argument'>): string | null {
  const free = argument.filter((each) => !isExclusion(each));
  if (free.length === argument.length) return argument.at(-1) ?? null;
  const whatever = free.findLast((each) => /#\d/.test(each) && !ROW.test(each));
  const nearest = argument.find(isExclusion);
  const last = whatever ?? nearest;
  return last === undefined ? null : findingOf(last);
}

/**
 * The requests that the conclusion names, in order of sending. If it names only one, then also those that the sentences
 * before it name, the last ones first, except sentences that only exclude a mechanism. If no sentence names a request:
 * the first one and the last ones.
 */
function tellingRows(proof: ReportedProof): readonly Exchange[] {
  const { evidence, argument } = proof;
  const namedIn = (texts: readonly string[]): readonly number[] =>
    texts.flatMap(requestsNamedIn).filter((seq) => evidence.some((each) => each.seq === seq));
  const conclusion = conclusionOf(proof) ?? '';
  const concluded = namedIn([conclusion]);
  const leading = argument.includes(conclusion) ? argument.filter((each) => !isExclusion(each)) : [];
  const others = new Set(concluded).size > 1 ? [] : namedIn(leading.toReversed());
  const ends = [evidence[0], ...evidence.slice(1 - ROWS_SHOWN)].flatMap((each) => each?.seq ?? []);
  const named = [...new Set([...concluded, ...others])];
  const chosen = new Set((named.length > 0 ? named : ends).slice(0, ROWS_SHOWN));
  return evidence.filter(({ seq }) => chosen.has(seq));
}
