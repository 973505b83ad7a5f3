import { OPERATOR_IDS, type OperatorId } from '../../deployment/operators.ts';
import { type DrawnRun, drawRun, type RunKind } from './draw-run.ts';

interface Slot {
  readonly kind: RunKind;
  readonly operator: OperatorId | null;
}

function times(count: number, kind: RunKind): readonly Slot[] {
  return Array.from({ length: count }, () => ({ kind, operator: null }));
}

/** The categories of consecutive seeds: every operator once, and the others in proportion. */
const SLOTS: readonly Slot[] = [
  ...times(12, 'conforming'),
  ...times(11, 'used by others'),
  ...times(5, 'used steadily'),
  ...times(4, 'bad day'),
  ...OPERATOR_IDS.map((operator): Slot => ({ kind: 'one deviation', operator })),
  ...times(8, 'two deviations'),
  ...times(7, 'from outside'),
];

/** The run of a seed in any category: the seed alone is enough to repeat it. */
export function drawBySeed(seed: number): DrawnRun {
  const slot = SLOTS[seed % SLOTS.length] ?? { kind: 'conforming', operator: null };
  return drawRun(slot.kind, seed, slot.operator);
}
