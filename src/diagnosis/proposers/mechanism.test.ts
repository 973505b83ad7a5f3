import { expect, test } from 'vitest';
import { foundBy, runOfDraw } from './deviating-world.test-support.ts';
import { proposeMechanisms } from './mechanism.ts';

test('a Remaining that is not the level of a bucket must be explained by itself, if a bucket explains the rest', async () => {
  // A sliding counter that lost its counts lets requests through when a bucket would, and tells what a window has left.
  const restart = foundBy(proposeMechanisms, 'read', await runOfDraw('counters-lost', 290371));
  const bucket = foundBy(proposeMechanisms, 'read', await runOfDraw('other-mechanism', 5001));
  expect(bucket[0]?.bits).toBeLessThan(25);
  expect(restart[0]?.bits ?? Number.POSITIVE_INFINITY).toBeGreaterThan((bucket[0]?.bits ?? 0) + 30);
});
