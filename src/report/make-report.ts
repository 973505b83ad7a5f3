import { requirement } from '../catalogue/catalogue.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { Histogram } from '../judge/histogram.ts';
import type { Judgement } from '../judge/judgement.ts';
import type { Proof, Verdict } from '../judge/verdict.ts';
import type { BudgetAnalysis } from '../oracle/analysis.ts';
import { sequencesFor } from '../replay/failures.ts';
import { scriptOf } from '../replay/script.ts';
import { plainExchange } from '../trace/exchange.ts';
import { leftOutOf } from '../trace/left-out.ts';
import type { Trace } from '../trace/trace.ts';

import type { LoadSection } from './load-section.ts';
import {
  type Conditions,
  REPORT_FORMAT,
  type Report,
  type ReportedProof,
  type ReportedVerdict,
  type ReportedWaiver,
} from './report.ts';
import { reportBudgets } from './report-budgets.ts';
import { reportCoverage } from './report-coverage.ts';
import { programOf } from './wording.ts';

/**
 * Limits on the size: proofs of one requirement, and exchanges of its first proof and of the others (the last ones
 * stay).
 */
export const PROOFS_SHOWN = 5;
export const EVIDENCE_SHOWN = { first: 25, others: 3 } as const;

const NOTES_SHOWN = 50;

/** Parts of one requirement: a load run has one for each budget, and may have tens of thousands. */
const PARTS_SHOWN = 200;

const DAY = 86_400_000;

/**
 * The report of a run: a pure function of its trace, what was judged from it, and (for a load run) the load figures.
 *
 * @param traceDigest SHA-256 in hex over the bytes of the trace file
 */
export function makeReport(
  trace: Trace,
  judgement: Judgement<BudgetAnalysis>,
  traceDigest: string,
  load: LoadSection | null = null,
): Report {
  const { header, footer } = trace;
  const interruption = trace.notes.find(({ code }) => code === 'interrupted');
  return {
    format: REPORT_FORMAT,
    suite: header.suite,
    target: { ...header.profile.target, baseUrl: header.baseUrl },
    result: {
      overall: judgement.overall,
      exitCode: judgement.exitCode,
      reason: judgement.headline,
      obstacle: judgement.obstacle,
      certifiable: judgement.certifiable.yes,
      blockers: judgement.certifiable.reasons,
      counts: judgement.counts,
    },
    run: {
      command: header.command,
      started: new Date(header.epoch / 1000).toISOString(),
      seconds: lengthOf(trace) / 1e6,
      outcome: footer?.outcome ?? 'cut short',
      ...(interruption && { interruption: interruption.text }),
      scale: header.scale,
      seed: header.seed,
      nonce: header.nonce,
      runtime: header.runtime,
    },
    digests: {
      trace: traceDigest,
      profile: header.profileDigest,
      catalogue: header.catalogueDigest,
      chain: footer?.chain ?? null,
    },
    verdicts: judgement.verdicts.map((each) => reportVerdict(each, judgement, trace)),
    observations: judgement.observations,
    ...reportBudgets(trace, judgement),
    waivers: reportWaivers(trace, judgement),
    conditions: reportConditions(trace, judgement),
    experiments: header.experiments.map(({ keys, start, ...told }) => told),
    coverage: reportCoverage(trace),
    problems: judgement.problems.map(({ code, text, remedy }) => ({ code, text, remedy })),
    unselected: judgement.unselected,
    load,
  };
}

function reportVerdict(verdict: Verdict, judgement: Judgement<BudgetAnalysis>, trace: Trace): ReportedVerdict {
  const { title, statement, dependsOn } = requirement(verdict.id);
  return {
    ...verdict,
    title,
    statement,
    dependsOn,
    parts: shownParts(verdict),
    proofs: verdict.proofs.slice(0, PROOFS_SHOWN).map(reportProof),
    proofsOmitted: Math.max(0, verdict.proofs.length - PROOFS_SHOWN),
    suppresses: judgement.verdicts.filter((each) => each.suppressedBy.includes(verdict.id)).map((each) => each.id),
    notes:
      verdict.parts.length > PARTS_SHOWN
        ? [...verdict.notes, `${PARTS_SHOWN} of ${verdict.parts.length} parts are shown, those that did not pass first`]
        : verdict.notes,
    ...again(verdict.id, judgement, trace),
  };
}

