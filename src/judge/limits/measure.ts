import type { KindRuling } from '../../diagnosis/kind-ruling.ts';
import { ALL_LAYERS, DECISIONS, WITH_REMAINING } from '../../oracle/check.ts';
import { explains } from '../../oracle/explain.ts';
import { type History, type Range, WINDOW } from '../../oracle/history.ts';
import { measureWindow } from '../../oracle/length.ts';
import { variantOf } from '../../oracle/shapes.ts';
import type { Budget } from './budgets.ts';
import type { ExplainedHistory, Subject } from './subject.ts';

/**
 * The explanation of one budget under the ruling on its kind, and the length of its window that follows.
 *
 * @param thorough whether to measure the window
 */
export function measure(
  budget: Budget,
  ruling: KindRuling | null,
  thorough: boolean,
): Pick<Subject, 'explained' | 'window'> {
  const explained = ruling ? explainedBy(budget, ruling) : [];
  const [largest] = [...explained].sort((one, other) => other.history.events.length - one.history.events.length);
  if (!thorough || !largest || ruling?.outcome !== 'conforms') return { explained, window: null };
  const window = windowOf(largest);
  // Any steps that make a minute are the window: what they drop is not as old, but no longer in it.
  const isMinute = window !== null && ruling.diagnosis.conforming?.step !== undefined;
  return { explained, window: isMinute ? { low: WINDOW, high: WINDOW } : window };
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
  // In a load run with many budgets, the mechanism that explains the others must explain this one too.
  const explanation = explains(
    variantOf(fit.shape, fit.choice),
    budget.history,
    fit.explanations[0]?.layers ?? DECISIONS,
  );
  return explanation ? [{ history: budget.history, explanation }] : [];
}

/**
 * Whether the history belongs to this budget: it is the key's own, or of one block of it, or of several keys including
 * this one.
 */
function isOf({ key, kind, events }: History, budget: Budget): boolean {
  if (kind !== budget.kind) return false;
  return key === budget.key || events.some(({ exchange }) => exchange.key === budget.key);
}

/** A length known less exactly than this shows nothing about a minute, in µs. */
const COARSE = 8_000_000;

/** The possible lengths of the window; null if no budget was seen to be spent, and to be back. */
export function windowOf({ history, explanation }: ExplainedHistory): Range | null {
  const spent = history.events.findIndex(({ outcome }) => outcome === 'refused');
  if (spent < 0 || !history.events.some(({ outcome }, at) => at > spent && outcome === 'accepted')) return null;
  const { variant, layers } = explanation;
  const byCounts = measureWindow(variant, history, layers.remaining ? WITH_REMAINING : DECISIONS, WINDOW, explanation);
  // The estimate of a sliding counter hardly depends on the length, so the ends of its buckets decide.
  const counts = !layers.reset || byCounts.high - byCounts.low < COARSE;
  return counts ? byCounts : measureWindow(variant, history, ALL_LAYERS, WINDOW, explanation);
}
