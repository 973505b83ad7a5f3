import { requirement } from '../../catalogue/catalogue.ts';
import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Opinion, Part, Proof } from '../verdict.ts';

/** What one budget (or part) decides about one requirement. */
export interface Ruling {
  readonly verdict: 'pass' | 'fail' | 'not tested' | 'inconclusive';
  /** The budget or part, such as `key-1 read`. */
  readonly part: string;
  readonly summary: string;
  readonly witnesses: number;
  readonly remedy?: string;
  readonly proofs?: readonly Proof[];
  readonly notes?: readonly string[];
  /** As in a verdict. */
  readonly followsFrom?: readonly RequirementId[];
  /** As in an opinion. */
  readonly byOthers?: boolean;
}

const MOST_PROOFS = 5;

/**
 * Combines rulings into one opinion. One failure is enough to fail; without failures, one pass is enough to pass. The
 * first proof belongs to what the summary says first.
 *
 * @param ruled rulings on the reads and on the writes. If they differ, the summary has both. If one is inconclusive,
 * `shown` cannot pass
 * @param shown what single budgets show
 * @param more what to do if too few requests test it
 */
export function conclude(id: RequirementId, ruled: readonly Ruling[], shown: readonly Ruling[], more: string): Opinion {
  const rulings = [...ruled, ...shown];
  const of = (verdict: Ruling['verdict']) => rulings.filter((ruling) => ruling.verdict === verdict);
  const witnesses = rulings.reduce((sum, ruling) => sum + ruling.witnesses, 0);
  const parts: Part[] = rulings.map(({ part, verdict, witnesses: seen, summary }) => ({
    name: part,
    verdict,
    witnesses: seen,
    summary,
  }));
  const notes = [...new Set(rulings.flatMap((ruling) => ruling.notes ?? []))];
  const make = (ruling: Ruling): Opinion => {
    const { verdict } = ruling;
    const told = ruled.includes(ruling) ? ruled.filter((each) => each.verdict === verdict) : [ruling];
    return {
      id,
      verdict,
      summary: each(told.map(({ summary }) => summary)),
      remedy: verdict === 'pass' ? null : each(told.flatMap(({ remedy }) => remedy ?? [])) || null,
      witnesses,
      parts,
      proofs: verdict === 'fail' ? proofsOf(told, of('fail')) : [],
      notes,
      ...(told.some(({ byOthers }) => byOthers) && { byOthers: true }),
      ...(told.every(({ followsFrom }) => followsFrom) && {
        followsFrom: [...new Set(told.flatMap(({ followsFrom = [] }) => followsFrom))],
      }),
    };
  };
  const [failed] = of('fail');
  if (failed) return make(failed);
  const [open] = [...of('inconclusive'), ...of('not tested')];
  const [passed] = of('pass');
  const enough = witnesses >= requirement(id).witnesses;
  const isOpen = ruled.some(({ verdict }) => verdict === 'inconclusive');
  if (passed && enough && !isOpen) return make(passed);
  if (open) return make(open);
  return make({
    verdict: 'not tested',
    part: '',
    summary: `${witnesses} requests bear on it, and ${requirement(id).witnesses} are needed.`,
    witnesses: 0,
    remedy: more,
  });
}

/** Joins sentences, each once. If several begin alike (up to a colon), only the first keeps the beginning. */
function each(sentences: readonly string[]): string {
  const [first = '', ...others] = new Set(sentences);
  const [lead] = /^[^:]*: /.exec(first) ?? [];
  const shorter = others.map((other) => (lead && other.startsWith(lead) ? other.slice(lead.length) : other));
  return [first, ...shorter].join(' ');
}

/** The proofs of the rulings in the summary, in order, then the others, shortest first. */
function proofsOf(told: readonly Ruling[], failed: readonly Ruling[]): readonly Proof[] {
  const own = told.flatMap(({ proofs = [] }) => proofs);
  const others = failed.flatMap(({ proofs = [] }) => proofs).filter((proof) => !own.includes(proof));
  const shortest = others.sort((one, other) => one.evidence.length - other.evidence.length);
  return [...own, ...shortest].slice(0, MOST_PROOFS);
}
