import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import type { KindRuling } from '../../diagnosis/kind-ruling.ts';
import type { Kind } from '../../trace/exchange.ts';
import { saidOfBoth } from './both-kinds.ts';

const lost = (kind: Kind, seconds: number): Deviation => ({
  operator: 'counters-lost',
  parameters: { kinds: [kind], at: seconds * 1e6 },
});

const explainedBy = (...deviations: readonly Deviation[]): KindRuling =>
  ({ minimal: deviations.map((each) => ({ deviations: [each] })) }) as unknown as KindRuling;

test('one loss of all counts is said of both kinds, at a moment that explains both', () => {
  const reads = explainedBy(lost('read', 59.4));
  const writes = explainedBy(lost('write', 59.5), lost('write', 59.4));
  const both = { operator: 'counters-lost', parameters: { kinds: ['read', 'write'], at: 59.4e6 } };
  expect(saidOfBoth(lost('read', 59.4), reads.minimal, [writes])).toEqual(both);
  expect(saidOfBoth(lost('write', 59.5), writes.minimal, [reads])).toEqual(both);
});

test('losses of which no moment explains both kinds are two', () => {
  const reads = explainedBy(lost('read', 20));
  const writes = explainedBy(lost('write', 59));
  expect(saidOfBoth(lost('write', 59), writes.minimal, [reads])).toEqual(lost('write', 59));
});
