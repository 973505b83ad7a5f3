import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { alternativesText } from './alternatives.ts';

const free: Deviation = { operator: 'free-first-request', parameters: { kinds: ['read', 'write'] } };
const race: Deviation = {
  operator: 'lost-updates',
  parameters: { kinds: ['read', 'write'], gap: 2000, when: 'always' },
};
const short: Deviation = {
  operator: 'window-length',
  parameters: { kinds: ['read', 'write'], length: 57_000_000, told: 57_000_000, from: 'always' },
};
const FREE = 'The first request of a window is not counted.';
const RACE = 'Requests that arrive at once are not all counted before the next is let through.';

test.each<[readonly (readonly Deviation[])[], RegExp | string]>([
  [[[free]], FREE],
  [[[free], [free]], FREE],
  [[[free], [race]], `For reads, either: ${FREE} Or: ${RACE}`],
  // What is certain is said once, and what may be besides it.
  [[[free], [free, race]], `${FREE} Perhaps besides: ${RACE}`],
  [[[race, free], [free]], `${FREE} Perhaps besides: ${RACE}`],
  [
    [
      [free, race],
      [free, short],
    ],
    new RegExp(`^${FREE} Besides, either: ${RACE} Or: .*57`),
  ],
])('%#: what explanations have in common is said once', (explanations, due) => {
  const text = alternativesText(
    'read',
    explanations.map((deviations) => ({ deviations })),
  );
  expect(text).toMatch(due);
  if (typeof due === 'string') expect(text).toBe(due);
});
