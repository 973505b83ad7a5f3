import type { History } from '../../oracle/history.ts';
import { Work } from '../../oracle/work.ts';
import { Fitter } from '../fitter.ts';
import type { SearchContext } from '../proposal.ts';

/** What a proposer is given, without budgets of the other kind, and as much work as it likes unless some is named. */
export function contextOf(kind: SearchContext['kind'], work = new Work(Number.MAX_SAFE_INTEGER)): SearchContext {
  return { kind, otherKind: [] as readonly History[], work, fitter: new Fitter(work) } as unknown as SearchContext;
}
