import { Work, WorkSpent } from '../oracle/work.ts';
import { Fitter } from './fit.ts';
import type { SearchContext } from './proposal.ts';

/** Looks with a share of the work, in events: how many were spent of it, and whether it was enough. */
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
