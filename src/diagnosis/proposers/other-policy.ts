import { LIMITS } from '../../catalogue/limits.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Event, History } from '../../oracle/history.ts';
import { FORGETFUL, MARKED } from '../../oracle/shapes.ts';
import type { Kind } from '../../trace/exchange.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { limitTold, untold, type World } from '../world.ts';
import { UNJUDGED_BITS } from './header-bits.ts';

/** Bits to state which status identifies the answers, and which of their headers are wrong: one, the other, or both. */
const ANSWERS_BITS = 2;
const HEADERS_BITS = Math.log2(3);

/**
 * Answers with some statuses whose headers belong to another policy: all state one limit that does not apply, or, of
 * failed requests of either kind, some do. Their Remaining or Reset does not follow from what the limiter does.
 */
export function* proposeOtherPolicies(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.remaining || !world.layers.reset) return;
  const answered = answersOf(world.histories);
  const byStatus = Map.groupBy(answered, statusOf);
  // One error handler serves both kinds.
  const failing = [...answered, ...answersOf(otherKind)].filter(({ event }) => event.outcome === 'failed');
  const handled = new Set(failing.filter(isOther).map(statusOf));
  const wrong = [...byStatus].filter(([status, all]) => handled.has(status) || all.every(isOther));
  const limits = new Set(wrong.flatMap(([, all]) => all.filter(isOther).map(({ event }) => limitTold(event))));
  const [limit] = limits;
  if (limits.size !== 1 || limit === null || limit === undefined) return;
  const statuses = wrong.flatMap(([status]) => status ?? []).sort((one, other) => one - other);
  const only = statuses.length === byStatus.size ? 'all' : { statuses };
  yield* withHeadersOf(world, kind, { statuses, only, change: 'no rule', bits: bitsOfNumber(limit) });
}

/**
 * Failed requests whose answers say that the whole limit is left, whatever was used: what writes them knows the limit
 * and no budget, and makes up a marker, too. For a key without an open window that is as it should be.
 */
export function* proposeNominalHeaders(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.remaining || !world.layers.reset) return;
  const isFailed = ({ event }: Answer): boolean => event.outcome === 'failed';
  const isWhole = ({ event, limit }: Answer): boolean => event.remaining === limit;
  // One error handler serves both kinds.
  const failed = Map.groupBy(answersOf([...world.histories, ...otherKind]).filter(isFailed), statusOf);
  const statuses = [...failed].flatMap(([status, all]) => (status !== null && all.every(isWhole) ? status : []));
  const [answer] = answersOf(world.histories).filter(
    (each) => isFailed(each) && statuses.includes(statusOf(each) ?? 0),
  );
  if (!answer) return;
  statuses.sort((one, other) => one - other);
  yield* withHeadersOf(world, kind, { statuses, only: { statuses }, change: { constant: answer.limit }, bits: 0 });
}

/**
 * Answers some of which state the limit of the other kind, though others to the same operation with the same status
 * state their own: all three headers are those of another request, which may have any values.
 */
export function* proposeOverwritten(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.remaining || !world.layers.reset) return;
  const answered = answersOf(world.histories).filter(({ event }) => limitTold(event) !== null);
  const known = [LIMITS.read, LIMITS.write];
  if (!answered.every(({ event }) => known.includes(limitTold(event) ?? 0))) return;
  const alike = Map.groupBy(answered, ({ event }) => `${event.exchange.operation} ${event.exchange.status}`);
  if (![...alike.values()].some((each) => each.some(isOther) && !each.every(isOther))) return;
  const parameters = { kinds: [kind], change: 'another request', only: 'all' } as const;
  yield {
    deviations: [{ operator: 'remaining-header', parameters }],
    bits: DEVIATION_BITS + UNJUDGED_BITS,
    world: {
      ...untold(world, ['remaining', 'reset'], () => true),
      shapes: world.shapes.filter((shape) => MARKED.includes(shape) && FORGETFUL.includes(shape)),
    },
  };
}

/** Which answers have headers that another budget than theirs fills, and how. */
interface Foreign {
  readonly statuses: readonly number[];
  readonly only: 'all' | { readonly statuses: readonly number[] };
  readonly change: 'no rule' | { readonly constant: number };
  /** Bits to state the change. */
  readonly bits: number;
}

/** Worlds in which Remaining, Reset or both tell nothing on these answers. */
function* withHeadersOf(world: World, kind: Kind, { statuses, only, change, bits }: Foreign): Iterable<Proposal> {
  const isMeant = ({ exchange }: Event): boolean => exchange.status !== null && statuses.includes(exchange.status);
  const wrongly = {
    remaining: { operator: 'remaining-header', parameters: { kinds: [kind], change, only } },
    reset: { operator: 'marker-header', parameters: { kinds: [kind], change: 'no rule', only } },
  } satisfies Record<string, Deviation>;
  const shapes = world.shapes.filter((shape) => MARKED.includes(shape) && FORGETFUL.includes(shape));
  for (const headers of [['remaining'], ['reset'], ['remaining', 'reset']] as const) {
    yield {
      deviations: headers.map((header) => wrongly[header]),
      bits: DEVIATION_BITS + bits + ANSWERS_BITS + HEADERS_BITS,
      world: { ...untold(world, headers, isMeant), shapes },
    };
  }
}

/** An answer that belongs to a budget, and the limit of that budget. */
interface Answer {
  readonly event: Event;
  readonly limit: number;
}

function answersOf(histories: readonly History[]): readonly Answer[] {
  return histories.flatMap(({ events, limit }) =>
    events.flatMap((event) => (event.outcome === 'unclear' ? [] : [{ event, limit }])),
  );
}

function statusOf({ event }: Answer): number | null {
  return event.exchange.status;
}

function isOther({ event, limit }: Answer): boolean {
  return limitTold(event) !== limit;
}
