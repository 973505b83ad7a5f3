import { LIMITS } from '../../catalogue/limits.ts';
import type { OtherLimit } from '../../deployment/deviations/other-limit.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { Kind } from '../../trace/exchange.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { byMarker, changed, limitTold, type World, withEvents } from '../world.ts';

/** A limit that no history reaches: nothing is ever refused. */
export const NEVER = Number.MAX_SAFE_INTEGER / 2;

/** Bits to state a number that some header states as well, and the most for one that only refusals show. */
export const TOLD_BITS = 2;
const UNTOLD_BITS = 7;

/** Bits to state a limit that only refusals show: by how far it differs from the right one. */
export function bitsOfLimit(limit: number, stated: number): number {
  return Math.min(UNTOLD_BITS, bitsOfNumber(limit - stated));
}

/** The highest number of requests that were left in a history, according to its headers. */
export function highestLeft({ events }: History): number {
  return events.reduce(
    (most, { outcome, remaining }) => (outcome === 'accepted' ? Math.max(most, (remaining ?? -1) + 1) : most),
    0,
  );
}

/**
 * Limits other than that of clause 8, and other numbers from which Remaining counts down: those in the headers, those
 * after which requests are refused, and one more or less. They may hold for all keys or for one. As a second deviation,
 * only the first ones are tried, so the shortest come first.
 */
export function proposeLimits(world: World, { kind }: SearchContext): Iterable<Proposal> {
  return [...limitsOfAll(world, kind)].sort((one, other) => one.bits - other.bits);
}

function* limitsOfAll(world: World, kind: Kind): Iterable<Proposal> {
  const { histories } = world;
  yield* limitsOf(histories, world, kind);
  const byKey = Map.groupBy(histories, ({ key }) => key);
  if (byKey.size < 2) return;
  for (const [key, own] of byKey) {
    for (const { deviations, bits, world: meant } of limitsOf(own, world, kind)) {
      const [deviation] = deviations;
      if (deviation?.operator !== 'other-limit' || !mayBeSet(deviation.parameters)) continue;
      if (isUntold(deviation.parameters) && !own.some(isSpentAgain)) continue;
      const keyBits = 1 + Math.log2(byKey.size);
      yield { deviations: [{ ...deviation, keys: [key] }], bits: bits + keyBits, world: meant };
    }
  }
}

/** Limits that some histories of a world may have, as they tell. The others stay as they are. */
export function* limitsOf(meant: readonly History[], world: World, kind: Kind): Iterable<Proposal> {
  const [first] = meant;
  if (!first) return;
  const stated = first.limit;
  const accepted = meant.flatMap(({ events }) => events.filter(({ outcome }) => outcome === 'accepted'));
  const headers = unique(accepted.map((event) => limitTold(event) ?? 0));
  const limitHeader = headers[0] ?? stated;
  const whole = Math.max(...meant.map(highestLeft));
  const refused = meant.some(({ events }) => events.some(({ outcome }) => outcome === 'refused'));
  const enforced = refused
    ? unique([...headers, whole, ...meant.flatMap(passedBeforeRefusal), stated - 1, stated + 1, stated])
    : unique([...headers, NEVER]);
  for (const limit of enforced) {
    if (limit === NEVER && accepted.every(({ remaining }) => remaining === stated)) {
      yield uncounted(meant, world, { kind, limitHeader });
      continue;
    }
    // Remaining usually counts down from the enforced limit.
    for (const shown of unique([limit, stated, whole, ...headers])) {
      if (limit < 1 || shown < 1 || shown >= NEVER || (limit === stated && shown === stated)) continue;
      const told = headers.includes(limit) || limit === whole || limit === NEVER;
      // If nothing is ever refused, no number needs to be stated, unless the headers have one other than that of clause
      // 8.
      const numberBits = limit === NEVER && limitHeader === stated ? 0 : told ? TOLD_BITS : bitsOfLimit(limit, stated);
      const limitBits = limit === stated ? 0 : DEVIATION_BITS + numberBits;
      const shownBits = shown === limit || shown === stated ? 0 : UNTOLD_BITS;
      const lone = limit === stated ? DEVIATION_BITS : 0;
      const enforcedLimit = limit === NEVER ? null : limit;
      const change = { offset: shown - stated };
      yield {
        deviations: [
          limit === stated
            ? { operator: 'remaining-header', parameters: { kinds: [kind], change, only: 'all' } }
            : {
                operator: 'other-limit',
                parameters: { kind, limit: enforcedLimit, limitHeader, remainingFrom: shown, from: 'always' },
              },
        ],
        bits: lone + limitBits + shownBits,
        ...(limit !== stated && headers.length === 1 && limit === limitHeader && { isStated: true }),
        world: changed(world, (history) => (meant.includes(history) ? { ...history, limit, shown } : history)),
      };
    }
  }
  yield* clampedIn(meant, world, { kind, limitHeader }, enforced);
}

