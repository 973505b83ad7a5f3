import { badKeyNamed } from '../../catalogue/key-states.ts';
import type { AnonymousCharged } from '../../deployment/deviations/anonymous-charged.ts';
import type { Event, History } from '../../oracle/history.ts';
import { toEvent } from '../../oracle/make-history.ts';
import { UNREADABLE } from '../../oracle/marker.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import type { World } from '../world.ts';
import { alsoCharged, chargedHere } from './charged.ts';

/**
 * Bits to state which of four classes of requests are charged, and to which key: the one used last, at all or on the
 * connection, the one that theirs resembles, or always the same.
 */
export const CHARGED_BITS = Math.log2(4) + Math.log2(4);

/**
 * Requests without an accepted key that are charged to a key: to one, or to the one used last, at all or on their
 * connection.
 */
export function* proposeAnonymous(world: World, { kind, otherKind, anonymous }: SearchContext): Iterable<Proposal> {
  const { histories } = world;
  const own = anonymous.filter((each) => each.kind === kind && each.answered !== null);
  const classes = [...classesOf(own), ...forbiddenIn(histories)];
  const keys = [...new Set(histories.map(({ key }) => key))];
  const events = [...histories, ...otherKind].flatMap((history) => history.events);
  const onConnection = Map.groupBy(events, ({ exchange }) => exchange.connection);
  const lastUsed = new Map(own.map((each) => [each, lastKeys(events, each)]));
  const lastThere = new Map(own.map((each) => [each, lastKeys(onConnection.get(each.connection) ?? [], each)]));
  for (const { which, certain, open, bits: ofClass } of classes) {
    const requests = [...certain, ...open];
    const targets = [
      // Where both fit, the key that was used last on the connection is also the one that was used last at all.
      { to: { chosen: 'last used' as const }, takers: lastUsed, bits: CHARGED_BITS },
      { to: { chosen: 'same connection' as const }, takers: lastThere, bits: CHARGED_BITS },
      ...keys.map((key) => ({
        ...{ to: key, takers: new Map(requests.map((each) => [each, [key]])) },
        bits: CHARGED_BITS + Math.log2(keys.length),
      })),
    ];
    for (const { to, takers, bits } of targets) {
      const charged = chargedTo(requests, takers, certain, which === 'forbidden');
      yield {
        deviations: [{ operator: 'anonymous-charged', parameters: { which, to } }],
        bits: DEVIATION_BITS + ofClass + bits + bitsToAttribute(requests, takers),
        world: {
          ...world,
          histories: histories.map((history) => alsoCharged(history, charged.get(history.key) ?? [])),
        },
      };
    }
  }
}

/**
 * The requests that each key pays for.
 *
 * @param takers the keys that may pay for a request
 * @param certain those of which one key certainly pays
 * @param forOthers whether no key pays for its own requests
 */
function chargedTo(
  requests: readonly Exchange[],
  takers: ReadonlyMap<Exchange, readonly string[]>,
  certain: readonly Exchange[],
  forOthers: boolean,
): ReadonlyMap<string, readonly Event[]> {
  const sure = new Set(certain);
  const charged = new Map<string, Event[]>();
  for (const each of requests) {
    const payers = takers.get(each) ?? [];
    const event = chargedHere(toEvent(each, UNREADABLE), payers.length === 1 && sure.has(each));
    for (const key of payers) {
      if (forOthers && key === each.key) continue;
      const own = charged.get(key) ?? [];
      own.push(event);
      charged.set(key, own);
    }
  }
  return charged;
}

/** Requests that a limiter may treat alike because it finds no key in them, or none that is accepted. */
interface Class {
  readonly which: Exclude<AnonymousCharged['which'], 'refused'>;
  readonly certain: readonly Exchange[];
  /** They belong to it or not, by how the limiter reads a header. */
  readonly open: readonly Exchange[];
  /** Bits to state which of the open forms do. */
  readonly bits: number;
}

/** The classes of requests without an accepted key, unless they are equal. */
function classesOf(own: readonly Exchange[]): readonly Class[] {
  const without = own.filter(({ fault }) => fault === 'no-key');
  const others = own.filter(({ fault }) => fault === 'bad-key');
  const otherScheme = others.filter(({ variation }) => badKeyNamed(variation)?.family === 'wrong-scheme');
  const empty = others.filter(({ variation }) => variation === 'empty');
  // What follows the word Bearer is often read up to the end by a pattern that allows no space.
  const spaced = others.filter(({ variation, credential }) => variation === 'inner-space' && credential === 'bearer');
  const classes: readonly Class[] = [
    { which: 'no key', certain: without, open: [], bits: 0 },
    { which: 'bad key', certain: others, open: [], bits: 0 },
    { which: 'both', certain: own, open: [], bits: 0 },
    // The rarer ones come last: all of them share the bound of work.
    { which: 'no key', certain: without, open: empty, bits: 1 },
    { which: 'no key or another scheme', certain: [...without, ...otherScheme], open: [...empty, ...spaced], bits: 2 },
  ];
  return classes.filter(
    ({ certain, open }, at) =>
      certain.length > 0 &&
      classes.every((other, index) => index >= at || !isSame(certain, other.certain) || !isSame(open, other.open)),
  );
}

/** Requests that a key lacks permission for: a gateway may charge them as those of another one. */
function forbiddenIn(histories: readonly History[]): readonly Class[] {
  const certain = histories.flatMap(({ events }) =>
    events.flatMap(({ exchange }) => (exchange.status === 403 ? [exchange] : [])),
  );
  return certain.length > 0 ? [{ which: 'forbidden', certain, open: [], bits: 1 }] : [];
}

function isSame(one: readonly Exchange[], other: readonly Exchange[]): boolean {
  return one.length === other.length && one.every((each) => other.includes(each));
}

/** Bits to state how many requests of each burst were charged to each of the keys that may have been used last. */
export function bitsToAttribute(
  requests: readonly Exchange[],
  takers: ReadonlyMap<Exchange, readonly string[]>,
): number {
  const open = requests.filter((each) => (takers.get(each)?.length ?? 0) > 1);
  const bursts = Map.groupBy(open, ({ sent }) => Math.floor(sent / BURST));
  return [...bursts.values()].reduce((sum, burst) => {
    const payers = new Set(burst.flatMap((each) => takers.get(each) ?? []));
    return sum + (payers.size - 1) * Math.log2(burst.length + 1);
  }, 0);
}

/** Requests within this many µs are one burst. */
const BURST = 1_000_000;

/**
 * The keys that may have been used last when this request was decided: that of the latest request that was certainly
 * decided before, and those of all requests that may have been decided after that one.
 */
export function lastKeys(events: readonly Event[], { sent, answered }: Exchange): readonly string[] {
  const end = answered ?? sent;
  let latest = Number.NEGATIVE_INFINITY;
  for (const { from, to } of events) if (to < sent && from > latest) latest = from;
  const keys = new Set<string>();
  for (const { from, to, exchange } of events) {
    if (from <= end && to >= latest && exchange.key !== null) keys.add(exchange.key);
  }
  return [...keys];
}
