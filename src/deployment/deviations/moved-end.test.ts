import { expect, test } from 'vitest';
import { SECOND, WINDOW } from '../deployment.ts';
import { BOTH } from '../operator.ts';
import { type MovedEnd, movedEnd } from './moved-end.ts';

test.each([
  [{ after: WINDOW }, /expiry .* is set again/],
  [{ after: 30 * SECOND }, /block or penalty/],
  [{ later: 5 * SECOND }, /block or penalty/],
] as const)('refusals that begin the window anew are no penalty: %j', (to, cause) => {
  const moved: MovedEnd = { kinds: BOTH, trigger: 'refusal', to, idle: 0, told: true };
  expect(movedEnd.remedy(moved)).toMatch(cause);
});

test.each([
  [3, 'third'],
  [11, '11th'],
  [21, '21st'],
  [22, '22nd'],
  [33, '33rd'],
] as const)('refusal %d of a window is the %s', (nth, word) => {
  const to = { after: WINDOW };
  const moved: MovedEnd = { kinds: BOTH, trigger: 'first refusal', nth, to, idle: 0, told: true };
  expect(movedEnd.sentence(moved)).toContain(`The ${word} refusal in a window`);
});
