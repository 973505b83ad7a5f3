import fc from 'fast-check';
import { expect, test } from 'vitest';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import type { VerdictName } from '../judge/verdict.ts';
import { compareReports, comparisonText } from './compare.ts';
import type { LoadSection } from './load-section.ts';
import { fixedWindowBudget } from './sample-budget.test-support.ts';
import { sampleReport } from './sample-report.test-support.ts';

test('a lost pass is a regression, a new pass an improvement', () => {
  const before = sampleReport({ 'HDR-1': { verdict: 'fail' } });
  const after = sampleReport({ 'LIMIT-R': { verdict: 'inconclusive', summary: 'others used the key' } });
  const comparison = compareReports(before, after);
  expect(comparison.verdicts.map(({ id, change }) => [id, change])).toEqual([
    ['HDR-1', 'improvement'],
    ['LIMIT-R', 'regression'],
  ]);
  expect(comparison.exitCode).toBe(1);
  expect(comparisonText(before, after, comparison)).toContain('↓ LIMIT-R: pass → inconclusive  others used the key');
});

test('each reason is said once, with all requirements for which it holds', () => {
  const summary = 'key-1 is not accepted';
  const before = sampleReport({ 'LIMIT-W': { verdict: 'not tested' } });
  const after = sampleReport({
    'AUTH-1': { verdict: 'inconclusive', summary },
    'LIMIT-R': { verdict: 'inconclusive', summary },
    'LIMIT-W': { verdict: 'inconclusive', summary },
  });
  const text = comparisonText(before, after, compareReports(before, after));
  expect(text.split('\n').slice(-5, -1)).toEqual([
    'Verdicts',
    '  ↓ AUTH-1, LIMIT-R: pass → inconclusive',
    '  · LIMIT-W: not tested → inconclusive',
    '      key-1 is not accepted',
  ]);
  expect(text).toMatch(/^2 regressions, 0 improvements\./);
});

test('what was not tested and is now undecided is no regression, and neither is the other way', () => {
  const open = (verdict: VerdictName) => sampleReport({ 'LIMIT-R': { verdict } });
  expect(compareReports(open('not tested'), open('inconclusive')).exitCode).toBe(0);
  expect(compareReports(open('inconclusive'), open('not tested')).exitCode).toBe(0);
  expect(compareReports(open('inconclusive'), open('fail')).exitCode).toBe(1);
});

test('it is said that runs of two commands do not test the same', () => {
  const certified = sampleReport();
  const checked = { ...certified, run: { ...certified.run, command: 'check' } };
  expect(compareReports(certified, certified).cautions).toEqual([]);
  expect(compareReports(certified, checked).cautions).toEqual([
    'The first run is of certify, the second of check: they do not test the same requirements.',
  ]);
});

test('another mechanism and another observation are told, and are no regression', () => {
  const before = sampleReport();
  const log = { name: 'sliding log' as const, parameters: [] };
  const budget = { ...fixedWindowBudget('key-1', 'read', 100), refused: 1, mechanisms: [log] };
  const after = sampleReport(
    {},
    { budgets: [budget], observations: [{ requirement: 'LIMIT-O1', name: 'reset.unit', value: 'ms', evidence: [] }] },
  );
  const comparison = compareReports(before, after);
  expect(comparison.mechanisms).toEqual([
    { name: 'all budgets', before: 'fixed window, from the first request', after: 'sliding log', regression: false },
  ]);
  expect(comparison.observations.map((each) => each.name)).toEqual(['LIMIT-O1 reset.unit']);
  expect(comparison.exitCode).toBe(0);
});

test('requests let through above the limit under load are a regression; latency is not', () => {
  const load = (overshoot: number, p99: number): LoadSection => ({
    scenario: 'quota-read',
    seconds: 60,
    accounting: { due: 110, sent: 110, recorded: 110, dropped: 0, unanswered: 0 },
    throughput: { sent: 1.8, accepted: 1.7 },
    windows: [
      {
        key: 'key-1',
        kind: 'read',
        start: 0,
        end: 60_000,
        limit: 100,
        accepted: 100 + overshoot,
        refused: 10,
        overshoot,
        undershoot: 0,
      },
    ],
    windowsOmitted: 0,
    latency: [{ status: 200, count: 100, p50: 1, p90: 2, p95: 2, p99, p999: p99, max: p99 }],
    bursts: [],
    ramp: null,
    instances: [],
    warnings: [],
  });
  const compare = (a: LoadSection, b: LoadSection) =>
    compareReports(sampleReport({}, { load: a }), sampleReport({}, { load: b }));
  expect(compare(load(0, 3), load(2, 3)).exitCode).toBe(1);
  expect(compare(load(0, 3), load(0, 30)).exitCode).toBe(0);
  expect(compare(load(0, 3), load(0, 30)).load.map((each) => each.name)).toEqual(['p99 of 200, ms']);
});

test('a report equals itself, and a regression one way is an improvement the other way', () => {
  const name = fc.constantFrom<VerdictName>('pass', 'fail', 'not tested', 'inconclusive', 'waived');
  const id = fc.constantFrom(...REQUIREMENTS.filter(({ level }) => level !== 'observed').map((each) => each.id));
  fc.assert(
    fc.property(id, name, name, (which, was, is) => {
      const before = sampleReport({ [which]: { verdict: was } });
      const after = sampleReport({ [which]: { verdict: is } });
      expect(compareReports(before, before).verdicts).toEqual([]);
      const opposite = { regression: 'improvement', improvement: 'regression', other: 'other' };
      const forth = compareReports(before, after).verdicts[0]?.change;
      const back = compareReports(after, before).verdicts[0]?.change;
      expect(back).toBe(forth && opposite[forth]);
    }),
  );
});

test('what is measured anew in each run is no change; a status is', () => {
  const observed = (skew: string, status: string) =>
    sampleReport(
      {},
      {
        observations: [
          { requirement: 'LIMIT-O1', name: 'clock.skew', value: skew, evidence: [] },
          { requirement: 'AUTH-O3', name: 'query', value: status, evidence: [] },
        ],
      },
    );
  const comparison = compareReports(observed('-15 to 3 ms', 'answers 401'), observed('-16.2 to 4 ms', 'answers 200'));
  expect(comparison.observations.map((each) => each.name)).toEqual(['AUTH-O3 query']);
});
