import type { EarlyRefusal } from '../../deployment/deviations/early-refusal.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { DEVIATION_BITS, MOMENT_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { inOrder, leftOpen, type World } from '../world.ts';
import { bitsOfLength } from './round.ts';
import { BLOCKS } from './told-blocks.ts';

type AfterFailures = NonNullable<EarlyRefusal['afterFailures']>;

/** By which answers failed requests are known, and the bits to state which of these it is. */
const STATUSES: readonly AfterFailures['statuses'][] = [[404], [400], [400, 404], [400, 403, 404]];
const STATUS_BITS = Math.log2(STATUSES.length);

/** Up to so many failed requests are borne at the most, any number equally likely: a run sends ten in a row. */
const MOST_BORNE = 10;
const COUNT_BITS = Math.log2(MOST_BORNE);

/** How long a key may be turned away, in µs; null: to the end of the run, for which no length is stated. */
const LENGTHS = [...BLOCKS, null];

/**
 * Failed requests are sent at times at which others might spend a budget, so it costs as much as two moments of such
 * use: only what comes again and again shows it. Refusals with some left are not due to others.
 */
const COINCIDENCE_BITS = 2 * MOMENT_BITS;

/** A time in which a key is turned away: between these, it perhaps is, and between the inner ones surely. In µs. */
interface Block {
  readonly perhaps: readonly [number, number];
  readonly surely: readonly [number, number];
}

/**
 * Keys of which all requests are refused for some time, after so many of them have failed within a minute. None is let
 * through then. The rest must be explained without these refusals.
 */
export function* proposeBlocksAfterFailures(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  const found = new Map<number, Proposal>();
  const all = world.histories.map((history) => eventsOfKey(history, otherKind));
  for (const statuses of STATUSES) {
    const failed = all.map((events) => events.filter(({ exchange }) => statuses.includes(exchange.status ?? 0)));
    const most = failed.reduce((least, { length }) => Math.max(least, length), 0);
    for (let count = 1; count <= Math.min(most, MOST_BORNE); count++) {
      for (const length of LENGTHS) {
        const rule = { statuses, count, length };
        const refused = refusedIn(world.histories, failed, rule);
        // A longer block is refuted by the same request.
        if (refused === null) break;
        const proposal = refused.size > 0 ? proposalOf(world, kind, rule, refused) : null;
        if (proposal && proposal.bits < (found.get(refused.size)?.bits ?? Number.POSITIVE_INFINITY))
          found.set(refused.size, proposal);
      }
    }
  }
  // Of those that explain the same refusals, the plainest is enough; most refusals first.
  yield* [...found].sort(([one], [other]) => other - one).map(([, proposal]) => proposal);
}

function proposalOf(
  world: World,
  kind: SearchContext['kind'],
  afterFailures: AfterFailures,
  refused: ReadonlySet<Event>,
): Proposal {
  const { length } = afterFailures;
  const coincidence = [...refused].some(({ remaining }) => (remaining ?? 0) > 0) ? 0 : COINCIDENCE_BITS;
  const parameters = { kinds: [kind], underWay: null, oneIn: 1, afterFailures };
  return {
    deviations: [{ operator: 'early-refusal', parameters }],
    bits: DEVIATION_BITS + coincidence + STATUS_BITS + COUNT_BITS + (length === null ? 0 : bitsOfLength(length)),
    world: leftOpen(world, (event) => refused.has(event)),
  };
}

/** The requests of a key, of both kinds, in order. */
function eventsOfKey({ key, events }: History, otherKind: readonly History[]): readonly Event[] {
  const others = otherKind.filter((other) => other.key === key).flatMap((other) => other.events);
  return inOrder([...events, ...others]);
}

/** What was refused in blocks; null if anything was let through in one. */
function refusedIn(
  histories: readonly History[],
  failed: readonly (readonly Event[])[],
  rule: AfterFailures,
): ReadonlySet<Event> | null {
  const refused = new Set<Event>();
  for (const [at, { events }] of histories.entries()) {
    const blocks = blocksAfter(failed[at] ?? [], rule);
    let next = 0;
    for (const event of events) {
      while ((blocks[next]?.perhaps[1] ?? Number.POSITIVE_INFINITY) < event.from) next += 1;
      const block = blocks[next];
      if (!block || event.to < block.perhaps[0]) continue;
      const [from, until] = block.surely;
      const { status } = event.exchange;
      if (status === 429) refused.add(event);
      // Without an accepted key, it is not known whose request it is.
      else if (status !== null && status !== 401 && event.from > from && event.to < until) return null;
    }
  }
  return refused;
}

function blocksAfter(failed: readonly Event[], { count, length }: AfterFailures): readonly Block[] {
  const blocks: Block[] = [];
  let recent: Event[] = [];
  for (const event of failed) {
    recent = [...recent, event].filter(({ to }) => to > event.to - WINDOW);
    if (recent.length < count) continue;
    recent = [];
    const { from, to } = event;
    const lasts = length ?? Number.POSITIVE_INFINITY;
    blocks.push({ perhaps: [from, to + lasts], surely: [to, from + lasts] });
  }
  return blocks;
}
