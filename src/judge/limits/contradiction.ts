import type { RequirementId } from '../../catalogue/requirement.ts';
import type { History } from '../../oracle/history.ts';
import type { Proof } from '../verdict.ts';
import { backwardMarker, impossibleRemaining, misplacedMarker, unspentRefusal } from './direct.ts';
import { explainedBy } from './reported-under.ts';
import type { Ruling } from './ruling.ts';
import { nameOf, type Subject } from './subject.ts';

/** A proof, and what is known about its cause. */
interface Shown {
  readonly proof: Proof;
  readonly remedy?: string;
}

function alone(proof: Proof | null): Shown | null {
  return proof && { proof };
}

/** Requirements that a few answers can contradict, whatever explains the run. */
const DIRECTLY: Readonly<Partial<Record<RequirementId, (history: History) => Shown | null>>> = {
  'HDR-4': (history) => alone(impossibleRemaining(history)),
  'HDR-5': (history) => alone(unspentRefusal(history)),
  'HDR-7': misplacedMarker,
  'HDR-8': (history) => alone(backwardMarker(history)),
};

/**
 * The failure of the requirement that answers of the budget prove without an explanation of the run; null: they prove
 * none.
 */
export function contradiction(id: RequirementId, subject: Subject): Ruling | null {
  const { budget, explained, ruling } = subject;
  const look = DIRECTLY[id];
  if (!look) return null;
  // Others may have used the budget between two answers, so two answers contradict nothing.
  const open = ruling?.outcome === 'open';
  // Two answers can contradict each other only if they belong to one budget. If nothing explains the run, this is
  // unknown.
  if (id === 'HDR-8' && explained.length === 0) return null;
  if (drawsOnOthers(subject)) return null;
  // An explanation may leave out a Remaining. What one answer contradicts by itself it contradicts all the same.
  const recorded = id === 'HDR-4' || explained.length === 0 ? [budget.history] : [];
  const histories = [...recorded, ...explained.map(({ history }) => history)];
  for (const history of histories) {
    const shown = look(open ? { ...history, shared: true } : history);
    if (!shown) continue;
    const { proof, ...advice } = shown;
    return {
      verdict: 'fail',
      part: nameOf(subject),
      summary: proof.received,
      witnesses: 1,
      proofs: [proof],
      ...advice,
      ...explainedBy(id, ruling),
    };
  }
  return null;
}

/**
 * Whether some deployment explains the run and lets all requests of this budget draw on others as well. Then its
 * answers do not belong to one budget.
 */
function drawsOnOthers({ explained, ruling }: Subject): boolean {
  return ruling?.outcome === 'deviates' && explained.length === 0 && ruling.minimal.some(({ fit }) => fit !== null);
}
