import type { Event, History } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { inOrder, upToEnd, type World } from '../world.ts';
import { severalKeys } from './sharing.ts';

/** Bits to state that it is the connection's first key, and not its last one. */
const FIRST_BITS = 1;

/** Requests that are charged to the key that was used first on their connection. */
export function* proposeConnections(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  const { histories } = world;
  if (severalKeys(world).length === 0) return;
  const all = [...histories, ...otherKind];
  const payerOf = firstKeys(all);
  const charged = histories.map((history) =>
    history.events.map((event) => ({ event, history, payer: payerOf(event) ?? history.key })),
  );
  // If all requests of each key are charged to one key, this is plainer said of the keys.
  if (charged.every((own) => new Set(own.map(({ payer }) => payer)).size === 1)) return;
  // Where one history has ended, its later requests may have been the first of a connection.
  const until = all.reduce((least, history) => Math.min(least, history.until), Number.POSITIVE_INFINITY);
  const budgets = [...Map.groupBy(charged.flat(), ({ payer }) => payer)].flatMap(([key, own]): readonly History[] => {
    const [first] = own;
    const history = histories.find((each) => each.key === key) ?? first?.history;
    const events = upToEnd(inOrder(own.map(({ event }) => event)), until);
    return history ? [{ ...history, key, events, until }] : [];
  });
  yield {
    deviations: [{ operator: 'shared-keys', parameters: { kinds: [kind], blocks: 'of the connection' } }],
    bits: DEVIATION_BITS + FIRST_BITS,
    world: { ...world, histories: budgets },
  };
}

/** The key that was used first on the connection of a request; null if that is not known. */
export function firstKeys(histories: readonly Pick<History, 'events'>[]): (event: Event) => string | null {
  const first = new Map<number, { readonly key: string; readonly from: number }>();
  for (const { events } of histories) {
    for (const { from, exchange } of events) {
      const { key, connection } = exchange;
      const known = first.get(connection);
      if (key !== null && (!known || from < known.from)) first.set(connection, { key, from });
    }
  }
  return ({ exchange }) => first.get(exchange.connection)?.key ?? null;
}
