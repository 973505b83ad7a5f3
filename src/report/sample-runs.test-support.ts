import type { RequirementId } from '../catalogue/requirement.ts';
import { NO_HEADERS } from '../trace/exchange.ts';
import { EVIDENCE_SHOWN, PROOFS_SHOWN } from './make-report.ts';
import type { Report, ReportedVerdict } from './report.ts';
import { fixedWindowBudget } from './sample-budget.test-support.ts';
import { sampleExchange } from './sample-exchange.test-support.ts';
import { sampleLoad } from './sample-load.test-support.ts';
import { sampleProof, sampleReport } from './sample-report.test-support.ts';

type Changes = Partial<Record<RequirementId, Partial<ReportedVerdict>>>;

/** What a hostile target sends wherever it can: markup, terminal controls, a template, marks that reverse text. */
export const HOSTILE = `"><script>fetch('//evil.example')</script><img src=//evil.example/x>\x1b[31m\u202e\${x}{{x}}]]>`;

const STATUSES = [200, 400, 401, 403, 404, 429, 500];

/** HDR-1 by status, with this verdict on 404. */
function byStatus(on404: 'pass' | 'fail'): Partial<ReportedVerdict> {
  const parts = STATUSES.map((status) => ({
    name: String(status),
    verdict: status === 500 ? ('not tested' as const) : status === 404 ? on404 : ('pass' as const),
    witnesses: status === 500 ? 0 : 12,
    summary: `answers with status ${status}`,
  }));
  return { parts };
}

const notTested: Changes = {
  'STATUS-500': {
    verdict: 'not tested',
    summary: 'The profile names no way to provoke an internal failure.',
    remedy: 'Add a probe under `probes.internal_failure` of the profile.',
  },
};

export const passingRun: Report = sampleReport({
  ...notTested,
  'HDR-1': byStatus('pass'),
  'HDR-8': {
    notes: ['The marker wobbled by one second, which is one unit: it is computed as now plus the time left.'],
  },
});

export const failingRun: Report = sampleReport(
  {
    ...notTested,
    'HDR-1': {
      ...byStatus('fail'),
      verdict: 'fail',
      summary: '14 of 14 answers with status 404 lack the three headers.',
      proofs: [
        sampleProof([sampleExchange({ seq: 3, status: 404, target: '/labels/none?x=1&y=2', headers: NO_HEADERS })]),
      ],
      suppresses: ['HDR-4'],
      replay: 'npx size-chart-conformance@0.1.0 replay . HDR-1',
      script: `ask -H "X-API-Key: $KEY_1" 'https://staging.acme.example/api/v1/${HOSTILE}'`,
    },
    'HDR-2': {
      verdict: 'fail',
      summary: `X-RateLimit-Remaining is ${HOSTILE}.`,
      proofs: [
        sampleProof(
          [sampleExchange({ target: `/${HOSTILE}`, headers: { ...NO_HEADERS, limit: [HOSTILE, HOSTILE] } })],
          {
            received: HOSTILE,
            argument: [HOSTILE],
            diagnosis: HOSTILE,
          },
        ),
      ],
    },
    'HDR-4': { verdict: 'inconclusive', summary: 'Needs HDR-2, which fails.', suppressedBy: ['HDR-2'] },
    'LIMIT-W': {
      verdict: 'waived',
      summary: 'A key gets 35 writes.',
      waiver: { reason: 'migration of the write limiter', until: '2026-06-30' },
      proofs: [
        sampleProof([sampleExchange({ kind: 'write', method: 'POST' })], {
          expected: '30 accepted',
          received: '35 accepted',
        }),
      ],
    },
  },
  {
    target: { name: HOSTILE, version: '2.3.1', baseUrl: 'https://staging.acme.example/api/v1' },
    load: sampleLoad(),
    waivers: [
      { requirement: 'LIMIT-W', part: null, reason: 'migration', until: '2026-06-30', daysLeft: 108, used: true },
    ],
    observations: [{ requirement: 'AUTH-O1', name: 'both-headers', value: HOSTILE, evidence: [1, 2, 3, 4, 5] }],
    budgets: [
      { ...fixedWindowBudget('key-1', 'read', 100), mechanisms: [], diagnosis: 'token bucket' },
      fixedWindowBudget('key-1', 'write', 30),
    ],
  },
);

export const interruptedRun: Report = sampleReport(
  Object.fromEntries(
    ['LIMIT-R', 'LIMIT-W', 'LIMIT-WINDOW', 'HDR-7'].map((id) => [
      id,
      { verdict: 'inconclusive', summary: 'Interrupted: not finished.', remedy: 'Run it again to its end.' },
    ]),
  ),
  {
    run: { ...passingRun.run, outcome: 'interrupted', seconds: 41.2, scale: 30 },
    result: { ...passingRun.result, overall: 'incomplete', exitCode: 3, certifiable: false, blockers: ['interrupted'] },
  },
);

/** A target that cannot be reached: one cause, and nothing measured. */
export const inconclusiveRun: Report = sampleReport(
  Object.fromEntries(
    passingRun.verdicts
      .filter((each) => each.level !== 'observed')
      .map((each) => [each.id, { verdict: 'inconclusive', summary: 'The target could not be reached.', witnesses: 0 }]),
  ),
  {
    budgets: [],
    observations: [],
    result: {
      overall: 'inconclusive',
      exitCode: 3,
      reason: 'The target could not be reached.',
      obstacle: { cause: 'Nothing listens at staging.acme.example:443.', remedy: 'Check the base URL.' },
      certifiable: false,
      blockers: ['nothing was judged'],
      counts: { pass: 0, fail: 0, inconclusive: 36, waived: 0, 'not tested': 0, observed: 6 },
    },
    conditions: {
      ...passingRun.conditions,
      requests: 1,
      connections: 0,
      statuses: {},
      failures: { refused: 1 },
      unanswered: 1,
      skew: null,
      roundTrip: null,
      notes: ['0.0 s: connection refused'],
    },
  },
);

/** The maximum number of plotted budgets, 20,000 exchanges in all. */
const busyBudgets = Array.from({ length: 16 }, (_, index) => fixedWindowBudget(`key-${index + 1}`, 'read', 100, 1_250));

export const busyRun: Report = sampleReport({}, { budgets: busyBudgets });

/** The largest possible report: every requirement fails with the maximum of shown evidence, over many busy budgets. */
export const largestRun: Report = sampleReport(
  Object.fromEntries(
    passingRun.verdicts
      .filter((each) => each.level !== 'observed')
      .map((each, index) => {
        const evidence = (count: number) =>
          Array.from({ length: count }, (_, seq) => sampleExchange({ seq: seq + 10_000 + 100 * index }));
        const { first, others } = EVIDENCE_SHOWN;
        const counts = [first, ...Array.from({ length: PROOFS_SHOWN - 1 }, () => others)];
        const proofs = counts.map((count) => sampleProof(evidence(count)));
        return [each.id, { verdict: 'fail', summary: 'Fails.', proofs }];
      }),
  ),
  { budgets: busyBudgets },
);
