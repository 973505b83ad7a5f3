import { expect, test } from 'vitest';
import { surfaceOf } from '../accuracy/virtual/draw-deployment.ts';
import { wholeProfile } from '../accuracy/virtual/draw-profile.ts';
import { drawDeviation, OPERATOR_IDS, remedy } from '../deployment/operators.ts';
import { describe } from '../judge/limits/proofs.ts';
import { seededRandom } from '../random/random.ts';
import { NO_HEADERS } from '../trace/exchange.ts';
import { findingsOf } from './findings.ts';
import { sampleExchange } from './sample-exchange.test-support.ts';
import { sampleProof, sampleReport } from './sample-report.test-support.ts';

const rows = (...seqs: readonly number[]) => seqs.map((seq) => sampleExchange({ seq }));
const failing = (seqs: readonly number[], rest = {}) =>
  ({ verdict: 'fail', summary: 'labels are not limited', proofs: [sampleProof(rows(...seqs))], ...rest }) as const;

test('what keeps most from being judged comes first, and what is waived last', () => {
  const report = sampleReport({
    'AUTH-1': { ...failing([1]), verdict: 'waived' },
    'AUTH-6': failing([2]),
    'HDR-2': failing([3], { suppresses: ['HDR-3', 'HDR-4'] }),
  });
  expect(findingsOf(report).map(({ verdict }) => verdict.id)).toEqual(['HDR-2', 'AUTH-6', 'AUTH-1']);
});

test('what the same requests show is one failure, and what could not be judged stands under its cause', () => {
  const report = sampleReport({
    'AUTH-6': failing([3, 9]),
    'STATUS-403': failing([3, 9]),
    'STATUS-404': failing([3]),
    'HDR-8': { verdict: 'inconclusive', suppressedBy: ['AUTH-6'] },
  });
  const told = findingsOf(report).map((each) => [each.verdict.id, each.consequences.map(({ id }) => id)]);
  expect(told).toEqual([
    ['AUTH-6', ['STATUS-403', 'HDR-8']],
    ['STATUS-404', []],
  ]);
});

test('a failure that several others prove together is part of the first, and so is what follows from its parts', () => {
  const both = [sampleProof(rows(1, 2)), sampleProof(rows(1, 3))];
  const report = sampleReport({
    'AUTH-1': failing([1, 2]),
    'AUTH-5': failing([1, 3], { followsFrom: ['AUTH-1'] }),
    'STATUS-401': failing([], { proofs: both }),
    'STATUS-SET': failing([1, 3]),
  });
  const told = findingsOf(report).map((each) => [each.verdict.id, each.consequences.map(({ id }) => id)]);
  expect(told).toEqual([['AUTH-1', ['AUTH-5', 'STATUS-401', 'STATUS-SET']]]);
});

test.each([
  ['#5 was let through after #2.', [2, 5]],
  ['#5 had to be refused.', [1, 2, 5]],
])('of many requests those are shown that the argument ends on: %s', (end, shown) => {
  const proof = sampleProof(rows(1, 2, 3, 4, 5, 6), { argument: ['#1 opens the window with #2.', end] });
  const [finding] = findingsOf(sampleReport({ 'LIMIT-R': failing([], { proofs: [proof] }) }));
  expect(finding?.rows.map(({ seq }) => seq)).toEqual(shown);
});

test.each([
  ['labels are not limited', 'Labels are not limited.'],
  ['update-service: answered 401, not 403', 'update-service: answered 401, not 403.'],
])('the sentence for "%s"', (summary, told) => {
  const [finding] = findingsOf(sampleReport({ 'LIMIT-R': failing([1], { summary }) }));
  expect(finding?.sentence).toBe(told);
});

test('what a named deviation breaks follows from nothing, and what it explains follows from it', () => {
  const report = sampleReport({
    'HDR-7': failing([4], { followsFrom: ['LIMIT-WINDOW'] }),
    'LIMIT-R': failing([4], { followsFrom: [] }),
    'LIMIT-WINDOW': failing([4], { followsFrom: [] }),
  });
  const told = findingsOf(report).map((each) => [each.verdict.id, each.consequences.map(({ id }) => id)]);
  expect(told).toEqual([
    ['LIMIT-R', []],
    ['LIMIT-WINDOW', ['HDR-7']],
  ]);
});

test('what the judge knows of the very defect stands in place of what is usual', () => {
  const remedy = 'Usually these routes are registered before the limiter. Put the limiter in front of all routes.';
  const [finding] = findingsOf(sampleReport({ 'LIMIT-SCOPE': failing([1], { remedy }) }));
  expect(finding).toMatchObject({
    causes: ['These routes are registered before the limiter.'],
    remedies: ['Put the limiter in front of all routes.'],
  });
});

