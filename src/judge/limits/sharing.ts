import type { RequirementId } from '../../catalogue/requirement.ts';
import { WINDOW } from '../../oracle/history.ts';
import type { Opinion } from '../verdict.ts';
import { causeProof, summaryOf, wholeProof } from './cause-proofs.ts';
import { conclude, type Ruling } from './ruling.ts';
import { type Examined, nameOf } from './thresholds.ts';
import type { Use } from './use.ts';

/** What there is to blame on the sharing of budgets, and what speaks for it. */
export interface SharingEvidence {
  readonly cases: readonly Examined[];
  /** Of the cases, and of budgets that need no case. */
  readonly uses: readonly Use[];
}

/** LIMIT-KEY, LIMIT-SCOPE, LIMIT-RW, LIMIT-HEADER, LIMIT-EVADE and LIMIT-ANON: which requests draw on a budget. */
export function judgeSharing({ cases, uses }: SharingEvidence): readonly Opinion[] {
  const opinion = (id: RequirementId, show: (uses: readonly Use[]) => readonly Ruling[], summary: string): Opinion => {
    const own = uses.filter(({ broken }) => broken !== id);
    const witnesses = show(own);
    const none = cases.length > 0 && !own.some(({ key }) => key !== 'restricted') ? BROKEN : untested(summary);
    return conclude(id, [...blamed(id, cases), ...(witnesses.length > 0 ? witnesses : [none])]);
  };
  const untested = (summary: string): Ruling => {
    const remedy = cases.some(({ reach }) => reach < 3) ? CORRECT_FIRST : 'Run the full plan, with at least two keys.';
    return { verdict: 'not tested', part: 'all', summary, witnesses: 0, remedy };
  };
  return [
    opinion('LIMIT-KEY', keyWitnesses, 'No two keys were used at once.'),
    opinion(
      'LIMIT-SCOPE',
      (own) => classWitnesses(own, ({ operations }) => operations),
      'No budget was used by more than one operation.',
    ),
    opinion('LIMIT-RW', kindWitnesses, 'No key was used for reads and writes at once.'),
    opinion(
      'LIMIT-HEADER',
      (own) => classWitnesses(own, ({ credentials }) => credentials),
      'No budget was used by more than one way of sending the key.',
    ),
    opinion('LIMIT-EVADE', evasionWitnesses, 'No variation was sent on a budget that was in use.'),
    opinion('LIMIT-ANON', anonymousWitnesses, 'No request without a valid key was sent while a budget was in use.'),
  ];
}

const CORRECT_FIRST = 'Correct the requirements that fail first.';

const BROKEN: Ruling = {
  verdict: 'inconclusive',
  part: 'all',
  summary: 'No budget is counted in a way that some window explains, so that nothing shows who shares it.',
  witnesses: 0,
  remedy: CORRECT_FIRST,
};

function blamed(id: RequirementId, cases: readonly Examined[]): readonly Ruling[] {
  const found = cases.flatMap((examined) =>
    [examined.cause, examined.evasion].flatMap((cause) => (cause?.requirement === id ? [{ examined, cause }] : [])),
  );
  const made = found.map(({ examined, cause }) => causeProof(examined, cause, summaryOf(cause)));
  return found.map(({ examined, cause }, index): Ruling => {
    const shown =
      made[index] ?? (index === 0 && made.every((each) => each === null) ? wholeProof(examined, cause) : null);
    return {
      verdict: 'fail',
      part: `${nameOf(examined)}: ${cause.part}`,
      summary: summaryOf(cause),
      witnesses: cause.suspects.length,
      proofs: shown ? [shown] : [],
    };
  });
}

function classWitnesses(uses: readonly Use[], classesOf: (use: Use) => readonly string[]): readonly Ruling[] {
  return uses.flatMap((use): Ruling[] => {
    const names = classesOf(use);
    if (names.length < 2) return [];
    return [
      { verdict: 'pass', part: use.name, summary: `${names.join(', ')} share one budget.`, witnesses: use.plain },
    ];
  });
}

function evasionWitnesses(uses: readonly Use[]): readonly Ruling[] {
  const counts = new Map<string, number>();
  for (const { variations } of uses) {
    for (const [name, count] of variations) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return [...counts].sort().map(([part, witnesses]) =>
    witnesses > 0
      ? { verdict: 'pass', part, summary: `Requests with ${part} draw on the budget of the key.`, witnesses }
      : {
          verdict: 'not tested',
          part,
          summary: `No request with ${part} was let through or refused by its budget, which the specification leaves open.`,
          witnesses,
        },
  );
}

/** Pairs of budgets that were in use in the same minute, each of which is explained by its own requests alone. */
function keyWitnesses(uses: readonly Use[]): readonly Ruling[] {
  return uses.flatMap((one, index): Ruling[] => {
    const other = next(uses, index, ({ key, kind }) => kind === one.kind && key !== one.key);
    if (!other) return [];
    const summary = `${one.name} and ${other.name} were used at once, and each is explained by its own requests alone.`;
    return [{ verdict: 'pass', part: one.name, summary, witnesses: one.requests + other.requests }];
  });
}

function kindWitnesses(uses: readonly Use[]): readonly Ruling[] {
  return uses.flatMap((one, index): Ruling[] => {
    const other = next(uses, index, ({ key, kind }) => key === one.key && kind !== one.kind);
    if (!other) return [];
    const summary = `Reads and writes of ${one.key} were used at once, and each is explained by its own requests alone.`;
    return [{ verdict: 'pass', part: one.key, summary, witnesses: one.requests + other.requests }];
  });
}

/** The next use in the list that fits and was in the same window. */
function next(uses: readonly Use[], index: number, fits: (other: Use) => boolean): Use | null {
  const one = uses[index];
  if (!one) return null;
  for (let at = index + 1; at < uses.length; at += 1) {
    const other = uses[at];
    if (other && fits(other) && together(one, other)) return other;
  }
  return null;
}

/** Whether both were in use within one window, so that a shared budget would have shown. */
function together(one: Use, other: Use): boolean {
  return other.times.some((time) => one.times.some((from) => Math.abs(from - time) < WINDOW / 2));
}

function anonymousWitnesses(uses: readonly Use[]): readonly Ruling[] {
  return uses.flatMap(({ name, anonymous }): Ruling[] => {
    if (anonymous === 0) return [];
    const summary = `${anonymous} requests without a valid key came between, and none was counted.`;
    return [{ verdict: 'pass', part: name, summary, witnesses: anonymous }];
  });
}
