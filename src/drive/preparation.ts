import type { Operation, Profile } from '../profile/profile.ts';
import { usesUp } from '../profile/repetition.ts';
import { variablesIn } from '../profile/template.ts';
import { withAbove } from '../trace/things.ts';
import { NotSent } from './not-sent.ts';
import type { RequestSpec } from './request-spec.ts';

export type Captured = Readonly<Record<string, string>>;

/** What preparations are made with. */
export interface Preparing {
  /** Runs one preparing operation and gives what it captured. */
  prepare(step: Operation, captured: Captured, key: string, experiment: string): Promise<Captured>;
  /** What the operation is aimed at, with these values in it. */
  thingsOf(operation: Operation, captured: Captured): readonly string[];
  /** µs of the run's clock. */
  now(): number;
}

/** What an operation needs could not be made, so the operation was not tried. */
export class PreparationFailed extends NotSent {
  override name = 'PreparationFailed';
  /** µs of the run's clock from when on it may be made, since the budget that was spent is back then; null: not known. */
  readonly back: number | null;

  constructor(message: string, back: number | null = null) {
    super(message);
    this.back = back;
  }
}

/** What must exist before an operation can be tried, made with as few requests as possible. */
export interface Preparations {
  /** @throws PreparationFailed where it cannot be made */
  for(spec: RequestSpec): Promise<Captured>;
  /** Whether what was made for it is still there, as far as the run knows. */
  stands(spec: RequestSpec): boolean;
  /** An operation may have taken these things away. */
  taken(operation: Operation, things: readonly string[]): void;
  /** A name for what is made for the spec's operation, by which whoever uses it up excludes the others; null: nothing is. */
  supplyOf(spec: RequestSpec): string | null;
}

interface Supply {
  readonly captured: Captured;
  readonly things: readonly string[];
  /** How many things had been taken away in this run before it was made. */
  readonly made: number;
}

/**
 * Makes what operations need: once per key and operation, since preparing counts against the budget, and anew where something in the run
 * may have taken it away, or where it was refused over the limit and the budget is back. A request without a full key is given what the key of its control has made, so that the key is the
 * only difference between the two.
 *
 * An operation without a preparation may be aimed at what another one takes away and prepares: then the preparation of that one is run for it, too.
 */
export function preparations(
  { operations: all }: Pick<Profile, 'operations'>,
  { prepare, thingsOf, now }: Preparing,
): Preparations {
  const operations = new Map(all.map((operation) => [operation.id, operation]));
  const supplies = new Map<string, Promise<Supply>>();
  const settled = new Map<string, Supply>();
  const owners = new Map<string, string>();
  /** When what was refused over the limit may be made after all, by the name of the supply. */
  const backs = new Map<string, number>();
  const takings = new Map<string, { readonly at: number; readonly by: Operation }>();
  let taken = 0;

  const stepsOf = (operation: Operation): readonly Operation[] =>
    operation.prepare.flatMap((id) => {
      const step = operations.get(id);
      return step ? [...stepsOf(step), step] : [];
    });

  const lastTaking = (thing: string) =>
    withAbove(thing).reduce<{ at: number; by: Operation } | null>((last, each) => {
      const taking = takings.get(each);
      return taking && taking.at > (last?.at ?? 0) ? taking : last;
    }, null);

  const isWhole = ({ things, made }: Supply): boolean => things.every((each) => (lastTaking(each)?.at ?? 0) <= made);

  async function make(operation: Operation, things: Operation, key: string, experiment: string): Promise<Supply> {
    let captured: Captured = {};
    // What is taken away while a list is read may be what is captured from it; what a step changes itself is made anew by it.
    let made = taken;
    for (const step of stepsOf(operation)) {
      captured = { ...captured, ...(await prepare(step, captured, key, experiment)) };
      if (usesUp(step)) made = taken;
    }
    return { captured, things: thingsOf(things, captured), made };
  }

  /** The operation whose preparation brings back what this one needs and does not make itself. */
  function restorer(operation: Operation): Operation | null {
    if (operation.prepare.length > 0) return operation;
    const { by } = thingsOf(operation, {}).flatMap((each) => lastTaking(each) ?? [])[0] ?? {};
    if (!by || by.id === operation.id || operation.method === 'PUT' || variablesIn(by.path).length > 0) return null;
    const steps = stepsOf(by);
    return steps.length > 0 && !steps.some((each) => each.id === operation.id || usesUp(each)) ? by : null;
  }

  // A bad key is named after the good one that it resembles, and owns nothing.
  const ownerOf = ({ key, operation, fault }: RequestSpec): string =>
    key?.startsWith('key-') && fault !== 'bad-key' ? key : (owners.get(operation.id) ?? 'key-1');

  const nameOf = (spec: RequestSpec): string => `${ownerOf(spec)} ${spec.operation.id}`;

  return {
    supplyOf: (spec) => (spec.operation.prepare.length > 0 ? `supply of ${nameOf(spec)}` : null),
    stands(spec) {
      const supply = settled.get(nameOf(spec));
      return supply === undefined || isWhole(supply) || restorer(spec.operation) === null;
    },
    taken(operation, things) {
      taken += 1;
      for (const thing of things) takings.set(thing, { at: taken, by: operation });
    },
    async for(spec) {
      const { operation, experiment } = spec;
      const source = restorer(operation);
      if (source === null) return {};
      const name = nameOf(spec);
      const known = settled.get(name);
      if (now() >= (backs.get(name) ?? Number.POSITIVE_INFINITY)) supplies.delete(name);
      const existing = supplies.get(name);
      if (existing && (known === undefined || isWhole(known))) return (await existing).captured;
      const owner = ownerOf(spec);
      const making = make(source, operation, owner, experiment);
      supplies.set(name, making);
      settled.delete(name);
      backs.delete(name);
      if (!owners.has(operation.id)) owners.set(operation.id, owner);
      try {
        const supply = await making;
        settled.set(name, supply);
        return supply.captured;
      } catch (error) {
        const own = source === operation;
        if (usesUp(operation) || !own) supplies.delete(name);
        if (error instanceof PreparationFailed && error.back !== null) {
          backs.set(name, error.back);
          // Another key may have room for it: the next that asks with one of its own.
          owners.delete(operation.id);
        }
        if (own || !(error instanceof PreparationFailed)) throw error;
        // What others take away may yet be there: that is for the request itself to show.
        return {};
      }
    },
  };
}
