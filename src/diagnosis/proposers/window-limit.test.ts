import { expect, test } from 'vitest';
import { foundBy, twoClocks } from './deviating-world.test-support.ts';
import { proposeWindowLimits } from './window-limit.ts';

test('no limit of the first window is told from windows that do not follow one another', () => {
  const found = foundBy(proposeWindowLimits, 'read', { budgets: [{ history: twoClocks(96) }], anonymous: [] });
  expect(found).toEqual([]);
});
