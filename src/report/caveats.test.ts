import { expect, test } from 'vitest';
import { COVERAGE } from '../catalogue/coverage.ts';
import { caveats } from './caveats.ts';
import { sampleReport } from './sample-report.test-support.ts';

const untested = { 'AUTH-6': { verdict: 'not tested' }, 'STATUS-500': { verdict: 'not tested' } } as const;

function lastCaveat(blockers: readonly string[]): string | undefined {
  const report = sampleReport(untested);
  return caveats({ ...report, result: { ...report.result, certifiable: false, blockers } }).at(-1);
}

test('a run without failure and without certificate says what exit code 0 means, and which requirements are missing', () => {
  expect(lastCaveat(['1 not tested (AUTH-6)'])).toBe(
    'Exit code 0: nothing that this run tested failed or stayed undecided. This is not enough for a certificate: 1 not tested (AUTH-6).',
  );
});

test('what no single requirement lacks is said as it is', () => {
  const quick = 'only a run of certify can be certified, but this was check';
  expect(lastCaveat([quick])).toMatch(new RegExp(`certificate: ${quick}\\.$`));
});

test('the first caveat of a run in scaled time is that no server in real time can conform in it', () => {
  const report = sampleReport(untested);
  const [first] = caveats({ ...report, run: { ...report.run, outcome: 'interrupted', scale: 10 } });
  expect(first).toMatch(/^Time ran 10 times faster .*certifies nothing\. Only a server .*reference --time-scale 10/);
});

test('a verdict that there is not rests on nothing', () => {
  const notes = ['Two forms were not tried.'];
  const of = (verdict: 'pass' | 'inconclusive'): string =>
    caveats(sampleReport({ 'AUTH-5': { verdict, notes } })).join();
  expect(of('pass')).toContain('AUTH-5: Two forms were not tried. The verdict rests on the other forms.');
  expect(of('inconclusive')).not.toContain('rests');
});

test('a run that conforms without a requirement says why it does', () => {
  const probes = { verdict: 'not tested', summary: 'no probe' } as const;
  expect(caveats(sampleReport({ 'STATUS-500': probes }))).toEqual([
    'STATUS-500 was not tested. A deployment conforms without it: no client can provoke it from outside.',
  ]);
  expect(caveats(sampleReport({ 'STATUS-500': probes, 'AUTH-6': probes })).join()).not.toContain('conforms without');
  expect(caveats(sampleReport())).toEqual([]);
});

test('a check says once that what passes it was tried in part', () => {
  const { run, ...report } = sampleReport(untested);
  const { experiments, judge } = COVERAGE['AUTH-5'];
  const of = (command: 'check' | 'certify', tried: number): string[] => {
    const coverage = [{ requirement: 'AUTH-5' as const, possible: 9, tried, untried: [], experiments, judge }];
    return caveats({ ...report, run: { ...run, command }, coverage }).filter((each) => each.includes('wrong key'));
  };
  expect(of('check', 8)).toEqual([
    expect.stringMatching(/^check tries less than certify: 12 of 28 forms of a wrong key, .*may fail/),
  ]);
  expect(of('check', 9)).toEqual([]);
  expect(of('certify', 8)).toEqual([]);
});
