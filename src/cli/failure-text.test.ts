import { expect, test } from 'vitest';
import { failureText } from './failure-text.ts';

const PROOF = { argument: ['#1 is a request.', 'It had to be accepted.'] };

test('a failure that the run names is shown with its requirement, when, and the contradiction', () => {
  const verdict = { id: 'LIMIT-R' as const, summary: 'too many reads are accepted', proofs: [PROOF] };
  expect(failureText({ verdict, time: 51.9e6 })).toMatch(
    /^FAIL LIMIT-R \(51\.9 s\): Too many reads are accepted\. Required: .+\.\n/,
  );
});

test('a failure that only the whole run can name is shown under no name that could be taken for a requirement', () => {
  const verdict = { id: 'LIMIT-R' as const, summary: 'too many reads are accepted', proofs: [PROOF] };
  const text = failureText({ verdict, time: 51.9e6, named: false });
  expect(text).toMatch(/^FAIL clause 8 \(51\.9 s\): .+ The first contradiction:\n {5}It had to be accepted\.$/);
  expect(text).not.toMatch(/FAIL (limits|[A-Z]+-)/);
});
