import type { KindRuling } from '../../diagnosis/run.ts';
import { ALL_LAYERS, DECISIONS, WITH_REMAINING } from '../../oracle/check.ts';
import { explains } from '../../oracle/explain.ts';
import type { History, Range } from '../../oracle/history.ts';
import { measureWindow } from '../../oracle/length.ts';
import { variantOf } from '../../oracle/shapes.ts';
import type { Budget } from './budgets.ts';
import type { ExplainedHistory, Subject } from './subject.ts';

/**
 * What explains one budget under the ruling on its kind, and how long its window is by that.
 *
 * @param thorough whether the window is to be measured
 */
export function measure(
  budget: Budget,
  ruling: KindRuling | null,
  thorough: boolean,
): Pick<Subject, 'explained' | 'window'> {
  const explained = ruling ? explainedBy(budget, ruling) : [];
  const [largest] = [...explained].sort((one, other) => other.history.events.length - one.history.events.length);
  return { explained, window: thorough && largest && ruling?.outcome === 'conforms' ? windowOf(largest) : null };
}

function explainedBy(budget: Budget, { outcome, diagnosis, minimal }: KindRuling): readonly ExplainedHistory[] {
  const deviating = minimal.find(({ fit }) => fit !== null);
  const histories = outcome === 'conforms' ? diagnosis.conforming?.histories : deviating?.world.histories;
  const fit = outcome === 'conforms' ? diagnosis.conforming?.fit : deviating?.fit;
  const known = (histories ?? []).flatMap((history, index): ExplainedHistory[] => {
    const explanation = fit?.explanations[index];
    return explanation && isOf(history, budget) ? [{ history, explanation }] : [];
  });
  if (known.length > 0 || !fit || outcome !== 'conforms') return known;
  // One of many budgets of a load run: the mechanism that explains the others has to explain it, too.
  const explanation = explains(
    variantOf(fit.shape, fit.choice),
    budget.history,
    fit.explanations[0]?.layers ?? DECISIONS,
  );
  return explanation ? [{ history: budget.history, explanation }] : [];
}

/** Whether the history is of this budget: the key's own, or of one block of it, or of several keys of which it is one. */
function isOf({ key, kind, events }: History, budget: Budget): boolean {
  if (kind !== budget.kind) return false;
  return key === budget.key || events.some(({ exchange }) => exchange.key === budget.key);
}

/** A length that is known no better than this tells nothing of a minute, in µs. */
const COARSE = 8_000_000;

/** The lengths that the window can have; null where no budget was seen to be spent. */
export function windowOf({ history, explanation }: ExplainedHistory): Range | null {
  if (!history.events.some(({ outcome }) => outcome === 'refused')) return null;
  const { variant, layers } = explanation;
  const byCounts = measureWindow(variant, history, layers.remaining ? WITH_REMAINING : DECISIONS);
  // The estimate of a sliding counter changes too little with the length: the ends of its buckets tell it.
  const counts = !layers.reset || byCounts.high - byCounts.low < COARSE;
  return counts ? byCounts : measureWindow(variant, history, ALL_LAYERS);
}
