import { test } from 'vitest';
import { requirement } from '../src/catalogue/catalogue.ts';
import type { RequirementId } from '../src/catalogue/requirement.ts';
import type { Verdict } from '../src/judge/verdict.ts';
import { verdictOn } from './run.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The verdict that the test's state stands for: the runner knows only passed, failed and skipped. */
    verdict?: Verdict;
  }
}

/** A requirement does not hold, or could not be decided. Carries the verdict with its proofs. */
export class NotConforming extends Error {
  override name = 'NotConforming';
  readonly verdict: Verdict;

  constructor(verdict: Verdict) {
    super(describe(verdict));
    this.verdict = verdict;
    this.stack = `${this.name}: ${this.message}`;
  }
}

/**
 * States that a requirement of the catalogue holds, as a test that carries its ID as a tag. Passed: it holds, or is only observed.
 * Failed: it does not, or could not be decided. Skipped: not tested, or waived, with the reason as the note.
 */
export function requires(id: RequirementId): void {
  const { title } = requirement(id);
  test(`${id} ${title}`, { tags: [id] }, async ({ task, skip }) => {
    const verdict = await verdictOn(id);
    if (verdict === null) return skip('not selected');
    task.meta.verdict = verdict;
    switch (verdict.verdict) {
      case 'fail':
      case 'inconclusive':
        throw new NotConforming(verdict);
      case 'not tested':
      case 'waived':
        return skip(`${verdict.verdict}: ${verdict.summary}`);
      case 'pass':
      case 'observed':
        return;
    }
  });
}

function describe({ verdict, summary, remedy, proofs }: Verdict): string {
  const [proof] = proofs;
  return [
    `${verdict}: ${summary}`,
    ...(proof ? [`expected: ${proof.expected}`, `received: ${proof.received}`, ...proof.argument] : []),
    ...(remedy === null ? [] : [`to do: ${remedy}`]),
  ].join('\n');
}
