import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RequirementId } from '../catalogue/requirement.ts';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import type { VerdictName } from '../judge/verdict.ts';
import type { Report } from '../report/report.ts';
import { sampleReport } from '../report/sample-report.test-support.ts';
import { FormatError } from './certificate-error.ts';
import { SUITE, TESTED } from './run.test-support.ts';
import { type Attested, decodeStatement, encodeStatement, shortcomings, testResult } from './statement.ts';
import { attestationText } from './wording.ts';

const ATTESTED: Attested = { reportDigest: 'e'.repeat(64), suite: SUITE, role: 'vendor', tested: TESTED };

const parsed = (report: Report) => JSON.parse(Buffer.from(encodeStatement(report, ATTESTED)).toString());

describe('only a complete pass is PASSED', () => {
  const complete = sampleReport();
  const certifiable = (verdicts: Report['verdicts']): Report => ({ ...complete, verdicts });

  test('every requirement passed', () => {
    expect(testResult(complete)).toBe('PASSED');
    expect(shortcomings(complete)).toEqual([]);
  });

  test('what no client can provoke may be left untested', () => {
    expect(testResult(sampleReport({ 'STATUS-500': { verdict: 'not tested' } }))).toBe('PASSED');
  });

  // The report's own word that it is certifiable stands in each: the catalogue has the last one.
  test.each<[string, Report, string, string]>([
    ['a requirement is missing', certifiable(complete.verdicts.slice(1)), 'WARNED', 'not judged: AUTH-1'],
    [
      'a requirement is there twice',
      certifiable([...complete.verdicts, ...complete.verdicts.slice(0, 1)]),
      'WARNED',
      'judged more than once: AUTH-1',
    ],
    ['scaled time', { ...complete, run: { ...complete.run, scale: 0.03 } }, 'WARNED', 'scaled time'],
    ['interrupted', { ...complete, run: { ...complete.run, outcome: 'interrupted' } }, 'WARNED', 'did not finish'],
    [
      'the judge sees a reason against it',
      { ...complete, result: { ...complete.result, certifiable: false, blockers: ['a reason'] } },
      'WARNED',
      'a reason',
    ],
    [
      'the judge says no without a reason',
      { ...complete, result: { ...complete.result, certifiable: false, blockers: [] } },
      'WARNED',
      'cannot be certified',
    ],
    [
      'another catalogue',
      { ...complete, digests: { ...complete.digests, catalogue: 'f'.repeat(64) } },
      'WARNED',
      'catalogue',
    ],
  ])('not where %s', (_, report, result, reason) => {
    expect(testResult(report)).toBe(result);
    expect(shortcomings(report).join()).toContain(reason);
  });

  test('what fails is said once, and in full', () => {
    const ids = REQUIREMENTS.filter(({ level }) => level !== 'observed').map(({ id }) => id);
    const { verdicts } = sampleReport(Object.fromEntries(ids.map((id) => [id, { verdict: 'fail' }])));
    const report = certifiable(verdicts);
    const result = {
      ...report.result,
      certifiable: false,
      blockers: [`${ids.length} failed`, 'the run was ended early'],
    };
    const ended = { ...report, result, run: { ...report.run, outcome: 'interrupted' as const } };
    expect(shortcomings(ended)).toEqual(['the run was ended early', `fail: ${ids.join(', ')}`]);
    expect(
      attestationText(
        { result: 'FAILED', shortcomings: shortcomings(ended), files: [], fingerprint: '' },
        { identity: '', allowedSigners: '', publicKey: '', missing: [] },
      ),
    ).toContain(`fail: ${ids.join(', ')}\n`);
  });

  test('any verdict but pass on any requirement that a client can provoke', () => {
    const verdicts = fc.constantFrom<VerdictName>('fail', 'not tested', 'inconclusive', 'waived', 'observed');
    const ids = fc.constantFrom(...REQUIREMENTS.filter((each) => !each.optional).map((each) => each.id));
    fc.assert(
      fc.property(ids, verdicts, (id: RequirementId, verdict) => {
        const report = certifiable(sampleReport({ [id]: { verdict } }).verdicts);
        expect(testResult(report)).toBe(verdict === 'fail' ? 'FAILED' : 'WARNED');
      }),
    );
  });
});

test('a statement names report and trace, and sorts the requirements by verdict', () => {
  const report = sampleReport({
    'HDR-1': { verdict: 'fail' },
    'HDR-2': { verdict: 'waived' },
    'HDR-3': { verdict: 'not tested' },
    'HDR-6': { verdict: 'inconclusive' },
  });
  const statement = parsed({ ...report, run: { ...report.run, nonce: 'n-1' } });
  expect(statement.subject).toEqual([
    { name: 'report.json', digest: { sha256: ATTESTED.reportDigest } },
    { name: 'trace.ndjson', digest: { sha256: report.digests.trace } },
  ]);
  const { passedTests, warnedTests, failedTests, configuration, result } = statement.predicate;
  expect(result).toBe('FAILED');
  expect(failedTests).toEqual(['HDR-1']);
  expect(warnedTests).toEqual(['HDR-2']);
  expect(passedTests).toContain('AUTH-1');
  expect(passedTests).not.toContain('AUTH-O1');
  const { annotations } = configuration.at(-1);
  expect(annotations).toMatchObject({ role: 'vendor', nonce: 'n-1', notTested: ['HDR-3'], inconclusive: ['HDR-6'] });
});

test('the claims read back as they were made', () => {
  const report = sampleReport();
  const { tested: _, ...claimed } = ATTESTED;
  expect(decodeStatement(encodeStatement(report, { ...ATTESTED, role: 'certifier' }))).toEqual({
    ...claimed,
    role: 'certifier',
    traceDigest: report.digests.trace,
    profileDigest: report.digests.profile,
    catalogueDigest: report.digests.catalogue,
    nonce: null,
    result: 'PASSED',
    target: report.target,
    started: report.run.started,
  });
});

test('garbage is a FormatError and nothing else', () => {
  const statement = parsed(sampleReport());
  const broken = fc
    .constantFrom('predicateType', 'predicate', 'subject')
    .chain((name) => fc.jsonValue().map((value) => JSON.stringify({ ...statement, [name]: value })));
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), broken), (text) => {
      expect(() => decodeStatement(Buffer.from(text))).toThrow(FormatError);
    }),
  );
});
