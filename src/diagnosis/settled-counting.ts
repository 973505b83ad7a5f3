import type { Explanation } from '../oracle/explain.ts';
import type { History } from '../oracle/history.ts';
import type { Choice } from '../oracle/shapes.ts';
import type { Fit } from './fit.ts';
import type { World } from './world.ts';

/**
 * If there are more classes of failed requests than this, they stay open, because each class doubles the ways to count.
 */
const MOST_SETTLED = 40;

/** The number of assignments tried for each class to settle, before the remaining classes stay open. */
const TRIES_PER_CLASS = 6;

/**
 * The explanations of histories if failed requests are counted in one way; null if one has none.
 *
 * @param known what explains them in another way
 */
export type Under = (
  world: World,
  choice: Choice,
  known: ReadonlyMap<History, Explanation>,
) => readonly Explanation[] | null;

/**
 * Settles by depth-first search which classes of failed requests count, for all budgets together. A class is first
 * assumed to be treated like a settled one with the same status. Null only if every assignment is refuted. If the
 * number of tries is used up, the remaining classes stay open.
 *
 * @param open the fit with all classes open
 * @param groups the classes
 */
export function settled(
  world: World,
  open: Fit,
  groups: readonly string[],
  known: ReadonlyMap<History, Explanation>,
  under: Under,
): Fit | null {
  if (groups.length > MOST_SETTLED) return open;
  const latest = new Map(known);
  const keep = ({ histories }: World, explanations: readonly Explanation[]): void => {
    for (const [at, history] of histories.entries()) {
      const explanation = explanations[at];
      if (explanation) latest.set(history, explanation);
    }
  };
  keep(world, open.explanations);
  const concernedBy = (group: string): World => ({
    ...world,
    histories: world.histories.filter((each) => each.events.some((event) => event.group === group)),
  });
  /** What is refuted of each class by itself, while all others are open. */
  const refuted = new Map<string, boolean>();
  const nameOf = (group: string, value: boolean): string => `${value} ${group}`;
  const isRefuted = (group: string, value: boolean): boolean => {
    const before = refuted.get(nameOf(group, value));
    if (before !== undefined) return before;
    const undecided = new Set(groups.filter((each) => each !== group));
    const choice = { failedCounted: new Set(value ? [group] : []), undecided, loose: undecided.size > 0 };
    const found = under(concernedBy(group), choice, latest) === null;
    refuted.set(nameOf(group, value), found);
    return found;
  };
  let tries = TRIES_PER_CLASS * groups.length + 1;
  const settle = (at: number, counted: ReadonlySet<string>): Fit | null | 'open' | 'impossible' => {
    if (tries-- <= 0) return 'open';
    const group = groups[at];
    const last = groups[at - 1];
    if (last !== undefined) {
      const undecided = new Set(groups.slice(at));
      const choice: Choice = { failedCounted: counted, undecided, loose: undecided.size > 0 };
      // At the end all of it is held against every history.
      const concerned = group === undefined ? world : concernedBy(last);
      const explanations = under(concerned, choice, latest);
      if (!explanations) return isRefuted(last, true) && isRefuted(last, false) ? 'impossible' : null;
      if (group === undefined) return { shape: open.shape, choice, explanations };
      keep(concerned, explanations);
    }
    if (group === undefined) return open;
    const alike = groups.slice(0, at).find((other) => statusOf(other) === statusOf(group));
    const first = alike === undefined || counted.has(alike);
    for (const value of [first, !first]) {
      if (refuted.get(nameOf(group, value))) continue;
      const found = settle(at + 1, value ? new Set([...counted, group]) : counted);
      if (found !== null) return found;
    }
    return null;
  };
  const found = settle(0, new Set());
  return found === 'open' ? open : found === 'impossible' ? null : found;
}

function statusOf(group: string): string {
  return group.slice(0, 3);
}
