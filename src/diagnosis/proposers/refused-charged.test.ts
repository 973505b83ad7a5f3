import { expect, test } from 'vitest';
import { breaks, sentence } from '../../deployment/operators.ts';
import { EPOCH, exchanges, headers, type Sketch } from '../../judge/trace-builder.test-support.ts';
import { makeHistory } from '../../oracle/make-history.ts';
import { inferMarker } from '../../oracle/marker.ts';
import type { Explained } from '../explained.ts';
import { foundBy } from './deviating-world.test-support.ts';
import { proposeRefusedCharged } from './refused-charged.ts';

const REFUSED = 10;

/** Writes of two keys: the second is used, the first spends its budget and is refused, and the second is used again. */
function runWith(missing: number) {
  const sent = (key: string, at: number, left: number, status = 200): Sketch => ({
    ...{ key, operation: 'create-label', kind: 'write', method: 'POST', sent: at * 1000, status },
    headers: headers({ limit: ['30'], remaining: [`${left}`], reset: [`${EPOCH / 1e6 + 60}`] }),
  });
  const all = exchanges(
    ...[29, 28, 27].map((left, at) => sent('key-2', 1000 + 10 * at, left)),
    ...Array.from({ length: 30 }, (_, at) => sent('key-1', 2000 + 10 * at, 29 - at)),
    sent('key-2', 3000, 26),
    ...Array.from({ length: REFUSED }, (_, at) => sent('key-1', 4000 + 10 * at, 0, 429)),
    ...[25, 24].map((left, at) => sent('key-2', 5000 + 10 * at, left - missing)),
  );
  const budgets = ['key-1', 'key-2'].map((key) => {
    const own = all.filter((each) => each.key === key);
    return { history: makeHistory(own, { key, kind: 'write' }, inferMarker(all, EPOCH), { low: 0, high: 0 }) };
  });
  // A sliding counter may state any slot that becomes free, and so explains almost anything of so few answers.
  const isFixed = ({ shape }: Explained): boolean => shape?.mechanism === 'grid' || shape?.mechanism === 'anchored';
  return foundBy(proposeRefusedCharged, 'write', { budgets, anonymous: [] }).filter(isFixed);
}

test('refusals that another key, used last before, is charged for are found', () => {
  const found = runWith(REFUSED)[0]?.deviations ?? [];
  expect(found.map(sentence)).toEqual([
    'Requests of other keys that are refused are charged to the key that was used last.',
  ]);
  expect(found.flatMap(breaks)).toEqual(['LIMIT-KEY']);
});

test('another number of missing requests is no charge for these', () => {
  expect(runWith(REFUSED - 3)).toEqual([]);
  expect(runWith(0)).toEqual([]);
});
