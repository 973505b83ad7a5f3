import { test } from 'vitest';
import { requirement } from '../src/catalogue/catalogue.ts';
import type { RequirementId } from '../src/catalogue/requirement.ts';
import { type Decision, decisionOn, mayFail } from './run.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** What the test's state stands for: the runner knows only passed, failed and skipped. */
    decision?: Decision;
  }
}

/**
 * What a reader of a suite wants to know of a requirement beside its test. Clause and statement are those of the
 * catalogue.
 */
export interface Stated {
  readonly clause: string;
  readonly statement: string;
  /** What is sent for it. */
  readonly tried: string;
  /** The file or folder of the judge that decides it. */
  readonly judgedBy: string;
}

/** A requirement does not hold, or could not be decided. */
export class NotConforming extends Error {
  override name = 'NotConforming';

  constructor(text: string) {
    super(text);
    // Where in this file it was found tells nobody anything.
    this.stack = `${this.name}: ${this.message}`;
  }
}

/**
 * States that a requirement of the catalogue holds, as a test that carries its ID as a tag. Passed: it holds, or is
 * only observed. Failed: it does not, or could not be decided. Skipped: not tested, waived, or not shown before
 * `--bail` ended the run, with the reason as the note. A failure ends its test when it is proved, all else when the run
 * has been judged.
 */
export function requires(id: RequirementId, stated: Stated): void {
  const { title } = requirement(id);
  test(`${id} ${title}`, { tags: [id] }, async ({ task, skip, signal, annotate }) => {
    const decision = await decisionOn(id, signal);
    if (decision === null) return skip('not selected');
    task.meta.decision = decision;
    const outcome = outcomeOf(decision);
    switch (decision.verdict) {
      case 'fail':
      case 'inconclusive':
        if (!(await mayFail(signal))) return skip(`ended by --bail; ${outcome}`);
        throw new NotConforming([outcome, ...evidenceOf(decision), ...wordsOf(stated)].join('\n'));
      case 'not tested':
      case 'waived':
        return skip(outcome);
      case 'pass':
      case 'observed':
        await annotate(outcome, decision.verdict);
    }
  });
}

function outcomeOf({ verdict, summary, witnesses, decidedAt }: Decision): string {
  const when = decidedAt === null ? 'at the end of the run' : `${decidedAt.toFixed(1)} s into the run`;
  return `${verdict} (${when}, ${witnesses} requests bear on it): ${summary}`;
}

function evidenceOf({ proofs, remedy }: Decision): string[] {
  const [proof] = proofs;
  return [
    ...(proof ? [`expected: ${proof.expected}`, `received: ${proof.received}`, ...proof.argument] : []),
    ...(remedy === null ? [] : [`to do: ${remedy}`]),
  ];
}

function wordsOf({ clause, statement, tried, judgedBy }: Stated): string[] {
  return [`clause ${clause}: ${statement}`, `tried: ${tried}`, `judged by: ${judgedBy}`];
}
