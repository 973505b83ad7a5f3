import { analyse, type Findings, reach } from '../../oracle/analyse.ts';
import { type History, limitOf, singleInteger } from '../../oracle/history.ts';
import { type Budget, type Evidence, historyOf } from './budgets.ts';

/** Another limit than the specified one that explains a budget. */
export interface OtherLimit {
  readonly limit: number;
  readonly findings: Findings;
  /** µs of the run's clock from which on it holds; null: all the time. */
  readonly since: number | null;
}

/** Limits that deployments enforce by mistake: one off, the other kind's, several unshared counters. */
function likelyLimits(history: History): readonly number[] {
  const { limit, kind } = history;
  const other = limitOf(kind === 'read' ? 'write' : 'read');
  return [limit + 1, limit - 1, limit + 2, limit - 2, other, 2 * limit, 3 * limit];
}

/**
 * Limits that the answers tell, others than the specified one: what X-RateLimit-Limit says, what the most that was ever left
 * comes to, or else how many were accepted up to the first refusal.
 */
function toldLimits({ events, limit }: History): readonly number[] {
  const refusals = events.filter(({ outcome }) => outcome === 'refused');
  const first = Math.min(...refusals.map(({ to }) => to));
  const accepted = events.filter(({ outcome, from }) => outcome === 'accepted' && from <= first);
  const left = accepted.flatMap(({ remaining }) => (remaining === null ? [] : [remaining + 1]));
  const told = accepted.flatMap(({ exchange }) => singleInteger(exchange.headers.limit) ?? []);
  // Where answers say what was left, the number of those accepted tells nothing more.
  const counted = left.length === 0 && refusals.length > 0 ? accepted.length : 0;
  const limits = [...new Set(told), Math.max(0, ...left), counted];
  return [...new Set(limits)].filter((each) => each > 0 && each !== limit).slice(0, MOST_TOLD);
}

/** So many limits that the answers tell are tried. */
const MOST_TOLD = 4;

/**
 * What another limit makes of a history that it explains wholly, null: it does not. An answer that tells more left than the
 * limit ever leaves, or a request let through with less left than it refuses at, speaks against it whenever it came.
 */
function whollyBy(history: History, limit: number, shown: number): OtherLimit | null {
  const told = history.events.flatMap(({ outcome, remaining }) =>
    outcome === 'accepted' && remaining !== null ? [remaining] : [],
  );
  if (told.some((remaining) => remaining >= shown || remaining < shown - limit)) return null;
  const findings = analyse({ ...history, limit, shown }, { depth: 'whole' });
  return reach(findings) === 3 ? { limit, findings, since: null } : null;
}

/**
 * A limit that the answers tell and that explains everything, for a budget that the specified limit explains only if its key was in use
 * before the run: what is used up then is back in the second window.
 */
export function findToldLimit(history: History): OtherLimit | null {
  for (const limit of toldLimits(history)) {
    for (const shown of new Set([limit, history.limit])) {
      const found = whollyBy(history, limit, shown);
      if (found) return found;
    }
  }
  return null;
}

/**
 * The first other limit under which the history is explained further than under the specified one. Where the decisions
 * fit the specified limit too, only one close by that explains everything.
 */
export function findLimit(history: History, before: number): OtherLimit | null {
  let best: OtherLimit | null = null;
  const refused = history.events.some(({ outcome }) => outcome === 'refused');
  if (!refused && (before > 0 || history.events.length <= history.limit)) return null;
  const likely = likelyLimits(history);
  const told = toldLimits(history);
  // Where nothing was refused, every limit that is large enough explains as much: only one that the answers tell is one.
  const candidates = !refused
    ? [...told, Number.MAX_SAFE_INTEGER]
    : [...(before > 0 ? likely.slice(0, 4) : likely), ...told];
  for (const limit of new Set(candidates)) {
    for (const shown of [history.limit, limit]) {
      const findings = analyse({ ...history, limit, shown }, { depth: before > 0 ? 'whole' : 'first' });
      const reached = reach(findings);
      // What the answers tell is taken at its word only where it explains everything.
      if (reached < 3 && told.includes(limit) && !likely.includes(limit)) continue;
      if (reached > Math.max(before, best ? reach(best.findings) : 0)) best = { limit, findings, since: null };
      if (reached === 3) return best;
    }
  }
  return before > 0 ? null : best;
}

/**
 * Another limit, one or two off or told by the answers, that holds from the second window on: what came before is explained by the specified
 * limit, and what came after by the other, when it is taken by itself.
 */
export function findLaterLimit(budget: Budget, { refuted, history }: Findings, evidence: Evidence): OtherLimit | null {
  for (const since of turns(refuted)) {
    if (since === history.events[0]?.from) continue;
    const earlier = budget.exchanges.filter(({ sent }) => sent < since);
    const later = historyOf(
      budget,
      budget.exchanges.filter(({ sent }) => sent >= since),
      evidence,
    );
    if (!later.events.some(({ outcome }) => outcome === 'refused') || standsStill(later)) continue;
    if (reach(analyse(later, { depth: 'whole' })) === 3) continue;
    const near = [history.limit - 1, history.limit + 1, history.limit - 2, history.limit + 2];
    for (const limit of new Set([...near, ...toldLimits(later)])) {
      for (const shown of [limit, history.limit]) {
        const findings = analyse({ ...later, limit, shown }, { depth: 'whole' });
        if (reach(findings) < 3) continue;
        const start = analyse(historyOf(budget, earlier, evidence), { depth: 'whole' });
        if (reach(start) === 3) return { limit, findings, since };
      }
    }
  }
  return null;
}

/** Whether all that accepted requests are told is one and the same: that counts nothing down, and fits limits by chance. */
function standsStill({ events }: History): boolean {
  const told = events.flatMap(({ outcome, remaining }) =>
    outcome === 'accepted' && remaining !== null ? [remaining] : [],
  );
  return told.length > 2 && new Set(told).size === 1;
}

/**
 * Another limit, one or two off, that explains every one of these histories from a quiet start; null: none does.
 *
 * @returns what it makes of each history, in their order
 */
export function findCommonLimit(histories: readonly History[]): readonly OtherLimit[] | null {
  const [first] = histories;
  if (!first) return null;
  for (const limit of likelyLimits(first).slice(0, 4)) {
    for (const shown of [first.limit, limit]) {
      const found: OtherLimit[] = [];
      for (const history of histories) {
        const each = whollyBy(history, limit, shown);
        if (!each) break;
        found.push(each);
      }
      if (found.length === histories.length) return found;
    }
  }
  return null;
}

/** So many turning points are looked at. */
const MOST_TURNS = 4;

/** When fixed windows go wrong at the latest: the request at which each of them gives up, the last first. */
function turns(refuted: Findings['refuted']): readonly number[] {
  const times = refuted
    .filter(({ variant }) => variant.mechanism === 'grid' || variant.mechanism === 'anchored')
    .map(({ contradictions }) => Math.max(...contradictions.map(({ event }) => event?.from ?? 0)));
  return [...new Set(times)].sort((one, other) => other - one).slice(0, MOST_TURNS);
}
