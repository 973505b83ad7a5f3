import { expect, test } from 'vitest';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { ctrfReport } from './ctrf.ts';
import type { Report } from './report.ts';
import { sampleExchange } from './sample-exchange.test-support.ts';
import { sampleProof, sampleReport } from './sample-report.test-support.ts';

const report = sampleReport({
  'HDR-1': { verdict: 'fail', proofs: [sampleProof([sampleExchange()], { received: '\x1b[31m"<' })] },
  'AUTH-6': { verdict: 'not tested', remedy: 'Set SIZE_CHART_RESTRICTED_KEY.' },
  'LIMIT-R': { verdict: 'inconclusive' },
  'LIMIT-W': { verdict: 'waived', waiver: { reason: 'migration', until: '2026-06-30' } },
});

test('a run of a part does not conform in a word', () => {
  const overall = (of: Report): string => JSON.parse(ctrfReport(of)).results.extra.overall;
  expect(overall(sampleReport())).toBe('conforms');
  expect(overall({ ...sampleReport(), unselected: ['AUTH-1'] })).toBe('no failure in part');
});

test('only a pass is passed', () => {
  const { results } = JSON.parse(ctrfReport(report));
  const byName = new Map<string, { status: string; rawStatus: string }>(
    results.tests.map((each: { name: string; status: string; rawStatus: string }) => [each.name, each]),
  );
  expect(byName.get('HDR-1')?.status).toBe('failed');
  expect(byName.get('AUTH-6')).toMatchObject({ status: 'skipped', rawStatus: 'not tested' });
  expect(byName.get('LIMIT-R')).toMatchObject({ status: 'other', rawStatus: 'inconclusive' });
  expect(byName.get('LIMIT-W')).toMatchObject({ status: 'other', rawStatus: 'waived' });
  const { tests, passed, failed, skipped, other } = results.summary;
  expect(tests).toBe(REQUIREMENTS.length);
  expect(passed + failed + skipped + other).toBe(tests);
  expect(failed).toBe(1);
});
