import { catalogueDigest, requirement } from '../catalogue/catalogue.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import type { Overall } from '../judge/judgement.ts';
import type { VerdictName } from '../judge/verdict.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Report, ReportedProof, ReportedVerdict } from './report.ts';
import { fixedWindowBudget } from './sample-budget.test-support.ts';

type Changes = Readonly<Partial<Record<RequirementId, Partial<ReportedVerdict>>>>;

/** A report of a run in which everything passes, except for the `changes` to single requirements. */
export function sampleReport(changes: Changes = {}, rest: Partial<Report> = {}): Report {
  const verdicts = REQUIREMENTS.map(({ id }) => ({ ...passing(id), ...changes[id] }));
  const counts: Record<VerdictName, number> = {
    pass: 0,
    fail: 0,
    'not tested': 0,
    inconclusive: 0,
    waived: 0,
    observed: 0,
  };
  for (const each of verdicts) counts[each.verdict] += 1;
  const overall: Overall = counts.fail > 0 ? 'does not conform' : counts.inconclusive > 0 ? 'inconclusive' : 'conforms';
  return {
    format: '1.0',
    suite: { name: 'size-chart-conformance', version: '0.1.0' },
    target: { name: 'acme-size-charts', version: '2.3.1', baseUrl: 'https://staging.acme.example/api/v1' },
    result: {
      overall,
      exitCode: overall === 'conforms' ? 0 : overall === 'does not conform' ? 1 : 3,
      reason: `The deployment ${overall}.`,
      obstacle: null,
      certifiable: overall === 'conforms' && counts.waived === 0,
      blockers: counts.waived > 0 ? [`${counts.waived} waived`] : [],
      counts,
    },
    run: {
      command: 'certify',
      started: '2026-03-14T09:26:53.000Z',
      seconds: 126.4,
      outcome: 'complete',
      scale: 1,
      seed: 20260314,
      nonce: null,
      runtime: { node: 'v24.21.0', platform: 'linux-x64' },
    },
    digests: { trace: 'a'.repeat(64), profile: 'b'.repeat(64), catalogue: catalogueDigest(), chain: 'c'.repeat(64) },
    verdicts,
    observations: [
      {
        requirement: 'LIMIT-O1',
        name: 'mechanism.read',
        value: 'fixed window, from the first request',
        evidence: [12, 118],
      },
      { requirement: 'LIMIT-O1', name: 'reset.unit', value: 'seconds since the epoch', evidence: [1] },
      { requirement: 'AUTH-O1', name: 'both-headers.one-invalid', value: '200: X-API-Key wins', evidence: [31] },
      { requirement: 'VERSION-O1', name: 'outside-prefix', value: '404, without rate-limit headers', evidence: [44] },
    ],
    budgets: [fixedWindowBudget('key-1', 'read', 100), fixedWindowBudget('key-2', 'write', 30)],
    budgetsOmitted: 0,
    waivers: [],
    conditions: {
      requests: 912,
      connections: 214,
      statuses: { '200': 640, '400': 12, '401': 60, '403': 8, '404': 14, '429': 178 },
      failures: {},
      unanswered: 0,
      skew: { low: -120, high: 410 },
      roundTrip: { p50: 2.31, p99: 14.8, max: 61 },
      keys: { full: ['key-1', 'key-2', 'key-3', 'key-4'], restricted: true, revoked: false },
      timeouts: { connectMs: 10_000, responseMs: 30_000 },
      notes: [],
    },
    coverage: [
      {
        requirement: 'AUTH-5',
        possible: 12,
        tried: 11,
        untried: ['state empty, way bearer'],
        experiments: ['authentication'],
        judge: 'src/judge/authentication.ts',
      },
    ],
    experiments: [
      { id: 'anonymous', requirements: ['AUTH-1', 'AUTH-4'], requests: 24, seconds: 1, omitted: null },
      { id: 'polled-read', requirements: ['LIMIT-R', 'HDR-4'], requests: 230, seconds: 124, omitted: null },
      {
        id: 'internal',
        requirements: ['STATUS-500'],
        requests: 0,
        seconds: 0,
        omitted: 'the profile names no probe under `internal_failure`',
      },
    ],
    problems: [],
    unselected: [],
    load: null,
    ...rest,
  };
}

/** A proof over `evidence`, with every field that a format shows. */
export function sampleProof(evidence: readonly Exchange[], rest: Partial<ReportedProof> = {}): ReportedProof {
  return {
    expected: 'X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset',
    received: 'none of the three on a 404',
    evidence,
    evidenceOmitted: 0,
    argument: [
      '#3 answered 404.',
      'It carries no X-RateLimit header, and clause 8.2 asks for three on every response.',
    ],
    diagnosis: null,
    ...rest,
  };
}

function passing(id: RequirementId): ReportedVerdict {
  const { level, clauses, title, statement, dependsOn, witnesses } = requirement(id);
  return {
    id,
    verdict: level === 'observed' ? 'observed' : 'pass',
    level,
    clauses,
    title,
    statement,
    summary: level === 'observed' ? 'Measured.' : 'Holds for every request that bears on it.',
    remedy: null,
    witnesses: witnesses + 20,
    parts: [],
    proofs: [],
    proofsOmitted: 0,
    dependsOn,
    suppressedBy: [],
    suppresses: [],
    notes: [],
    waiver: null,
    replay: null,
    script: null,
  };
}
