import { expect, test } from 'vitest';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeReporters } from './reporters.ts';

test('a marker that is always a minute ahead on refusals is a minute ahead for both kinds, whatever the clocks leave open', async () => {
  const change = { ahead: 60_000_000 };
  const only = { statuses: [429] };
  const parameters = { kinds: ['read', 'write'] as const, change, only };
  const run = await runUnder([{ operator: 'marker-header', parameters }], { name: 'anchored', wholeSecond: false });
  for (const kind of ['read', 'write'] as const) {
    expect(foundBy(proposeReporters, kind, run)[0]?.deviations).toEqual([
      { operator: 'marker-header', parameters: { kinds: [kind], change, only } },
    ]);
  }
});
