import type { Operation, Profile } from '../profile/profile.ts';
import { usesUp } from '../profile/repetition.ts';
import { variablesIn } from '../profile/template.ts';
import { type Exchange, isFullKey } from '../trace/exchange.ts';
import { withAbove } from '../trace/things.ts';
import { NotSent } from './not-sent.ts';
import type { RequestSpec } from './request-spec.ts';

export type Captured = Readonly<Record<string, string>>;

/** What preparations need. */
export interface Preparing {
  /** Runs one preparing operation and returns what it captured. */
  prepare(step: Operation, captured: Captured, key: string, experiment: string): Promise<Captured>;
  /** The things that the operation addresses, with these values. */
  thingsOf(operation: Operation, captured: Captured): readonly string[];
  /** µs of the run's clock. */
  now(): number;
}

/** What an operation needs could not be created, so the operation was not tried. */
export class PreparationFailed extends NotSent {
  override name = 'PreparationFailed';
  /** µs of the run's clock from which it may be created, because the spent budget is back then; null: unknown. */
  readonly back: number | null;

  constructor(message: string, back: number | null = null) {
    super(message);
    this.back = back;
  }
}

/** Why the operation with this id, which was sent to prepare others, has prepared nothing. */
export function unpreparedText(id: string, { status, failure }: Pick<Exchange, 'status' | 'failure'>): string {
  return `${id}, which prepares other operations, ${status === null ? `got no answer (${failure})` : `answered ${status}`}`;
}

/** Creates what must exist before an operation can be tried, with as few requests as possible. */
export interface Preparations {
  /** @throws PreparationFailed if it cannot be created */
  for(spec: RequestSpec): Promise<Captured>;
  /** Whether what was created for it still exists, as far as the run knows. */
  stands(spec: RequestSpec): boolean;
  /** Reports that an operation may have removed these things. */
  taken(operation: Operation, things: readonly string[]): void;
  /**
   * A name for what is created for the spec's operation. Requests that use it up exclude others by this name. Null:
   * nothing is created.
   */
  supplyOf(spec: RequestSpec): string | null;
}

interface Supply {
  readonly captured: Captured;
  readonly things: readonly string[];
  /** How many things had been removed in this run before it was created. */
  readonly made: number;
}

/**
 * Creates what operations need: once for each key and operation, because a preparation uses the budget; again if
 * something in the run may have removed it, or if it was refused over the limit and the budget is back. A request
 * without a full key gets what the key of its control has created, so that the key is the only difference.
 *
 * An operation without a preparation may address what another operation removes and prepares. Then the preparation of
 * the other one also runs for it.
 */
export function preparations(
  { operations: all }: Pick<Profile, 'operations'>,
  { prepare, thingsOf, now }: Preparing,
): Preparations {
  const operations = new Map(all.map((operation) => [operation.id, operation]));
  const supplies = new Map<string, Promise<Supply>>();
  const settled = new Map<string, Supply>();
  const owners = new Map<string, string>();
  /** When something that was refused over the limit may be created after all, by the name of the supply. */
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
    // A thing removed while a list is read may be captured from that list. What a step changes itself, it creates
    // again.
    let made = taken;
    for (const step of stepsOf(operation)) {
      captured = { ...captured, ...(await prepare(step, captured, key, experiment)) };
      if (usesUp(step)) made = taken;
    }
    return { captured, things: thingsOf(things, captured), made };
  }

  /** The operation whose preparation restores what this one needs and does not create itself. */
  function restorer(operation: Operation): Operation | null {
    if (operation.prepare.length > 0) return operation;
    const { by } = thingsOf(operation, {}).flatMap((each) => lastTaking(each) ?? [])[0] ?? {};
    if (!by || by.id === operation.id || operation.method === 'PUT' || variablesIn(by.path).length > 0) return null;
    const steps = stepsOf(by);
    return steps.length > 0 && !steps.some((each) => each.id === operation.id || usesUp(each)) ? by : null;
  }

  // A bad key is named after the good one that it resembles, and owns nothing.
  const ownerOf = ({ key, operation, fault }: RequestSpec): string =>
    isFullKey(key) && fault !== 'bad-key' ? key : (owners.get(operation.id) ?? 'key-1');

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
          // Another key may have requests left for it: the next request with a key of its own tries.
          owners.delete(operation.id);
        }
        if (own || !(error instanceof PreparationFailed)) throw error;
        // What others may have removed may still exist: the request itself will show it.
        return {};
      }
    },
  };
}
