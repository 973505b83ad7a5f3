import type { Deviation } from '../../deployment/operators.ts';
import type { Event } from '../../oracle/history.ts';
import { FORGETFUL, MARKED } from '../../oracle/shapes.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { limitTold, untold, type World } from '../world.ts';

/** Bits to state which status identifies the answers, and which of their headers are wrong: one, the other, or both. */
const ANSWERS_BITS = 2;
const HEADERS_BITS = Math.log2(3);

/**
 * Answers with some statuses whose headers belong to another policy: all state one limit that does not apply, and their
 * Remaining or Reset does not follow from what the limiter does.
 */
export function* proposeOtherPolicies(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.remaining || !world.layers.reset) return;
  const answered = world.histories.flatMap(({ events, limit }) =>
    events.flatMap((event) => (event.outcome === 'unclear' ? [] : [{ event, limit }])),
  );
  const byStatus = Map.groupBy(answered, ({ event }) => event.exchange.status);
  const wrong = [...byStatus].filter(([, all]) => all.every(({ event, limit }) => limitTold(event) !== limit));
  const limits = new Set(wrong.flatMap(([, all]) => all.map(({ event }) => limitTold(event))));
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
