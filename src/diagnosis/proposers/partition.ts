import { type Attribute, classOf } from '../../deployment/attribute.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { anyCounting, groupsOf } from '../../oracle/failed-groups.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { Shape } from '../../oracle/shapes.ts';
import type { Kind } from '../../trace/exchange.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { isCharged, unclear, type World } from '../world.ts';
import { divisionBits } from './scope-bits.ts';

/** The scope in which each class of an attribute has its own budget. */
export function eachApart(kind: Kind, attribute: Attribute): Deviation {
  return {
    operator: 'finer-scope',
    parameters: { kinds: [kind], attribute, blocks: [], exempt: [], others: 'apart', exemptHeaders: 'of the others' },
  };
}

/** The result of one attempt: blocks of classes that share a budget, and classes that use none. */
interface Attempt {
  readonly blocks: readonly (readonly string[])[];
  readonly exempt: readonly string[];
  readonly histories: readonly History[];
  readonly shapes: readonly Shape[];
  /** `of the others` if the headers of exempt requests show the others' budget; `unused` if they never change. */
  readonly exemptHeaders: 'of the others' | 'unused';
}

/**
 * Finds out which classes of an attribute share a budget. Joining or splitting classes can make a history explainable
 * or not, in either direction. So each class begins undecided (its requests may have been counted), and is then put
 * inside or outside the block where only one of these is possible. The finished partition is compared with the whole
 * run.
 */
export class Partition {
  readonly #world: World;
  readonly #context: SearchContext;
  readonly #attribute: Attribute;
  readonly #classes: readonly string[];
  readonly #refused: ReadonlySet<string>;
  #exempt: ReadonlySet<string> = new Set();
  #guesses = 0;

