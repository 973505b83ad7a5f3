import { expect, test } from 'vitest';
import { SECOND } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { VALUE_BITS } from './header-bits.ts';
import { proposeMovedEnds } from './moved.ts';

test('ends that follow no rule take more bits where the markers tell them', async () => {
  const bits = await Promise.all(
    [true, false].map(async (told) => {
      const lockout: Deviation = {
        operator: 'moved-end',
        parameters: { kinds: ['read'], trigger: 'first refusal', nth: 5, idle: 0, told, to: { after: 120 * SECOND } },
      };
      const run = await runUnder([lockout], { name: 'anchored', wholeSecond: false });
      return foundBy(proposeMovedEnds, 'read', run)[0]?.bits ?? 0;
    }),
  );
  expect(bits[0]).toBeGreaterThanOrEqual((bits[1] ?? 0) + VALUE_BITS);
});
