import { type Explanation, explains } from '../oracle/explain.ts';
import { anyCounting, groupsOf } from '../oracle/failed-groups.ts';
import type { History, Range } from '../oracle/history.ts';
import { familyOf, loosestOf } from '../oracle/loosest.ts';
import { type Choice, SHAPES, type Shape, variantOf } from '../oracle/shapes.ts';
import { unlessSpent, Work } from '../oracle/work.ts';
import type { Fit } from './fit.ts';
import { settled, type Under } from './settled-counting.ts';
import type { World } from './world.ts';

/** Bound of work for one history while the others are still to be asked, in events: most are decided with less. */
const SOON = 50_000;

/** Bound of work to see whether one history refutes a family of shapes, in events: most do so with far less. */
const MOST_AT_ONCE = 5_000;

/**
 * Finds one mechanism for all histories of a world. Every event examined counts as work. A `WorkSpent` ends the search
 * without a result. Shapes and histories are tried in an order that depends on earlier results, which changes only the
 * time.
 */
export class Fitter {
  readonly #work: Work;
  readonly #refuted: Set<Shape> | null;
  #front: readonly string[] = [];
  /** The key of the history that refuted the last shape. It usually refutes the next one, too. */
  #refuting: string | null = null;
  /** What explains a history often explains it with other ways to count, too. */
  readonly #known: ReadonlyMap<History, Explanation>;

  /**
   * @param refuted shapes to skip, if all worlds belong to one run; shapes that are found not to explain it are added
   * @param known what is known to explain some histories
   */
  constructor(work: Work, refuted: Set<Shape> | null = null, known: Iterable<readonly [History, Explanation]> = []) {
    this.#work = work;
    this.#refuted = refuted;
    this.#known = new Map(known);
  }

  /** The first shape that explains all histories of the world together; null if none does. */
  fit(world: World): Fit | null {
    for (const found of this.#fits(world)) return found;
    return null;
  }

  /** The simplest shape that explains the world; null if none does. */
  simplest(world: World): Fit | null {
    const refuted = new Set<Shape>();
    const [some] = this.#fits(world, refuted);
    if (!some) return null;
    const simpler = SHAPES.slice(0, SHAPES.indexOf(some.shape));
    for (const shape of simpler.filter((each) => world.shapes.includes(each) && !refuted.has(each))) {
      const found = this.fit({ ...world, shapes: [shape] });
      if (found) return found;
    }
    return some;
  }

  /** Every shape that explains the world, one after the other. */
  all(world: World): Iterable<Fit> {
    return this.#fits(world);
  }

  /** @param refuted receives the shapes that are found not to explain it */
  *#fits(world: World, refuted = this.#refuted): Iterable<Fit> {
    const place = (shape: Shape): number => {
      const at = this.#front.indexOf(nameOf(shape));
      return at < 0 ? this.#front.length : at;
    };
    const places = new Map(world.shapes.map((shape) => [shape, place(shape)]));
    const order = [...world.shapes].sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
    const groups = groupsOf(world.histories);
    const open: Choice = anyCounting(groups);
    const state = { first: this.#mostTelling(world.histories) };
    const left = order.filter((shape) => !this.#refuted?.has(shape));
    const families = Map.groupBy(left, familyOf);
    const isOut = new Map<string, boolean>();
    for (const shape of left) {
      const name = familyOf(shape);
      const areOut = isOut.get(name) ?? this.#refutesAll(families.get(name) ?? [], world, open, state.first);
      isOut.set(name, areOut);
      const loosely = areOut ? null : this.under(world, shape, open, state);
      const under: Under = (some, choice, known) => this.under(some, shape, choice, { first: 0 }, known);
      const found =
        loosely && settled(world, { shape, choice: open, explanations: loosely }, groups, this.#known, under);
      if (!found) {
        this.#refuted?.add(shape);
        refuted?.add(shape);
        continue;
      }
      this.#front = [nameOf(shape), ...this.#front.filter((name) => name !== nameOf(shape))];
      yield found;
    }
  }

  /**
   * The explanations of all histories under one shape and one way to count; null if one of them has none.
   *
   * @param state the history that failed last is tried first
   * @param known what explains some histories if they are counted in another way
   */
  under(
    world: World,
    shape: Shape,
    choice: Choice,
    state = { first: 0 },
    known: ReadonlyMap<History, Explanation> = this.#known,
  ): readonly Explanation[] | null {
    const { histories, layers, window } = world;
    const variant = variantOf(shape, choice);
    const found: Explanation[] = [];
    let hint: Range | null = null;
    // Often one history contradicts soon what another one leaves open for long.
    for (const most of [SOON, Number.POSITIVE_INFINITY]) {
      for (const index of inTurn(histories, state.first)) {
        const history = histories[index];
        if (!history || found[index]) continue;
        const explanation = this.#within(most, (own) =>
          explains(variant, history, layers, window, hint, own, known.get(history) ?? null),
        );
        if (explanation === 'open') continue;
        if (!explanation) {
          state.first = index;
          this.#refuting = history.key;
          return null;
        }
        hint ??= explanation.phase && {
          low: explanation.phase.low + explanation.origin,
          high: explanation.phase.high + explanation.origin,
        };
        found[index] = explanation;
      }
      if (histories.every((_, index) => found[index])) break;
    }
    return found;
  }

  /**
   * Whether one history refutes all shapes of a family at once, whatever their markers are; false also if to see that
   * takes long, or as long as to ask each.
   */
  #refutesAll([one, ...more]: readonly Shape[], world: World, choice: Choice, at: number): boolean {
    const history = world.histories[at];
    if (!history || !one || more.length === 0) return false;
    const variant = variantOf(loosestOf([one, ...more]), choice);
    const layers = { ...world.layers, reset: false };
    return this.#within(MOST_AT_ONCE, (own) => explains(variant, history, layers, world.window, null, own)) === null;
  }

  /** The result of a search within this work; `open` if that was not enough, though more work is left. */
  #within<Result>(most: number, search: (work: Work) => Result): Result | 'open' {
    if (most >= this.#work.left) return search(this.#work);
    const own = new Work(most);
    const result = unlessSpent<Result | 'open'>(() => search(own), 'open');
    this.#work.spend(most - own.left);
    return result;
  }

  #mostTelling(histories: readonly History[]): number {
    const known = histories.findIndex(({ key, prior }) => key === this.#refuting && prior === undefined);
    return known < 0 ? mostTelling(histories) : known;
  }
}

/** The history that contradicts a shape soonest: the longest one, preferring keys that were not used before the run. */
function mostTelling(histories: readonly History[]): number {
  const quiet = histories.filter(({ prior }) => prior === undefined);
  const longest = quiet.reduce<History | null>(
    (one, other) => (one && one.events.length >= other.events.length ? one : other),
    null,
  );
  return longest && quiet.length < histories.length ? histories.indexOf(longest) : 0;
}

/**
 * The indices of histories: `first`, and last those of keys that were used before the run, which take longest to
 * search.
 */
function* inTurn(histories: readonly History[], first: number): Iterable<number> {
  // The first one contradicts most shapes, so the others are seldom needed.
  yield first;
  for (const isUsed of [false, true]) {
    for (const [index, { prior }] of histories.entries()) {
      if (index !== first && (prior !== undefined) === isUsed) yield index;
    }
  }
}

function nameOf({ mechanism, lag, refusedCounted, reset, marker, latch }: Shape): string {
  return `${mechanism} ${lag} ${refusedCounted} ${reset} ${marker ?? 'bucket'} ${latch}`;
}
