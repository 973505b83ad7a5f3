import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import type { KindRuling } from '../../diagnosis/kind-ruling.ts';
import { withoutAllKeys } from './own-keys.ts';

test('keys are named only where other full keys are treated otherwise', () => {
  const histories = ['key-1', 'key-2', 'restricted'].map((key) => ({ key }));
  const named = (keys: readonly string[]) => {
    const deviation = { operator: 'counters-lost', parameters: {}, keys } as unknown as Deviation;
    const explained = { deviations: [deviation] };
    const ruling = { diagnosis: { world: { histories } }, minimal: [explained], likelier: explained };
    const { minimal, likelier } = withoutAllKeys(ruling as unknown as KindRuling);
    return [...minimal, ...(likelier ? [likelier] : [])].map(({ deviations }) => deviations[0]?.keys);
  };
  expect(named(['key-1'])).toEqual([['key-1'], ['key-1']]);
  expect(named(['key-1', 'key-2'])).toEqual([undefined, undefined]);
});
