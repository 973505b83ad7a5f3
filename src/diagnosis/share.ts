import { Work, WorkSpent } from '../oracle/work.ts';
import { Fitter } from './fitter.ts';
import type { SearchContext } from './proposal.ts';

/**
 * Runs a part of a search with a share of the work. Returns how many events it spent, and whether the share was enough.
 */
export function inShare(
  most: number,
  context: Omit<SearchContext, 'fitter' | 'work'>,
  look: (context: SearchContext) => void,
): { readonly spent: number; readonly isDone: boolean } {
  const work = new Work(most);
  try {
    look({ ...context, work, fitter: new Fitter(work) });
    return { spent: most - work.left, isDone: true };
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
    return { spent: most, isDone: false };
  }
}
