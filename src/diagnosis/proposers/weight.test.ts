import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeStatusWeights, WEIGHTS } from './weight.ts';

const ANCHORED = { name: 'anchored', wholeSecond: false } as const;
const byStatus = (classes: readonly string[], weight: number): Deviation => ({
  operator: 'class-weight',
  parameters: { kinds: ['read', 'write'], attribute: 'status', classes, weight },
});

test.each([[['400']], [['404']], [['400', '404']]])(
  'requests answered %j that cost two are found',
  async (statuses) => {
    const run = await runUnder(
      statuses.map((status) => byStatus([status], 2)),
      ANCHORED,
    );
    for (const kind of ['read', 'write'] as const) {
      const found = foundBy(proposeStatusWeights, kind, run);
      // Few of them are sent, so that others may explain it as well.
      const least = found.filter(({ bits }) => bits === found[0]?.bits);
      expect(least.map(({ deviations }) => deviations[0]?.parameters)).toContainEqual(
        expect.objectContaining({ attribute: 'status', classes: statuses, weight: 2 }),
      );
    }
  },
);

test.each([{ name: 'grid', phase: 'process' }, ANCHORED, { name: 'log', logRefused: false, reset: 'oldest' }] as const)(
  'successful requests that count only until they are answered are found under any mechanism: $name',
  async (mechanism) => {
    const run = await runUnder([byStatus(['200'], 0)], mechanism);
    for (const kind of ['read', 'write'] as const) {
      expect(foundBy(proposeStatusWeights, kind, run)[0]?.deviations).toMatchObject([
        { parameters: { classes: ['200'], weight: 0 } },
      ]);
    }
  },
);

test('of classes that count nothing the right one is found, and none by another attribute', async () => {
  const free: Deviation = {
    operator: 'class-weight',
    parameters: { kinds: ['read', 'write'], attribute: 'credential', classes: ['bearer'], weight: 0 },
  };
  const [byMethod, byCredential] = WEIGHTS;
  if (!byMethod || !byCredential) throw new Error('there are two proposers');
  const run = await runUnder([free], ANCHORED);
  for (const kind of ['read', 'write'] as const) {
    expect(foundBy(byMethod, kind, run)).toEqual([]);
    expect(foundBy(byCredential, kind, run)[0]?.deviations).toMatchObject([{ parameters: { classes: ['bearer'] } }]);
  }
});
