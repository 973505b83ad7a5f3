import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Work, WorkSpent } from '../oracle/work.ts';
import { bitsToChoose } from './proposal.ts';

test('to say which m of n takes as many bits as there are ways, and which are left out takes the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(40), (n, some) => {
      const m = Math.min(n, some);
      let ways = 1;
      for (let i = 0; i < m; i++) ways = (ways * (n - i)) / (i + 1);
      expect(bitsToChoose(n, m)).toBeCloseTo(Math.log2(ways), 6);
      expect(bitsToChoose(n, n - m)).toBeCloseTo(bitsToChoose(n, m), 6);
    }),
  );
});

test('work that is spent ends a search, and not before', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100)), fc.nat(1_000), (parts, most) => {
      const work = new Work(most);
      const sum = parts.reduce((all, part) => all + part, 0);
      const spend = (): void => {
        for (const part of parts) work.spend(part);
      };
      if (sum <= most) expect(spend).not.toThrow();
      else expect(spend).toThrow(WorkSpent);
    }),
  );
});
