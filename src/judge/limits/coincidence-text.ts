import type { KindDiagnosis } from '../../diagnosis/diagnose.ts';
import { nameOf } from '../../oracle/mechanism-name.ts';

/**
 * The coincidence by which a conforming deployment explains the budgets of a kind, as a sentence; null: it needs none.
 */
export function coincidenceText({ kind, conforming }: Pick<KindDiagnosis, 'kind' | 'conforming'>): string | null {
  if (!conforming?.coincidence) return null;
  if (conforming.step !== undefined)
    return `A window that slides in steps would conform, and would explain the ${kind}s.`;
  const odds = Math.min(MOST_TOLD, 2 ** Math.floor(conforming.coincidence));
  return `A conforming deployment (${nameOf(conforming.fit.shape.mechanism)}) would explain the ${kind}s only by a coincidence: windows of which no X-RateLimit-Reset tells would have ended just while requests were under way, as in one of ${odds} runs at the most.`;
}

/** Larger numbers say no more. */
const MOST_TOLD = 1_000_000;
