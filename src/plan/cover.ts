import type { Demand, Factor } from '../catalogue/coverage.ts';

/** The levels of one request, or of one spent budget. A factor that does not apply to it is absent. */
export type Levels = Readonly<Partial<Record<Factor, string>>>;

/**
 * Chooses from `candidates` a set that covers what the demands ask for, as far as any candidate does: a covering array
 * with constraints and a strength for each demand. Greedy, as AETG and IPOG are (Lei and others, *IPOG*, 2007): the
 * candidate with most combinations that are not covered yet is next, the first of equals. The candidates are exactly
 * the possible requests, so no constraint solver is needed, and rows that are sent anyway (`already`) count.
 * (`covertable` and similar libraries support neither.) The result depends only on the order of the candidates.
 */
export function cover<T>(
  candidates: readonly T[],
  levelsOf: (candidate: T) => Levels,
  demands: readonly Demand[],
  already: readonly Levels[] = [],
): T[] {
  // Combinations are compared by number: their texts are long, and each is asked for as often as candidates have it.
  const numbers = new Map<string, number>();
  const numbersOf = (levels: Levels): number[] =>
    combinationsOf(levels, demands).map((each) => {
      const number = numbers.get(each) ?? numbers.size;
      numbers.set(each, number);
      return number;
    });
  const covered = new Set(already.flatMap(numbersOf));
  const queue = candidates
    .map((candidate, order) => {
      const combinations = numbersOf(levelsOf(candidate)).filter((each) => !covered.has(each));
      return { candidate, order, combinations, gain: combinations.length };
    })
    .filter(({ gain }) => gain > 0);
  const chosen: T[] = [];
  // A candidate's gain never rises, so buckets by the last known gain are enough: a candidate moves down when it is
  // visited and its gain has fallen.
  const most = queue.reduce((highest, { gain }) => Math.max(highest, gain), 0);
  const buckets = Array.from({ length: most + 1 }, (_, gain) => queue.filter((each) => each.gain === gain));
  for (let gain = most; gain > 0; gain -= 1) {
    const bucket = (buckets[gain] ?? []).sort((one, other) => one.order - other.order);
    for (const each of bucket) {
      const left = each.combinations.filter((combination) => !covered.has(combination));
      if (left.length === gain) {
        chosen.push(each.candidate);
        for (const combination of left) covered.add(combination);
      } else buckets[left.length]?.push({ ...each, combinations: left, gain: left.length });
    }
  }
  return chosen;
}

/**
 * The combinations of levels that a request contributes to the demands, each as a text that is the same for the same
 * combination.
 */
export function combinationsOf(levels: Levels, demands: readonly Demand[]): string[] {
  const found: string[] = [];
  for (const demand of demands) {
    const { given, text, choices } = readingOf(demand);
    if (!given.every(([factor, allowed]) => allowed.includes(levels[factor] ?? ''))) continue;
    for (const factors of choices) {
      if (factors.some((factor) => levels[factor] === undefined)) continue;
      found.push(factors.reduce((combination, factor) => `${combination} · ${factor}=${levels[factor]}`, text));
    }
  }
  return found;
}

/** A demand, prepared for comparison with thousands of requests. */
interface Reading {
  /** The levels that a request may have to be covered by the demand. */
  readonly given: readonly (readonly [Factor, readonly string[]])[];
  /** Two demands that give the same levels share their combinations. */
  readonly text: string;
  /** The factors that are combined. */
  readonly choices: readonly (readonly Factor[])[];
}

const readings = new WeakMap<Demand, Reading>();

function readingOf(demand: Demand): Reading {
  const known = readings.get(demand);
  if (known) return known;
  const given = Object.entries(demand.given) as [Factor, readonly string[]][];
  const text = given.map(([factor, levels]) => `${factor}:${levels.join('|')}`).join(' ');
  const reading = { given, text, choices: subsets(demand.factors, demand.strength) };
  readings.set(demand, reading);
  return reading;
}

function subsets<T>(items: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, index) => subsets(items.slice(index + 1), size - 1).map((rest) => [item, ...rest]));
}
