import { expect, test } from 'vitest';
import type { Report } from './report.ts';
import { sampleLoad } from './sample-load.test-support.ts';
import { sampleProof, sampleReport } from './sample-report.test-support.ts';
import { diagnosesOf, headline, outcomeName, overallWord, sentence } from './wording.ts';

/** A run without failure that was asked for the first `count` requirements alone. */
function partial(count: number, rest: Partial<Report> = {}): Report {
  const whole = sampleReport();
  const [verdicts, unselected] = [whole.verdicts.slice(0, count), whole.verdicts.slice(count).map(({ id }) => id)];
  return { ...whole, verdicts, unselected, ...rest };
}

test('only a run that judged the whole catalogue is said to conform', () => {
  expect(overallWord(sampleReport())).toBe('Conforms');
  expect(overallWord(partial(7))).toBe('No failure in 7 of 36 requirements');
  const loaded = partial(7, { load: sampleLoad() });
  expect(overallWord(loaded)).toBe('No failure in 7 of 36 requirements, under load');
  expect(headline(loaded)).toMatch(
    /: no failure in 7 of 36 requirements of the Size Chart Service API v1, under load\.$/,
  );
  expect(headline(partial(7))).toMatch(/: no failure in 7 of 36 requirements of the Size Chart Service API v1\.$/);
  expect([sampleReport(), partial(7)].map(outcomeName)).toEqual(['conforms', 'no failure in part']);
});

test('what no client can provoke takes nothing from a verdict, and what was not tried does', () => {
  const notTested = { verdict: 'not tested', summary: 'no probe' } as const;
  expect(overallWord(sampleReport({ 'STATUS-500': notTested }))).toBe('Conforms');
  expect(overallWord(sampleReport({ 'AUTH-6': notTested }))).toBe('No failure in 35 of 36 requirements');
});

test('a waived failure is no conformance', () => {
  expect(overallWord(sampleReport({ 'AUTH-6': { verdict: 'waived' } }))).toBe(
    'No failure besides the waived ones in 36 of 36 requirements',
  );
  expect(outcomeName(sampleReport({ 'AUTH-6': { verdict: 'waived' } }))).toBe('no failure in part');
});

test('what follows from a failure is counted apart from the failures', () => {
  const fail = { verdict: 'fail' } as const;
  const two = { 'AUTH-1': fail, 'HDR-1': fail } as const;
  const follows = { ...fail, followsFrom: ['AUTH-1'] } as const;
  expect(headline(sampleReport(two))).toContain(': 2 of 36 requirements fail, 34 pass.');
  expect(headline(sampleReport({ ...two, 'AUTH-5': follows }))).toContain(
    ': 2 of 36 requirements fail, 1 more because of them, 33 pass.',
  );
  expect(headline(sampleReport({ 'AUTH-1': fail, 'AUTH-5': follows, 'STATUS-401': follows }))).toContain(
    ': 1 of 36 requirements fails, 2 more because of it, 33 pass.',
  );
});

test('what a failure looks like continues a sentence, and keeps the capitals of a name', () => {
  const proofs = ['Requests that fail are not counted', 'X-RateLimit-Reset is late', 'DELETE counts twice'].map(
    (diagnosis) => sampleProof([], { diagnosis }),
  );
  expect(diagnosesOf({ proofs })).toEqual([
    'requests that fail are not counted',
    'X-RateLimit-Reset is late',
    'DELETE counts twice',
  ]);
});

test.each([
  ['nothing was sent', 'Nothing was sent.'],
  ['get-label answered 404', 'get-label answered 404.'],
  ['http://127.0.0.1:1/api/v1 answered none', 'http://127.0.0.1:1/api/v1 answered none.'],
  ['note: two keys', 'Note: two keys.'],
])('%s: a sentence leaves names at its start as they are', (text, whole) => expect(sentence(text)).toBe(whole));

test('the counts are sentences, however few requirements there are', () => {
  const one = partial(1);
  const undecided = { ...one, verdicts: one.verdicts.map((each) => ({ ...each, verdict: 'inconclusive' as const })) };
  const result = { ...one.result, overall: 'incomplete' as const };
  expect(headline({ ...undecided, result })).toMatch(
    /is incomplete, so it gives no verdict: 0 of 1 requirement passes, 1 is inconclusive\.$/,
  );
});
