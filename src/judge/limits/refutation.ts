import type { KindDiagnosis } from '../../diagnosis/diagnose.ts';
import type { RefutedVariant } from '../../oracle/analysis.ts';
import type { Contradiction } from '../../oracle/check.ts';
import { anyCounting, groupsOf } from '../../oracle/failed-groups.ts';
import { firstContradiction, SPECIFIED } from '../../oracle/first-contradiction.ts';
import type { History } from '../../oracle/history.ts';
import { phaseByMarkers } from '../../oracle/marker-phase.ts';
import { nameOf as mechanismName } from '../../oracle/mechanism-name.ts';
import { SHAPES, variantOf } from '../../oracle/shapes.ts';
import type { MechanismName } from '../../oracle/variant.ts';
import { Work, WorkSpent } from '../../oracle/work.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { exclusion, isExclusion } from '../exclusion.ts';
import { requestsNamedIn } from '../requests-named.ts';
import type { Proof } from '../verdict.ts';
import { evidenceOf, explainContradiction } from './proofs.ts';

/** What refutes the conforming mechanisms: requests, and one sentence for each. */
export interface Refutation {
  readonly evidence: readonly Exchange[];
  readonly argument: readonly string[];
}

/**
 * The most events that the search for a proof examines. A proof is only for the reader, so none is better than a late
 * one.
 */
const PROOF_WORK = 500_000;

/** The families that readers know, each in its plainest form. */
const FAMILIES: readonly MechanismName[] = ['grid', 'anchored', 'log', 'counter'];

/**
 * What refutes each family of conforming mechanisms, on the first budget that does: first the family that the
 * deployment has, as far as this is known, then the one that explains most, with the fewest budgets that contradict it,
 * and the latest contradiction. Families that one sentence refutes are named together.
 *
 * @param about words of the sentences that come before all others: those of what is said to be wrong
 * @param mechanism under which a deviation explains the run: what contradicts it without the deviation shows the
 *   deviation, and what contradicts another one may show only that the deployment does not have that one
 */
export function refutation(
  diagnosis: Pick<KindDiagnosis, 'world'>,
  about = '',
  mechanism: MechanismName | null = null,
): Refutation {
  const last = ({ evidence }: RefutedVariant): number => Math.max(...evidence);
  const isAbout = ({ argument }: RefutedVariant): number => Number(argument.at(-1)?.includes(about));
  const isOwn = (each: RefutedVariant): number => Number(familyOf(mechanism) === each.mechanism);
  const shown = refutedFamilies(diagnosis).toSorted(
    (one, other) =>
      isAbout(other) - isAbout(one) ||
      isOwn(other) - isOwn(one) ||
      one.budgets - other.budgets ||
      last(other) - last(one),
  );
  const bySentence = Map.groupBy(shown, ({ argument }) => argument.at(-1) ?? '');
  return {
    evidence: evidenceOf([...bySentence].flatMap(([sentence, own]) => namedIn(sentence, own[0]?.exchanges ?? []))),
    argument: [...bySentence].map(([sentence, own]) =>
      exclusion(
        own.map(({ mechanism }) => mechanismName(mechanism)),
        sentence,
      ),
    ),
  };
}

/** The family of a mechanism, as readers know it. */
function familyOf(mechanism: MechanismName | null): MechanismName | null {
  return FAMILIES.find((family) => mechanism?.startsWith(family)) ?? null;
}

/**
 * Whether an argument only excludes mechanisms, one by one, and shows no requests that contradict each other whatever
 * the mechanism is.
 */
export function excludesOnly(proof: Proof | undefined): boolean {
  const [first] = proof?.argument ?? [];
  return first !== undefined && isExclusion(first);
}

/** The requests that a sentence names. The others would be rows without an explanation. */
function namedIn(sentence: string, exchanges: readonly Exchange[]): readonly Exchange[] {
  const named = new Set(requestsNamedIn(sentence));
  return exchanges.filter(({ seq }) => named.has(seq));
}

/** A family of mechanisms that is refuted, with the requests that show it. */
interface RefutedFamily extends RefutedVariant {
  readonly exchanges: readonly Exchange[];
  /** How many budgets contradict it. */
  readonly budgets: number;
}

/** One contradiction for each family of mechanisms, as reports show it. */
export function refutedFamilies({ world: { histories } }: Pick<KindDiagnosis, 'world'>): readonly RefutedFamily[] {
  const work = new Work(PROOF_WORK);
  const shown: RefutedFamily[] = [];
  try {
    for (const mechanism of FAMILIES) {
      const found = histories.flatMap((history) => {
        const contradiction = contradictionOf(mechanism, history, work);
        return contradiction ? [{ history, contradiction }] : [];
      });
      const [first] = found;
      if (!first) continue;
      const { evidence: exchanges, argument } = explainContradiction(first.contradiction, first.history);
      const evidence = exchanges.map(({ seq }) => seq);
      const variant = { mechanism, wholeSeconds: false, refusedCounted: false, evidence, argument };
      shown.push({ ...variant, exchanges, budgets: found.length });
    }
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
  }
  return shown;
}

function contradictionOf(family: MechanismName, history: History, work: Work): Contradiction | null {
  const shape = SHAPES.find(({ mechanism }) => mechanism === family);
  const groups = groupsOf([history]);
  if (!shape || history.events.length === 0) return null;
  const choice = anyCounting(groups);
  const phase = phaseByMarkers(history);
  const found = firstContradiction(variantOf(shape, choice), history, phase, SPECIFIED, work);
  // If no marker shows where a grid begins, the whole search refutes it, not a single request.
  return found && (phase !== null || !['grid', 'counter'].includes(family)) ? found : null;
}