  constructor(world: World, context: SearchContext, attribute: Attribute, classes: readonly string[]) {
    this.#world = world;
    this.#context = context;
    this.#attribute = attribute;
    this.#classes = classes;
    this.#refused = new Set(
      world.histories.flatMap(({ events }) =>
        events.flatMap(({ outcome, exchange }) => (outcome === 'refused' ? [classOf(attribute, exchange)] : [])),
      ),
    );
  }

  find(): Proposal | null {
    const mayBeExempt = this.#classes.filter((name) => !this.#refused.has(name));
    // To decide about each class by itself takes far more work, so what the answers say is tried first.
    const unused = mayBeExempt.filter((name) => this.#saysUnused(name));
    const starts = [...(unused.length > 0 ? [unused] : []), [], ...mayBeExempt.map((name) => [name])];
    for (const exempt of starts) {
      this.#guesses = 0;
      const found = this.#attempt(exempt);
      if (found) return this.#proposal(found);
      // If nothing was guessed, another starting class leads to the same result.
      if (exempt.length === 0 && this.#guesses === 0) return null;
    }
    return null;
  }

  #attempt(left: readonly string[]): Attempt | null {
    const exempt = [...left];
    const blocks: string[][] = [];
    const open = new Set(this.#classes.filter((name) => !exempt.includes(name)));
    let shapes: readonly Shape[] = this.#context.likely;
    while (open.size > 0) {
      this.#exempt = new Set(exempt);
      const [first] = [...open].sort((one, other) => Number(this.#refused.has(other)) - Number(this.#refused.has(one)));
      if (first === undefined) break;
      const block = this.#block(
        first,
        [...open].filter((name) => name !== first),
        shapes,
      );
      if (block) {
        blocks.push([...block.names]);
        shapes = block.shapes;
        for (const name of block.names) open.delete(name);
      } else if (this.#refused.has(first)) return null;
      else {
        exempt.push(first);
        open.delete(first);
      }
    }
    this.#exempt = new Set(exempt);
    if (blocks.length === 0 || (blocks.length === 1 && exempt.length === 0)) return null;
    const histories = blocks.flatMap((block) => this.#histories(new Set(block), new Set(this.#classes), false));
    if (exempt.length === 0) return { blocks, exempt, histories, shapes, exemptHeaders: 'of the others' };
    if (exempt.every((name) => this.#standsStill(name))) {
      return { blocks, exempt, histories, shapes, exemptHeaders: 'unused' };
    }
    for (const [index, host] of blocks.entries()) {
      const rest = new Set(this.#classes.filter((name) => !exempt.includes(name)));
      const shown = new Set(exempt);
      const hosted = this.#histories(new Set(host), rest, false, shown);
      const fitting = this.#fitting(shapes, new Set(host), rest, shown);
      if (fitting.length === 0) continue;
      const own = blocks.flatMap((block, at) =>
        at === index ? hosted : this.#histories(new Set(block), new Set(this.#classes), false),
      );
      return { blocks, exempt, histories: own, shapes: fitting, exemptHeaders: 'of the others' };
    }
    return null;
  }

  /** The classes that share a budget with `first`; null if even `first` alone is not explained. */
  #block(
    first: string,
    others: readonly string[],
    shapes: readonly Shape[],
  ): { readonly names: ReadonlySet<string>; readonly shapes: readonly Shape[] } | null {
    const names = new Set([first]);
    const out = new Set(this.#classes.filter((name) => name !== first && !others.includes(name)));
    let fitting = this.#fitting(shapes, names, out);
    let undecided = [...others];
    const decide = (name: string, inside: boolean, found: readonly Shape[]): void => {
      (inside ? names : out).add(name);
      undecided = undecided.filter((other) => other !== name);
      fitting = found;
    };
    while (undecided.length > 0 && fitting.length > 0) {
      const before = undecided.length;
      for (const name of [...undecided]) {
        const inside = this.#fitting(fitting, new Set([...names, name]), out);
        const outside = this.#fitting(fitting, names, new Set([...out, name]));
        if (inside.length > 0 && outside.length > 0) continue;
        if (inside.length === 0 && outside.length === 0) return null;
        decide(name, inside.length > 0, inside.length > 0 ? inside : outside);
      }
      const [open] = undecided;
      if (undecided.length < before || open === undefined) continue;
      // If both are possible, the class is assumed to share the budget, as specified.
      this.#guesses += 1;
      decide(open, true, this.#fitting(fitting, new Set([...names, open]), out));
    }
    fitting = fitting.length > 0 ? this.#fitting(fitting, names, new Set(this.#classes)) : [];
    return fitting.length > 0 ? { names, shapes: fitting } : null;
  }

  /** The shapes that explain the histories of a block. */
  #fitting(
    shapes: readonly Shape[],
    inside: ReadonlySet<string>,
    outside: ReadonlySet<string>,
    shown?: ReadonlySet<string>,
  ): readonly Shape[] {
    const fitting = [false, true].flatMap((refusedCounted) => {
      const own = shapes.filter((shape) => shape.refusedCounted === refusedCounted);
      const histories = own.length === 0 ? [] : this.#histories(inside, outside, refusedCounted, shown);
      if (histories.length === 0) return own;
      const choice = anyCounting(groupsOf(histories));
      const world = { ...this.#world, histories };
      const state = { first: 0 };
      return own.filter((shape) => this.#context.fitter.under(world, shape, choice, state) !== null);
    });
    return shapes.filter((shape) => fitting.includes(shape));
  }

  /**
   * The histories of one block.
   *
   * @param inside classes that use it
   * @param outside classes that do not; all others may have been counted
   * @param refusedCounted whether refused requests may have been counted, too
   * @param shown classes that do not use it, but have its headers
   */
  #histories(
    inside: ReadonlySet<string>,
    outside: ReadonlySet<string>,
    refusedCounted: boolean,
    shown: ReadonlySet<string> = new Set(),
  ): History[] {
    const place = (event: Event): Event | null => {
      const name = classOf(this.#attribute, event.exchange);
      if (inside.has(name)) return event;
      // A cache in front of the limiter, for example, has no answer to what fails.
      if (this.#exempt.has(name) && event.outcome === 'failed') return unclear(event);
      if (shown.has(name)) return event.outcome === 'accepted' ? { ...event, outcome: 'uncounted' } : null;
      // Requests of the other kind that are charged here are of classes of that kind.
      const isElsewhere = outside.has(name) || isCharged(event, this.#context.kind);
      return isElsewhere || (event.outcome === 'refused' && !refusedCounted) ? null : unclear(event);
    };
    return this.#world.histories.flatMap((history) => {
      const events = history.events.flatMap((event) => place(event) ?? []);
      const told = events.some(({ exchange }) => inside.has(classOf(this.#attribute, exchange)));
      return told ? [{ ...history, key: `${history.key} ${[...inside].sort().join(' ')}`, events }] : [];
    });
  }

  /**
   * Whether several answers all say that nothing was used, or only their own request; or say nothing, where those of
   * other classes do: then nobody has seen a budget of theirs.
   */
  #saysUnused(name: string): boolean {
    const used = this.#world.histories.flatMap(({ events, shown }) =>
      events.flatMap(({ outcome, remaining, exchange }) =>
        outcome === 'accepted' && classOf(this.#attribute, exchange) === name
          ? [remaining === null ? null : shown - remaining]
          : [],
      ),
    );
    return used.length > 1 && used.every((each) => each === used[0] && (each ?? 0) <= 1);
  }

  #standsStill(name: string): boolean {
    const values = this.#world.histories.flatMap(({ events }) =>
      events.flatMap(({ outcome, remaining, exchange }) =>
        outcome === 'accepted' && classOf(this.#attribute, exchange) === name ? [remaining] : [],
      ),
    );
    return new Set(values).size <= 1;
  }

  #proposal({ blocks, exempt, histories, shapes, exemptHeaders }: Attempt): Proposal {
    const parts = blocks.length + (exempt.length > 0 ? 1 : 0);
    return {
      deviations: [
        {
          operator: 'finer-scope',
          parameters: {
            kinds: [this.#context.kind],
            attribute: this.#attribute,
            // In a fixed order, as kinds are compared.
            blocks: blocks.length === 1 ? [] : blocks.map((names) => [...names].sort()).sort(),
            exempt,
            others: 'together',
            exemptHeaders,
          },
        },
      ],
      bits: DEVIATION_BITS + divisionBits(this.#classes.length, parts),
      world: { ...this.#world, histories, shapes },
    };
  }
}