test.each(OPERATOR_IDS)('what %s says of its causes and what to do is told apart', (operator) => {
  const surface = surfaceOf(wholeProfile(), 4);
  const drawn = Array.from({ length: 40 }, (_, seed) => seed).flatMap(
    (seed) => drawDeviation(operator, seededRandom(seed), surface) ?? [],
  );
  const found = drawn.flatMap((each) =>
    findingsOf(sampleReport({ 'LIMIT-R': failing([1], { remedy: remedy(each) }) })),
  );
  expect(new Set(found.map(({ ofDefects }) => ofDefects))).toEqual(new Set([true]));
  expect(found.flatMap(({ remedies }) => remedies).join()).not.toContain('Usually');
});

test('two defects with one remedy have it once, and a failure with the same advice refers to the first', () => {
  const remedy = 'Usually a group is in the name. Count by the key. Usually a path is. Count by the key.';
  const report = sampleReport({ 'LIMIT-R': failing([1], { remedy }), 'LIMIT-SCOPE': failing([2], { remedy }) });
  const [first, second] = findingsOf(report);
  expect(first?.causes).toEqual(['A group is in the name.', 'A path is.']);
  expect(first).toMatchObject({ remedies: ['Count by the key.'], adviceOf: null });
  expect(second).toMatchObject({ causes: [], remedies: [], adviceOf: { id: 'LIMIT-R' } });
});

test.each([
  [
    'a request that only excludes a mechanism that explains less',
    ['Not a log: #1 is odd.', 'Not a counter: 9 were counted before #2.'],
    [1],
  ],
  ['a request of no sentence', ['#2 was answered 200.', '#2 had to be refused.'], [2]],
  ['a request before the conclusion', ['#1 succeeded.', '#2 was answered 401: the key is good.'], [1, 2]],
])('of three requests, no row is shown that the sentences shown do not need: %s', (_, argument, shown) => {
  const proof = sampleProof(rows(1, 2, 3), { argument });
  const [finding] = findingsOf(sampleReport({ 'LIMIT-R': failing([], { proofs: [proof] }) }));
  expect(finding?.rows.map(({ seq }) => seq)).toEqual(shown);
});

test('two defects have a cause and a remedy each', () => {
  const remedy = 'Usually a proxy adds 1. Let it be. Usually a cache is stale. Use none.';
  const [finding] = findingsOf(sampleReport({ 'LIMIT-SCOPE': failing([1], { remedy }) }));
  expect(finding).toMatchObject({
    causes: ['A proxy adds 1.', 'A cache is stale.'],
    remedies: ['Let it be.', 'Use none.'],
  });
});

test.each([
  ['410', /410/],
  ['200', /200/],
  ['500', /500/],
])('a %s in place of a 404 has its own usual cause', (received, cause) => {
  const proofs = [sampleProof(rows(1), { received })];
  const [finding] = findingsOf(sampleReport({ 'STATUS-404': failing([], { proofs }) }));
  expect(finding?.causes[0]).toMatch(cause);
});

test('a success without headers is not put down to what befalls a 401', () => {
  const proofs = [sampleProof(rows(1), { received: 'no X-RateLimit-Limit', part: '200' })];
  const [finding] = findingsOf(sampleReport({ 'HDR-1': failing([], { proofs }) }));
  expect(finding?.causes[0]).toBe('Some routes are registered before the limiter.');
});

test.each([
  ['HDR-1', { received: 'no X-RateLimit-Reset', part: '200' }, /on refusals alone/],
  ['AUTH-5', { received: '200', part: 'case-middle' }, /without regard to case/],
  ['AUTH-5', { received: '200', part: 'wrong-scheme' }, /scheme word is ignored/],
  ['AUTH-5', { received: '200', part: 'cut-last' }, /by a prefix/],
  ['LIMIT-EVADE', { received: 'A request written in another way (trailing-slash) was let through.' }, /raw path/],
] as const)('the cause that fits what failed comes first: %s, %j', (id, told, cause) => {
  const [finding] = findingsOf(sampleReport({ [id]: failing([], { proofs: [sampleProof(rows(1), told)] }) }));
  expect(finding?.causes[0]).toMatch(cause);
});

const VALIDATED_FIRST = 'The body or the parameters are checked before the limiter, so a 400 never passes it.';
const NEW_RESPONSE = 'The error handler makes a new response, without the headers that the limiter sets.';

test.each([
  [[400], VALIDATED_FIRST],
  [[500], NEW_RESPONSE],
  [[400, 500], NEW_RESPONSE],
  [[400, 403, 404, 500], NEW_RESPONSE],
  [[404, 500], NEW_RESPONSE],
  [[401, 403], 'The limiter sits behind the check of the key, so a 401 or 403 never passes it.'],
  [[429], 'The limiter refuses in code of its own, which sends a 429 without the headers, or with `Retry-After` only.'],
])('the cause of lacking headers fits the statuses that lack them: %s', (statuses, cause) => {
  const parts = [200, 400, 401, 403, 404, 429, 500].map((status) => ({
    ...{ name: `${status}`, witnesses: 9, summary: '' },
    verdict: statuses.includes(status) ? ('fail' as const) : ('pass' as const),
  }));
  const proofs = statuses.map((status) => {
    const evidence = [sampleExchange({ status, fault: status === 404 ? 'missing' : 'none', headers: NO_HEADERS })];
    return sampleProof(evidence, { received: noHeaders, part: `${status}` });
  });
  const [finding] = findingsOf(sampleReport({ 'HDR-1': { ...failing([], { proofs }), parts } }));
  expect(finding?.causes[0]).toBe(cause);
  expect(/without an accepted key/.test(finding?.remedies.join() ?? '')).toBe(statuses.includes(401));
});

