import { expect, test } from 'vitest';
import type { RequirementId } from '../catalogue/requirement.ts';
import { afterFailures } from './after-failures.ts';
import { ALONE, MEND } from './limits/next-run.ts';
import { again } from './to-succeed.ts';
import { exchanges, KEYLESS, traceOf } from './trace-builder.test-support.ts';
import type { Opinion } from './verdict.ts';

const open = (remedy: string): Opinion => ({ id: 'AUTH-1', verdict: 'inconclusive', summary: 'all got 429', remedy });
const alone = open(again(traceOf([])));

function remedyAfter(opinion: Opinion, ids: readonly RequirementId[], followsFrom: readonly RequirementId[] = []) {
  const failed = ids.map((id): [RequirementId, Opinion] => [
    id,
    { id, verdict: 'fail', summary: '', ...(id === 'LIMIT-R' && { followsFrom }) },
  ]);
  return afterFailures(opinion, new Map(failed)).remedy;
}

test('a limit that fails is to be fixed before others are suspected of using the keys', () => {
  expect(remedyAfter(alone, ['LIMIT-KEY'])).toBe(
    'this may depend on LIMIT-KEY, which fails: fix that first, and run again',
  );
  expect(remedyAfter(alone, ['LIMIT-R', 'LIMIT-W'])).toMatch(/^this may depend on LIMIT-R and LIMIT-W, which fail: /);
});

test('a request without a key that succeeds is to be fixed before others are suspected, since a key may pay for it', () => {
  expect(remedyAfter(alone, ['AUTH-1'])).toBe('this may depend on AUTH-1, which fails: fix that first, and run again');
});

test('requests of the run that were let in without a valid key are told in place of use by others', () => {
  const summary = 'Somebody spent it.';
  const limit: Opinion = { id: 'LIMIT-W', verdict: 'inconclusive', summary, remedy: ALONE, byOthers: true };
  const after = (status: number, opinion = limit): Opinion => {
    const evidence = exchanges({ ...KEYLESS, status });
    const proofs = [{ expected: '', received: '', evidence, argument: [], diagnosis: null }];
    return afterFailures(opinion, new Map([['AUTH-1', { id: 'AUTH-1', verdict: 'fail', summary: '', proofs }]]));
  };
  expect(after(200)).toMatchObject({
    summary: expect.stringMatching(
      /^This cannot be judged because of AUTH-1: requests of this run without a valid key/,
    ),
    remedy: 'fix AUTH-1 first, and run again',
  });
  expect(after(302).summary).toBe(summary);
  expect(after(200, { ...limit, byOthers: false }).summary).toBe(summary);
});

test('good requests that fail inside are to be mended before others are suspected, since these may not be counted', () => {
  expect(remedyAfter(alone, ['STATUS-NO5XX'])).toMatch(/^this may depend on STATUS-NO5XX, which fails: fix that first/);
});

test('a failure that follows from another is not named beside it', () => {
  expect(remedyAfter(alone, ['LIMIT-R', 'LIMIT-KEY'], ['LIMIT-KEY'])).toMatch(/^this may depend on LIMIT-KEY, /);
});

test('where all limits that fail follow from a header, that header is named', () => {
  expect(remedyAfter(open(MEND), ['HDR-3', 'LIMIT-R'], ['HDR-3'])).toBe('Fix HDR-3 first, and run again.');
});

test('what depends on failures names them, unless they are many', () => {
  expect(remedyAfter(open(MEND), ['LIMIT-KEY'])).toBe('Fix LIMIT-KEY first, and run again.');
  expect(remedyAfter(open(MEND), ['LIMIT-R', 'LIMIT-W', 'LIMIT-KEY', 'HDR-4'])).toBe(MEND);
});

test('where one kind may have been used by others and the other one fails, there is one thing to do', () => {
  expect(remedyAfter(open(`${MEND} ${ALONE}`), ['LIMIT-R'])).toBe(
    'this may depend on LIMIT-R, which fails: fix that first, and run again',
  );
});

test('a failure that says nothing of budgets explains no spent budget, and other advice stays', () => {
  expect(remedyAfter(alone, ['HDR-1'])).toBe(alone.remedy);
  expect(remedyAfter(open('Set a key.'), ['LIMIT-KEY'])).toBe('Set a key.');
});
