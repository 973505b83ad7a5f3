import fc from 'fast-check';
import { expect, test } from 'vitest';
import { covers } from '../trace/things.ts';
import { type Claim, exclusion } from './exclusion.ts';

const things = fc.uniqueArray(fc.constantFrom('/a', '/a/b', '/a/b/c', '/a/bc', '/d'), { maxLength: 3 });
const claims = fc.record({ needs: things, takes: things });
const work = fc.record({ claim: claims, more: claims, turns: fc.nat({ max: 3 }), urgent: fc.boolean() });

function clash(one: Claim, other: Claim): boolean {
  const takes = (a: Claim, b: Claim): boolean =>
    a.takes.some((thing) => [...b.needs, ...b.takes].some((each) => covers(thing, each)));
  return takes(one, other) || takes(other, one);
}

test('whatever is asked for is granted in the end, and never beside what stands against it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(work, { minLength: 1, maxLength: 12 }), async (works) => {
      const exclusive = exclusion();
      const held = new Set<{ claim: Claim }>();
      await Promise.all(
        works.map(async ({ claim, more, turns, urgent }) => {
          const hold = await exclusive.hold(claim, urgent);
          const own = { claim };
          for (const other of held) expect(clash(own.claim, other.claim)).toBe(false);
          held.add(own);
          const free = [...held].every((other) => other === own || !clash(more, other.claim));
          const extended = hold.extend(more);
          expect(extended && !free).toBe(false);
          if (extended) own.claim = { needs: [...claim.needs, ...more.needs], takes: [...claim.takes, ...more.takes] };
          for (let left = turns; left > 0; left -= 1) await Promise.resolve();
          held.delete(own);
          hold.release();
        }),
      );
    }),
    { numRuns: 200 },
  );
});

test('who came first is not passed by who comes later, but for what is urgent', async () => {
  const exclusive = exclusion();
  const order: string[] = [];
  const first = await exclusive.hold({ needs: ['/a'], takes: [] });
  const ask = (name: string, claim: Claim, urgent = false) =>
    exclusive.hold(claim, urgent).then((hold) => {
      order.push(name);
      hold.release();
    });
  const waiting = [
    ask('taker', { needs: [], takes: ['/a'] }),
    ask('reader', { needs: ['/a'], takes: [] }),
    ask('burst', { needs: ['/a'], takes: [] }, true),
    ask('elsewhere', { needs: [], takes: ['/d'] }),
  ];
  await Promise.resolve();
  first.release();
  await Promise.all(waiting);
  expect(order).toEqual(['burst', 'elsewhere', 'taker', 'reader']);
});
