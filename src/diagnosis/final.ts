import type { KindDiagnosis } from './diagnose.ts';
import type { Explained } from './explained.ts';
import { respentBits } from './lead.ts';
import { FINAL_BITS, finalBits } from './needed-lead.ts';
import { DEVIATION_BITS } from './proposal.ts';

/**
 * Whether nothing later can undo a lead over use by others. Counts that are lost once look like the end of a window
 * whose marker is wrong: only what comes later tells one from the other.
 */
export function isSettled({ deviations }: Explained, least: number): boolean {
  return least > finalBits(deviations) && !deviations.some(({ operator }) => operator === 'counters-lost');
}

/**
 * Whether the lead of a deviation over use by others can become final: not if little use by others explains everything.
 * If no use by others explains it, this alone is final.
 */
export function mayBeFinal(diagnoses: readonly KindDiagnosis[]): boolean {
  if (diagnoses.some(({ others }) => others === 'do not explain it')) return false;
  const bits = diagnoses.map(({ others, background, world }) =>
    others === 'not needed'
      ? 0
      : respentBits(world.histories) + (background?.complete ? background.bits : Number.POSITIVE_INFINITY),
  );
  return bits.reduce((sum, each) => sum + each, 0) > FINAL_BITS + DEVIATION_BITS;
}
