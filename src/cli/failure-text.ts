import { requirement } from '../catalogue/catalogue.ts';
import type { Proved } from '../judge/so-far.ts';

/** A failure as it is shown while the run lasts: what fails and since when, and the sentence that contradicts it. */
export function failureText({ verdict, time }: Proved): string {
  const { id, summary, proofs } = verdict;
  const contradiction = proofs[0]?.argument.at(-1);
  return [
    `FAIL ${id} ${requirement(id).title} (${(time / 1e6).toFixed(1)} s): ${summary}`,
    ...(contradiction === undefined ? [] : [`     ${contradiction}`]),
  ].join('\n');
}
