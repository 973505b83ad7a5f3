import type { Deviation } from '../../deployment/operators.ts';
import type { Event, History } from '../../oracle/history.ts';
import { FORGETFUL, MARKED } from '../../oracle/shapes.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { limitTold, untold, type World } from '../world.ts';

/** Bits to state which status identifies the answers, and which of their headers are wrong: one, the other, or both. */
const ANSWERS_BITS = 2;
const HEADERS_BITS = Math.log2(3);

/**
 * Answers with some statuses whose headers belong to another policy: all state one limit that does not apply, or, of failed
 * requests of either kind, some do. Their Remaining or Reset does not follow from what the limiter does.
 */
export function* proposeOtherPolicies(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.remaining || !world.layers.reset) return;
  const answered = answersOf(world.histories);
  const byStatus = Map.groupBy(answered, ({ event }) => event.exchange.status);
  // One error handler serves both kinds.
  const failing = [...answered, ...answersOf(otherKind)].filter(({ event }) => event.outcome === 'failed');
  const handled = new Set(failing.filter(isOther).map(({ event }) => event.exchange.status));
  const wrong = [...byStatus].filter(([status, all]) => handled.has(status) || all.every(isOther));
  const limits = new Set(wrong.flatMap(([, all]) => all.filter(isOther).map(({ event }) => limitTold(event))));
  const [limit] = limits;
  if (limits.size !== 1 || limit === null || limit === undefined) return;
  const statuses = wrong.flatMap(([status]) => status ?? []).sort((one, other) => one - other);
  const only = statuses.length === byStatus.size ? 'all' : { statuses };
  const isMeant = ({ exchange }: Event): boolean => exchange.status !== null && statuses.includes(exchange.status);
  const parameters = { kinds: [kind], change: 'no rule', only } as const;
  const wrongly = {
    remaining: { operator: 'remaining-header', parameters },
    reset: { operator: 'marker-header', parameters },
  } satisfies Record<string, Deviation>;
  const shapes = world.shapes.filter((shape) => MARKED.includes(shape) && FORGETFUL.includes(shape));
  for (const headers of [['remaining'], ['reset'], ['remaining', 'reset']] as const) {
    yield {
      deviations: headers.map((header) => wrongly[header]),
      bits: DEVIATION_BITS + bitsOfNumber(limit) + ANSWERS_BITS + HEADERS_BITS,
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

function isOther({ event, limit }: Answer): boolean {
  return limitTold(event) !== limit;
}
