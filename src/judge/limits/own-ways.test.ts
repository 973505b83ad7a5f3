import { expect, test } from 'vitest';
import { refusedWithSomeLeft } from './own-showings.ts';
import { ownWays } from './own-ways.ts';

test('what only refusals say wrongly is shown by a refusal that has some left', () => {
  const [first] = ownWays(
    {
      operator: 'remaining-header',
      parameters: { kinds: ['read'], change: { constant: 100 }, only: { statuses: [429] } },
    },
    [],
  );
  expect(first).toBe(refusedWithSomeLeft);
});