/** Requests that are neither limited nor counted: all is left after each. */
function uncounted(
  meant: readonly History[],
  world: World,
  { kind, limitHeader }: Pick<OtherLimit, 'kind' | 'limitHeader'>,
): Proposal {
  const parameters = { kind, limit: null, limitHeader, remainingFrom: limitHeader, from: 'always' } as const;
  return {
    deviations: [{ operator: 'other-limit', parameters }],
    bits: DEVIATION_BITS,
    world: changed(world, (history) => {
      if (!meant.includes(history)) return history;
      return { ...withEvents(history, (event) => ({ ...event, remaining: null })), limit: NEVER };
    }),
  };
}

/** Higher limits whose Remaining never exceeds the stated limit: where it is as much, more may be left. */
function* clampedIn(
  meant: readonly History[],
  world: World,
  { kind, limitHeader }: Pick<OtherLimit, 'kind' | 'limitHeader'>,
  enforced: readonly number[],
): Iterable<Proposal> {
  const isClamped = ({ outcome, remaining }: Event): boolean => outcome !== 'refused' && remaining === limitHeader;
  if (!meant.some(({ events }) => events.some(isClamped))) return;
  for (const limit of unique([...enforced, ...meant.flatMap((history) => fromBelow(history, limitHeader))])) {
    if (limit <= limitHeader || limit === NEVER) continue;
    const parameters = { kind, limit, limitHeader, remainingFrom: limit, from: 'always', clamped: true } as const;
    yield {
      deviations: [{ operator: 'other-limit', parameters }],
      bits: DEVIATION_BITS + 1 + bitsOfLimit(limit, limitHeader),
      world: changed(world, (history) => {
        if (!meant.includes(history)) return history;
        const told = withEvents(history, (event) => (isClamped(event) ? { ...event, remaining: null } : event));
        return { ...told, limit, shown: limit };
      }),
    };
  }
}

/** The limit that each window shows, by how many requests had passed when it first stated less than this number. */
function fromBelow({ events, unit }: History, stated: number): readonly number[] {
  const told = events.filter(({ outcome, remaining }) => outcome === 'accepted' && remaining !== null);
  return [...byMarker(told, unit ?? 0).values()].flatMap((own) => {
    const left = own.map(({ remaining }) => remaining ?? 0);
    const first = left.reduce((most, each) => (each < stated ? Math.max(most, each) : most), -1);
    return first < 0 ? [] : [first + left.filter((each) => each >= first).length];
  });
}

/**
 * Whether somebody can have set this limit, for one key or for other windows. One more or less comes from a comparison
 * instead.
 */
export function mayBeSet({ kind, limit }: OtherLimit): boolean {
  return limit === null || Math.abs(limit - LIMITS[kind]) !== 1;
}

/** Whether no header states a limit that is lower than that of clause 8. */
function isUntold({ kind, limit, limitHeader, remainingFrom }: OtherLimit): boolean {
  return limit !== null && limit < LIMITS[kind] && limit !== limitHeader && limit !== remainingFrom;
}

/**
 * Whether requests were let through between two refusals, with none of them under way: if a budget was found spent only
 * once, somebody else may have spent it.
 */
function isSpentAgain({ events }: History): boolean {
  let refused = Number.POSITIVE_INFINITY;
  let passed = Number.POSITIVE_INFINITY;
  return events.some(({ outcome, from, to }) => {
    if (outcome === 'accepted' && from > refused) passed = Math.min(passed, to);
    if (outcome !== 'refused') return false;
    refused = Math.min(refused, to);
    return from > passed;
  });
}

/**
 * How many passed before the first refusal: with the requests that overlap it, and without; of all, and of those with
 * its marker.
 */
function passedBeforeRefusal({ events }: History): readonly number[] {
  const refusal = events
    .filter(({ outcome }) => outcome === 'refused')
    .reduce<Event | null>((one, other) => (one && one.to <= other.to ? one : other), null);
  if (!refusal) return [];
  const before = events.filter(({ from }) => from <= refusal.to + BURST);
  const inItsWindow = before.filter(({ reset }) => reset !== null && reset === refusal.reset);
  return [before, inItsWindow].flatMap((each) => [
    ...passed(each.filter(({ to }) => to < refusal.from)),
    ...passed(each),
  ]);
}

/**
 * How many of some requests passed the limiter: those accepted, and the sum with failed ones, which may be counted,
 * too.
 */
export function passed(events: readonly Event[]): readonly number[] {
  const accepted = events.filter(({ outcome }) => outcome === 'accepted').length;
  const failed = events.filter(({ outcome }) => outcome === 'failed').length;
  return failed === 0 ? [accepted] : [accepted, accepted + failed];
}

/**
 * µs in which the rest of a burst is answered after its first refusal: the longest that a client waits for a slow
 * target.
 */
const BURST = 5_000_000;

function unique(values: readonly number[]): readonly number[] {
  return [...new Set(values.filter((value) => value > 0))];
}
