import { requirement } from '../../catalogue/catalogue.ts';
import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Opinion, Part, Proof } from '../verdict.ts';

/** What one budget (or part) says of one requirement. */
export interface Ruling {
  readonly verdict: 'pass' | 'fail' | 'not tested' | 'inconclusive';
  /** Which budget or part, such as `key-1 read`. */
  readonly part: string;
  readonly summary: string;
  readonly witnesses: number;
  readonly remedy?: string;
  readonly proofs?: readonly Proof[];
  readonly notes?: readonly string[];
}

const MOST_PROOFS = 5;

/**
 * One opinion of many rulings: a failure anywhere fails, and only then a pass anywhere passes. `needsAll`: every part has
 * to pass, where parts are different things to try and not the same thing on different keys.
 */
export function conclude(id: RequirementId, rulings: readonly Ruling[], needsAll = false): Opinion {
  const of = (verdict: Ruling['verdict']) => rulings.filter((ruling) => ruling.verdict === verdict);
  const witnesses = rulings.reduce((sum, ruling) => sum + ruling.witnesses, 0);
  const parts: Part[] = rulings.map(({ part, verdict, witnesses: seen, summary }) => ({
    name: part,
    verdict,
    witnesses: seen,
    summary,
  }));
  const proofs = rulings
    .flatMap((ruling) => ruling.proofs ?? [])
    .sort((one, other) => one.evidence.length - other.evidence.length)
    .slice(0, MOST_PROOFS);
  const notes = [...new Set(rulings.flatMap((ruling) => ruling.notes ?? []))];
  const make = (verdict: Opinion['verdict'], ruling: Ruling | undefined, fallback: string): Opinion => ({
    id,
    verdict,
    summary: ruling?.summary ?? fallback,
    remedy: verdict === 'pass' ? null : (ruling?.remedy ?? null),
    witnesses,
    parts,
    proofs: verdict === 'fail' ? proofs : [],
    notes,
  });
  const [failed] = of('fail');
  if (failed) return make('fail', failed, '');
  const [open] = [...of('inconclusive'), ...of('not tested')];
  const passed = of('pass');
  const enough = witnesses >= requirement(id).witnesses;
  if (passed.length > 0 && enough && (!needsAll || !open)) return make('pass', passed[0], '');
  if (open) return make(open.verdict, open, '');
  const remedy = 'Mend any failure, then run certify with at least two keys.';
  const few: Ruling = {
    verdict: 'not tested',
    part: '',
    summary: `${witnesses} requests bear on it, and ${requirement(id).witnesses} are needed.`,
    witnesses: 0,
    remedy,
  };
  return make('not tested', few, '');
}
