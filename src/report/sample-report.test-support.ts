import { catalogueDigest, requirement } from '../catalogue/catalogue.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import type { Overall } from '../judge/judgement.ts';
import type { VerdictName } from '../judge/verdict.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { LoadSection } from './load-section.ts';
import type { Report, ReportedBudget, ReportedProof, ReportedVerdict } from './report.ts';
import { type Predicted, plotSeries } from './series.ts';

type Changes = Readonly<Partial<Record<RequirementId, Partial<ReportedVerdict>>>>;

/** A report of a run in which everything passes, save for what `changes` says of single requirements. */
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

/** An accepted read; `rest` changes it. */
export function sampleExchange(rest: Partial<Exchange> = {}): Exchange {
  return {
    seq: 1,
    experiment: 'polled-read',
    step: 'probe',
    pair: null,
    operation: 'list-labels',
    group: 'labels',
    kind: 'read',
    fault: 'none',
    key: 'key-1',
    credential: 'x-api-key',
    variation: null,
    method: 'GET',
    target: '/labels',
    connection: 1,
    sent: 1_250_000,
    answered: 1_252_000,
    status: 200,
    failure: null,
    headers: { limit: ['100'], remaining: ['99'], reset: ['1773480473'], date: [], retryAfter: [], other: {} },
    ...rest,
  };
}

/** A budget of a fixed window from the first request: spent, refused, back after a minute, spent again. */
export function fixedWindowBudget(
  key: string,
  kind: 'read' | 'write',
  limit: number,
  requests = limit + 40,
): ReportedBudget {
  const exchanges: Exchange[] = [];
  const predicted = new Map<number, Predicted>();
  const half = Math.ceil(requests / 2);
  for (let index = 0; index < requests; index += 1) {
    const round = index < half ? 0 : 1;
    const place = round === 0 ? index : index - half;
    const pulse = place < half / 3 ? 1_000 : place < (2 * half) / 3 ? 18_000 : 41_000;
    const time = round * 61_000 + pulse + place * 23;
    const remaining = Math.max(0, limit - place - 1);
    predicted.set(index, { low: remaining, high: remaining });
    exchanges.push(
      sampleExchange({
        seq: index,
        key,
        kind,
        sent: time * 1000,
        status: place < limit ? 200 : 429,
        headers: {
          limit: [String(limit)],
          remaining: [String(remaining)],
          reset: ['1773480473'],
          date: [],
          retryAfter: [],
          other: {},
        },
      }),
    );
  }
  return {
    key,
    kind,
    limit,
    requests,
    accepted: Math.min(limit, half) + Math.min(limit, requests - half),
    refused: Math.max(0, half - limit) + Math.max(0, requests - half - limit),
    mechanisms: [
      {
        name: 'fixed window, from the first request',
        parameters: [
          { name: 'window', value: '59.97–60.03 s' },
          { name: 'marker', value: 'seconds since the epoch, rounded up' },
        ],
      },
    ],
    refuted: [
      {
        name: 'fixed window, on the clock’s grid',
        argument: ['#12 and #60 lie in one minute of the clock, yet #60 starts a new count.'],
        evidence: [12, 60],
      },
      {
        name: 'sliding log',
        argument: ['#118 was accepted although 100 requests lie in the 60 s before it.'],
        evidence: [118],
      },
    ],
    diagnosis: null,
    windows: [
      {
        start: 1_000,
        end: 61_000,
        uncertainty: 265,
        accepted: Math.min(limit, half),
        refused: Math.max(0, half - limit),
        overshoot: 0,
        undershoot: 0,
      },
      {
        start: 62_000,
        end: 122_000,
        uncertainty: 265,
        accepted: Math.min(limit, requests - half),
        refused: Math.max(0, requests - half - limit),
        overshoot: 0,
        undershoot: 0,
      },
    ],
    series: plotSeries(exchanges, predicted, [61_000, 122_000]),
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

/** A load run of two instances: one window let a request too many through. */
export function sampleLoad(rest: Partial<LoadSection> = {}): LoadSection {
  const window = {
    key: 'key-1',
    kind: 'read',
    start: 2_000,
    end: 62_000,
    limit: 100,
    accepted: 100,
    refused: 61,
    overshoot: 0,
    undershoot: 0,
  } as const;
  return {
    scenario: 'boundary',
    seconds: 124.6,
    accounting: { due: 4_840, sent: 4_840, recorded: 4_840, dropped: 0, unanswered: 2 },
    throughput: { sent: 38.8, accepted: 26.1 },
    windows: [
      { ...window, start: 62_000, end: 122_000, accepted: 103, refused: 58, overshoot: 3 },
      window,
      { ...window, key: 'key-2', kind: 'write', limit: 30, accepted: 30, refused: 14 },
    ],
    windowsOmitted: 29,
    latency: [
      { status: 200, count: 3_250, p50: 2.1, p90: 4.4, p95: 6.2, p99: 14.9, p999: 38.2, max: 61 },
      { status: 429, count: 1_588, p50: 1.4, p90: 2.2, p95: 3.1, p99: 7.6, p999: 19, max: 22.5 },
      { status: null, count: 2, p50: 10_000, p90: 10_000, p95: 10_000, p99: 10_000, p999: 10_000, max: 10_000 },
    ],
    bursts: [
      { due: 1_400, requests: 100, spread: 8.4, late: 9.1 },
      { due: 62_300, requests: 110, spread: 9.7, late: 10.2 },
    ],
    ramp: {
      steps: [12, 24, 36, 48, 60, 72, 84].map((rate) => {
        return { rate, requests: rate * 6, p95: rate < 60 ? 4 : rate / 4, refused: rate < 36 ? 0 : rate, failed: 0 };
      }),
      knee: 60,
      refusedFrom: 36,
      failedFrom: null,
    },
    instances: [
      { name: 'i-1', requests: 2_420, clock: null },
      { name: 'i-2', requests: 2_420, clock: { offset: -3.2, uncertainty: 1.1 } },
    ],
    warnings: [],
    ...rest,
  };
}
