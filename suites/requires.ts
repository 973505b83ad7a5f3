import { test } from 'vitest';
import { requirement } from '../src/catalogue/catalogue.ts';
import type { RequirementId } from '../src/catalogue/requirement.ts';
import { type Decision, decisionOn } from './run.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The verdict that the test's state stands for: the runner knows only passed, failed and skipped. */
    decision?: Decision;
  }
}

/** A requirement does not hold, or could not be decided. Carries the verdict with its proofs. */
export class NotConforming extends Error {
  override name = 'NotConforming';
  constructor(decision: Decision) {
    super(describe(decision));
    this.stack = `${this.name}: ${this.message}`;
  }
}

/**
 * States that a requirement of the catalogue holds, as a test that carries its ID as a tag. Passed: it holds, or is only observed.
 * Failed: it does not, or could not be decided. Skipped: not tested, or waived, with the reason as the note.
 */
export function requires(id: RequirementId): void {
  const { title } = requirement(id);
  test(`${id} ${title}`, { tags: [id] }, async ({ task, skip, signal }) => {
    const decision = await decisionOn(id, signal);
    if (decision === null) return skip('not selected');
    task.meta.decision = decision;
    switch (decision.verdict) {
      case 'fail':
      case 'inconclusive':
        throw new NotConforming(decision);
      case 'not tested':
      case 'waived':
        return skip(`${decision.verdict}: ${decision.summary}`);
      case 'pass':
      case 'observed':
        return;
    }
  });
}

function describe({ verdict, summary, remedy, proofs, decidedAt }: Decision): string {
  const [proof] = proofs;
  const when = decidedAt === null ? 'at the end of the run' : `${decidedAt.toFixed(1)} s into the run`;
  return [
    `${verdict} (decided ${when}): ${summary}`,
    ...(proof ? [`expected: ${proof.expected}`, `received: ${proof.received}`, ...proof.argument] : []),
    ...(remedy === null ? [] : [`to do: ${remedy}`]),
  ].join('\n');
}