function shownParts({ parts }: Verdict): Verdict['parts'] {
  if (parts.length <= PARTS_SHOWN) return parts;
  return parts.toSorted((a, b) => Number(a.verdict === 'pass') - Number(b.verdict === 'pass')).slice(0, PARTS_SHOWN);
}

function reportProof(proof: Proof, index: number): ReportedProof {
  const shown = index === 0 ? EVIDENCE_SHOWN.first : EVIDENCE_SHOWN.others;
  return {
    expected: proof.expected,
    received: proof.received,
    evidence: proof.evidence.slice(-shown).map(plainExchange),
    evidenceOmitted: Math.max(0, proof.evidence.length - shown),
    argument: proof.argument,
    diagnosis: proof.diagnosis,
    ...(proof.part === undefined ? {} : { part: proof.part }),
  };
}

/** How to see a failure again: with this suite, in the folder of the run, and with curl. */
function again(
  id: RequirementId,
  { verdicts }: Judgement<BudgetAnalysis>,
  trace: Trace,
): Pick<ReportedVerdict, 'replay' | 'script'> {
  const { header } = trace;
  const shown = verdicts.map(({ id, parts, proofs }) => ({ id, parts, proofs: proofs.slice(0, PROOFS_SHOWN) }));
  const [[sequence] = []] = sequencesFor(id, shown, trace);
  if (sequence === undefined) return { replay: null, script: null };
  return { replay: `${programOf(header)} replay . ${id}`, script: scriptOf(id, sequence, header) };
}

function reportWaivers(trace: Trace, judgement: Judgement<BudgetAnalysis>): ReportedWaiver[] {
  const today = Math.floor(trace.header.epoch / 1000 / DAY);
  return trace.header.profile.waivers.map((waiver) => {
    const verdict = judgement.verdicts.find(({ id }) => id === waiver.requirement);
    const waived = waiver.part === null ? verdict : verdict?.parts.find(({ name }) => name === waiver.part);
    const daysLeft = Math.floor(Date.parse(waiver.until) / DAY) - today;
    return { ...waiver, daysLeft, used: waived?.verdict === 'waived' };
  });
}

function reportConditions(trace: Trace, judgement: Judgement<BudgetAnalysis>): Conditions {
  const { header, notes } = trace;
  const { requests, connections, statuses, failures, together, unanswered, skew } = judgement.conditions;
  const { connect, response } = header.profile.http.timeoutMs;
  const leftOut = leftOutOf(trace);
  return {
    requests,
    connections,
    statuses: Object.fromEntries(statuses.map(({ status, count }) => [String(status), count])),
    failures: Object.fromEntries(Object.entries(failures).sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(together !== undefined && { together }),
    unanswered,
    skew: skew === null ? null : { low: skew.low / 1000, high: skew.high / 1000 },
    roundTrip: roundTrip(trace),
    keys: header.keys,
    timeouts: { connectMs: connect, responseMs: response },
    ...(leftOut.length > 0 && { leftOut }),
    notes: notes
      .filter((note) => note.text !== '' && note.code !== 'experiment-started')
      .slice(0, NOTES_SHOWN)
      .map((note) => `${(note.time / 1e6).toFixed(1)} s: ${note.text}`),
  };
}

/** From sending to answer, in ms; null if nothing was answered. */
function roundTrip({ exchanges, condensed }: Trace): Conditions['roundTrip'] {
  const latency = new Histogram();
  for (const { sent, answered } of exchanges) if (answered !== null) latency.add(answered - sent);
  if (!condensed && latency.count === 0) return null;
  const { p50, p99, max } = condensed?.latency ?? latency.summary;
  return { p50: p50 / 1000, p99: p99 / 1000, max: max / 1000 };
}

/** µs from the start of the run to its end, or to the last known moment. */
function lengthOf(trace: Trace): number {
  if (trace.footer) return trace.footer.ended;
  return trace.exchanges.reduce((latest, { sent, answered }) => Math.max(latest, answered ?? sent), 0);
}
