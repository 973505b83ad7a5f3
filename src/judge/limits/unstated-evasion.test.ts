import { expect, test } from 'vitest';
import { wholeProfile } from '../../accuracy/virtual/draw-profile.ts';
import { virtualRun } from '../../accuracy/virtual/virtual-run.ts';
import { behaviourOf } from '../../reference/behaviour.ts';
import { variantNamed } from '../../reference/variants.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { readEvidence } from './budgets.ts';
import { unstatedEvasions } from './unstated-evasion.ts';

/**
 * What the judge reports as evasions with fixed windows, if some refusals of spent budgets are replaced by a 200 that
 * says that nothing is left.
 */
async function evasionsWhere(
  isLetThrough: (exchange: Exchange) => boolean,
  changed = (exchange: Exchange): Exchange => exchange,
): Promise<ReturnType<typeof unstatedEvasions>> {
  const { options: choices } = variantNamed('grid-clock');
  const { trace } = await virtualRun({
    profile: wholeProfile(),
    keys: 4,
    conduct: (times) => behaviourOf({ choices, deviations: [] }, times),
    seed: 11,
    epoch: Date.UTC(2026, 10, 21, 8, 30, 17) * 1000,
  });
  const exchanges = trace.exchanges.map((each) =>
    each.status === 429 && isLetThrough(each) ? { ...each, status: 200 } : each,
  );
  const { budgets, anonymous } = readEvidence({ ...trace, exchanges: exchanges.map(changed) });
  return budgets.flatMap((each) => unstatedEvasions(each, anonymous));
}

test('a request that is let through in a fixed window that is spent evades it, whatever its own answer says is left', async () => {
  expect(await evasionsWhere(() => false)).toEqual([]);
  const found = await evasionsWhere(({ variation }) => variation === 'trailing-slash');
  expect(new Set(found.map(({ name }) => name))).toEqual(new Set(['trailing-slash']));
  expect(found[0]?.proof.argument.at(-1)).toMatch(
    /^Between #\d+ and #\d+, which were refused, no request .* as #\d+ did\.$/,
  );
});

test('an operation that succeeds without a key has no budget to evade', async () => {
  const open = (each: Exchange): Exchange => (each.fault === 'no-key' ? { ...each, status: 200 } : each);
  expect(await evasionsWhere(({ variation }) => variation === 'trailing-slash', open)).toEqual([]);
});
