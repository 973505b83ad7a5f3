import { expect, test } from 'vitest';
import type { Deviation } from '../deployment/operators.ts';
import { SHAPES, type Shape } from '../oracle/shapes.ts';
import type { Kind } from '../trace/exchange.ts';
import type { KindDiagnosis } from './diagnose.ts';
import type { Explained } from './explained.ts';
import { lead } from './lead.ts';
import { bitsOfShape } from './proposal.ts';
import type { World } from './world.ts';

const [plain, odd] = [SHAPES[1], SHAPES[17]];
if (!plain || !odd) throw new Error('there are mechanisms');

const world = { histories: [] } as unknown as World;

const explained = (kind: Kind, shape: Shape): Explained => ({
  deviations: [
    {
      operator: 'moved-end',
      parameters: { kinds: [kind], trigger: 'request', to: { after: 60_000_000 }, idle: 0, told: true },
    } satisfies Deviation,
  ],
  ...{ bits: 15, world, fit: null, shape },
});

/** Reads that others explain in 16 bits, under a mechanism that takes so many bits for each. */
const reads = (bitsUnder: ReadonlyMap<Shape, number>): KindDiagnosis => ({
  ...{ kind: 'read', world, conforming: null, others: 'explain it', cut: false, also: [] },
  background: { requests: 4, complete: true, episodes: [], bits: 16, bitsUnder },
  deviating: [explained('read', plain)],
});

/** Writes that conform to an odd mechanism, and that what explains the reads explains too. */
const writes = (also: readonly Explained[]): KindDiagnosis => ({
  ...{ kind: 'write', world, others: 'not needed', background: null, deviating: [], cut: false, also },
  conforming: { fit: { shape: odd } as NonNullable<KindDiagnosis['conforming']>['fit'], histories: [], usedBefore: [] },
});

const leadOf = (bitsUnder: ReadonlyMap<Shape, number>, also: readonly Explained[]) =>
  lead(reads(bitsUnder), [writes(also)], explained('read', plain)).bits;

test('a deviation that explains the kind that conforms, too, spares the mechanism of that kind', () => {
  const none = new Map<Shape, number>();
  expect(leadOf(none, [])).toBe(1);
  expect(leadOf(none, [explained('write', plain)])).toBeCloseTo(1 + bitsOfShape(odd));
  // Another mechanism has to be said.
  expect(leadOf(none, [explained('write', odd)])).toBeCloseTo(1);
});

test('it spares no more than it costs others to explain both kinds under one mechanism', () => {
  expect(leadOf(new Map([[odd, 18]]), [explained('write', plain)])).toBe(3);
  expect(leadOf(new Map([[odd, 16]]), [explained('write', plain)])).toBe(1);
});
