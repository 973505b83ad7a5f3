import { classOf } from '../../deployment/attribute.ts';
import { isRepeatedByCaches } from '../../deployment/deviations/finer-scope.ts';
import type { Event } from '../../oracle/history.ts';
import type { Kind } from '../../trace/exchange.ts';
import { bitsToChoose, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, type World, withEvents } from '../world.ts';
import { ATTRIBUTE_BITS } from './scope-bits.ts';

/**
 * An operation with fewer answers than these that repeat one from before they were asked for does not show a cache.
 * Requests that are under way together may not see each other's count, too.
 */
const FEWEST_REPEATED = 3;

/** Bits to state how long answers are repeated: one of 128 lengths. */
const LIFETIME_BITS = 7;

/**
 * Bits to state that answers to unsafe requests are repeated, as an application does for a client that sends one twice:
 * one cache of 16. Others write them through (RFC 9111, section 4).
 */
const UNSAFE_BITS = 4;

/** Bits to state that only answers of another status than 200 are repeated. */
const STATUS_BITS = 2;

/** Bits to state that a cache does not distinguish keys. */
const SHARED_BITS = 1;

/** Bits to state that a cache distinguishes the ways of sending a key, as `Vary` asks for. */
const VARY_BITS = 1;

/** Statuses of answers that caches keep: successes, and that a thing does not exist. */
const KEPT = [200, 404] as const;

/**
 * Operations whose answers are repeated from a cache, with the headers of an earlier answer to the same URL. A cache in
 * front of the limiter keeps these requests from being counted; one behind it only repeats the headers. Each key has a
 * cache of its own, also each way of sending it, or all share one.
 */
export function* proposeRepeated(world: World, { kind }: SearchContext): Iterable<Proposal> {
  for (const status of KEPT) {
    const isKept = ({ outcome, exchange }: Event): boolean =>
      status === 200 ? outcome === 'accepted' : outcome === 'failed' && exchange.status === status;
    const apart = world.histories.map(({ events }) => events.filter(isKept));
    yield* repeatedWithin(world, kind, apart, status, 0);
    const byHeader = apart.flatMap((own) => [
      ...Map.groupBy(own, ({ exchange }) => classOf('credential', exchange)).values(),
    ]);
    if (byHeader.length > apart.length) yield* repeatedWithin(world, kind, byHeader, status, VARY_BITS);
    if (apart.length < 2) continue;
    const together = apart.flat().sort((one, other) => one.from - other.from);
    yield* repeatedWithin(world, kind, [together], status, SHARED_BITS);
  }
}

/**
 * @param caches the requests that each cache sees, in the order of their sending
 * @param status that of all their answers
 */
function* repeatedWithin(
  world: World,
  kind: Kind,
  caches: readonly (readonly Event[])[],
  status: (typeof KEPT)[number],
  more: number,
): Iterable<Proposal> {
  const found = caches.flatMap(repeatedIn);
  const later = found.filter(({ isLater, event }) => isLater && event.remaining !== 0);
  const byOperation = Map.groupBy(later, ({ event }) => operationOf(event));
  // One page tells for all operations that a thing does not exist.
  const isShown = (own: readonly unknown[]): boolean => (status === 200 ? own.length : later.length) >= FEWEST_REPEATED;
  const cached = [...byOperation].flatMap(([name, own]) => (isShown(own) ? [name] : [])).sort();
  const isCached = (event: Event): boolean => cached.includes(operationOf(event));
  if (cached.length === 0 || !caches.every((events) => mayBeKept(events.filter(isCached)))) return;
  const unseen = world.histories.flatMap(({ events }) => moreThanBefore(events));
  const repeated = new Set([...found.map(({ event }) => event), ...unseen].filter(isCached));
  const accepted = world.histories.flatMap(({ events }) => events.filter(({ outcome }) => outcome === 'accepted'));
  const all = new Set(accepted.map(operationOf)).size;
  const isSafe = [...repeated].every(({ exchange }) => isRepeatedByCaches(exchange.method));
  const bits = DEVIATION_BITS + LIFETIME_BITS + more + (isSafe ? 0 : UNSAFE_BITS);
  const untold = { remaining: null, reset: null } as const;
  const repeating = (change: Partial<Event>): World =>
    changed(world, (history) =>
      withEvents(history, (event) => (repeated.has(event) ? { ...event, ...untold, ...change } : event)),
    );
  if (status === 200)
    yield {
      deviations: [
        {
          operator: 'finer-scope',
          parameters: {
            ...{ kinds: [kind], attribute: 'operation', blocks: [], exempt: cached },
            ...{ others: cached.length < all ? 'together' : 'none', exemptHeaders: 'repeated' },
          },
        },
      ],
      bits: bits + ATTRIBUTE_BITS + bitsToChoose(all, cached.length),
      world: repeating({ outcome: 'uncounted' }),
    };
  yield {
    deviations: [
      { operator: 'remaining-header', parameters: { kinds: [kind], change: 'repeated', only: { statuses: [status] } } },
    ],
    // A cache behind the limiter is usually in front of the whole application.
    bits: bits + (status === 200 ? 0 : STATUS_BITS),
    world: repeating({}),
  };
}

/**
 * Requests with the headers of an earlier answer to the same URL, and whether they were sent after that answer.
 * Each that is counted has its own Remaining in a window.
 */
function repeatedIn(events: readonly Event[]): readonly { readonly event: Event; readonly isLater: boolean }[] {
  const told = events.filter(({ remaining }) => remaining !== null);
  const alike = Map.groupBy(
    told,
    ({ exchange, remaining, reset }) => `${exchange.method} ${exchange.target} ${remaining} ${reset}`,
  );
  return [...alike.values()].flatMap((answers) => {
    const [original, ...others] = answers.sort((one, other) => one.to - other.to);
    return original ? others.map((event) => ({ event, isLater: event.from > original.to })) : [];
  });
}

/** Answers that tell more than the one before in their window: they repeat one whose headers were not judged. */
function moreThanBefore(events: readonly Event[]): readonly Event[] {
  let before: Event | null = null;
  return events.flatMap((event) => {
    if (event.outcome !== 'accepted' || event.remaining === null) return [];
    const isMore =
      before !== null &&
      before.to < event.from &&
      before.reset === event.reset &&
      event.remaining > (before.remaining ?? 0);
    if (!isMore) before = event;
    return isMore ? [event] : [];
  });
}

/**
 * Whether a cache may have kept these answers, all equally long: none to the same URL was fresh while an earlier one
 * was as old as one that was repeated elsewhere. Requests that see the count late get equal answers at any age.
 */
function mayBeKept(events: readonly Event[]): boolean {
  let oldest = 0;
  let soonest = Number.POSITIVE_INFINITY;
  const byUrl = Map.groupBy(
    events.filter(({ remaining }) => (remaining ?? 0) > 0),
    ({ exchange }) => `${exchange.method} ${exchange.target}`,
  );
  for (const own of byUrl.values()) {
    // Of those that were fresh at the same time, any may be kept.
    let kept: Event[] = [];
    for (const event of own) {
      const original = kept.find(({ remaining, reset }) => event.remaining === remaining && event.reset === reset);
      const isBeside = kept.some(({ to }) => event.from <= to);
      if (original) oldest = Math.max(oldest, event.from - original.to);
      else if (isBeside) kept.push(event);
      else {
        for (const { from } of kept) soonest = Math.min(soonest, event.to - from);
        kept = [event];
      }
    }
  }
  return oldest <= soonest;
}

function operationOf({ exchange }: Event): string {
  return classOf('operation', exchange);
}
