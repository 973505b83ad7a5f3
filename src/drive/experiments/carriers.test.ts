import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Carrier, Load } from '../../plan/windows.ts';
import { operationOf } from '../../profile/profile.test-support.ts';
import { deal, usable } from './carriers.ts';

const carrier = (id: string, most = 1000, way: Carrier['way'] = 'bearer'): Carrier => {
  return { operation: operationOf({ id }), way, most };
};

test('a burst is dealt out evenly, to nobody more than may be, and wholly if anybody is willing', () => {
  const some = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 6 });
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 120 }), (mosts, count) => {
      const carriers = mosts.map((most, index) => carrier(`${index}`, most));
      const dealt = deal(carriers, count);
      const shares = carriers.map((each) => dealt.filter((other) => other === each).length);
      expect(dealt).toHaveLength(
        Math.min(
          count,
          mosts.reduce((sum, most) => sum + most, 0),
        ),
      );
      for (const [index, share] of shares.entries()) {
        expect(share).toBeLessThanOrEqual(mosts[index] ?? 0);
        if (share < (mosts[index] ?? 0)) expect(Math.max(...shares) - share).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test('what was tried and has never succeeded spends no budget', () => {
  const [good, broken, fresh] = [carrier('good'), carrier('broken'), carrier('fresh')];
  const load: Load = { company: 'shared', carriers: [good, broken, fresh] };
  const session = {
    hasControl: ({ id }: Carrier['operation']) => id === 'good',
    wasTried: ({ id }: Carrier['operation']) => id !== 'fresh',
  };
  expect(usable(session, { loads: [load] }, 0)).toEqual([good, fresh]);
  expect(usable(session, { loads: [load] }, 1)).toEqual([]);
});