const absent = sampleExchange({ status: 404, fault: 'missing', headers: NO_HEADERS });
const noHeaders = 'no X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';
const others = { parts: [{ name: '200', verdict: 'pass', witnesses: 9, summary: 'on all 9' }] } as const;
const queued = [20_000, 21_000, 22_000, 9_000_000].map((lasted, seq) =>
  sampleExchange({ seq, status: 200, sent: 0, answered: lasted }),
);

test.each([
  ['AUTH-4', { received: '429', part: 'labels' }, {}, /limiter stands before/, /login page/],
  ['AUTH-5', { received: '429', part: 'altered-first' }, {}, /limiter stands before/, /by a prefix/],
  ['AUTH-5', { received: '403', part: 'empty' }, {}, /in another form/, /unknown key|prefix|scheme word/i],
  ['AUTH-5', { received: '404', part: 'altered-first' }, {}, /unknown key/i, /in another form|empty header/],
  ['STATUS-401', { received: '429', part: 'no key' }, {}, /limiter stands before/, /login page|prefix/],
  ['HDR-1', { received: noHeaders, part: '404', evidence: [absent] }, others, /does not exist/, /Unknown paths|newer/],
  ['HDR-1', { received: noHeaders, part: '429' }, others, /refuses in code of its own/, /newer names/],
  ['HDR-2', { received: '"1795841492.615"', part: 'X-RateLimit-Reset' }, {}, /with a division/, /two lines|date/],
  ['HDR-2', { received: '"100, 99"', part: 'X-RateLimit-Remaining' }, {}, /two lines/, /division|date/],
  ['STATUS-429', { received: 'Over 100.', evidence: queued }, {}, /in a queue/, /^$/],
  ['STATUS-429', { received: '503' }, {}, /503/, /queue/],
] as const)('causes that do not fit the evidence are left out: %s, %j', (id, told, changes, cause, other) => {
  const proofs = [sampleProof(rows(1), told)];
  const [finding] = findingsOf(sampleReport({ [id]: { ...failing([], { proofs }), ...changes } }));
  expect(finding?.causes[0]).toMatch(cause);
  expect(finding?.causes.filter((each) => other.test(each))).toEqual([]);
});

test.each([
  ['AUTH-6', 'answered 200, not 403: one (until #357)', /permissions of a key are kept/],
  ['AUTH-3', 'a valid key is answered 401 (only with key-2)', /pattern for the token/],
] as const)('so does the cause that fits what sets wrong answers apart: %s, %s', (id, summary, cause) => {
  const proofs = [sampleProof(rows(1), { received: '200' })];
  const [finding] = findingsOf(sampleReport({ [id]: { ...failing([], { proofs }), summary } }));
  expect(finding?.causes[0]).toMatch(cause);
});

test('a refused request beside the one that was let through says nothing of its cause', () => {
  const received = 'A request written in another way (trailing-slash) was let through.';
  const [passed, refused] = rows(1, 2);
  const evidence = [
    { ...passed, variation: 'trailing-slash', status: 200 },
    { ...refused, variation: 'real-ip', status: 429 },
  ];
  const proofs = [sampleProof(evidence as ReturnType<typeof rows>, { received })];
  const [finding] = findingsOf(sampleReport({ 'LIMIT-EVADE': failing([], { proofs }) }));
  expect(finding?.causes[0]).toMatch(/raw path/);
});

// What is told of #9 holds of one mechanism only, and may be in order under another.
test.each([
  ['#1 and #2 are 57 s apart.', ['#1 and #2 are 57 s apart.', 'Not a log: The marker of #9 is odd.']],
  [
    'From #1 to #2, 102 were accepted.',
    ['From #1 to #2, 102 were accepted.', 'Not a log: 102 were counted before #9.'],
  ],
  ['At most 23 were counted before #2.', ['At most 11 came between.', 'Not a log: At most 23 were counted before #2.']],
])('where mechanisms are excluded one by one, what shows the deviation is the conclusion: %s', (told, end) => {
  const argument = [describe(sampleExchange({ seq: 1 })), ...end];
  const proofs = [sampleProof(rows(1, 2), { argument })];
  const [finding] = findingsOf(sampleReport({ 'LIMIT-WINDOW': failing([], { proofs }) }));
  expect(finding?.conclusion).toBe(told);
});
