import { type Event, type History, singleInteger } from '../../oracle/history.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, type World } from '../world.ts';

/** A limit that no history reaches: nothing is ever refused. */
export const NEVER = Number.MAX_SAFE_INTEGER / 2;

/** Bits to say a number that some header says as well, and at most for one that only the refusals tell. */
const TOLD_BITS = 2;
const UNTOLD_BITS = 7;

/** Bits to say a limit that only the refusals tell: by how far it is off. */
export function bitsOfLimit(limit: number, stated: number): number {
  return Math.min(UNTOLD_BITS, bitsOfNumber(limit - stated));
}

/** The most that the requests of a history can have had left, as their headers say. */
export function highestLeft({ events }: History): number {
  return events.reduce(
    (most, { outcome, remaining }) => (outcome === 'accepted' ? Math.max(most, (remaining ?? -1) + 1) : most),
    0,
  );
}

/**
 * Other limits than the specified one, and other numbers from which Remaining counts down: those that the headers say, those after which
 * requests are refused, and one more or less.
 */
export function* proposeLimits(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const { histories } = world;
  const [first] = histories;
  if (!first) return;
  const stated = first.limit;
  const accepted = histories.flatMap(({ events }) => events.filter(({ outcome }) => outcome === 'accepted'));
  const headers = unique(accepted.map(({ exchange }) => singleInteger(exchange.headers.limit) ?? 0));
  const whole = Math.max(...histories.map(highestLeft));
  const refused = histories.some(({ events }) => events.some(({ outcome }) => outcome === 'refused'));
  const enforced = refused
    ? unique([...headers, whole, ...histories.flatMap(passedBeforeRefusal), stated - 1, stated + 1, stated])
    : [NEVER];
  for (const limit of enforced) {
    // As a rule Remaining counts down from the limit that is enforced.
    for (const shown of unique([limit, stated, whole, ...headers])) {
      if (limit < 1 || shown < 1 || shown >= NEVER || (limit === stated && shown === stated)) continue;
      const told = headers.includes(limit) || limit === whole;
      // That nothing is ever refused is no number to say.
      const numberBits = limit === NEVER ? 0 : told ? TOLD_BITS : bitsOfLimit(limit, stated);
      const limitBits = limit === stated ? 0 : DEVIATION_BITS + numberBits;
      const shownBits = shown === limit || shown === stated ? 0 : UNTOLD_BITS;
      const lone = limit === stated ? DEVIATION_BITS : 0;
      yield {
        deviations: [
          limit === stated
            ? {
                operator: 'remaining-header',
                parameters: { kinds: [kind], change: { offset: shown - stated }, only: 'all' },
              }
            : {
                operator: 'other-limit',
                parameters: {
                  kind,
                  limit: limit === NEVER ? null : limit,
                  limitHeader: headers[0] ?? stated,
                  remainingFrom: shown,
                  from: 'always',
                },
              },
        ],
        bits: lone + limitBits + shownBits,
        world: changed(world, (history) => ({ ...history, limit, shown })),
      };
    }
  }
}

/** How many passed before the first refusal: with the requests that overlap it, and without. */
function passedBeforeRefusal({ events }: History): readonly number[] {
  const refusal = events
    .filter(({ outcome }) => outcome === 'refused')
    .reduce<Event | null>((one, other) => (one && one.to <= other.to ? one : other), null);
  if (!refusal) return [];
  const before = events.filter(({ from }) => from <= refusal.to + BURST);
  return [...passed(before.filter(({ to }) => to < refusal.from)), ...passed(before)];
}

/** How many of some requests passed the limiter: those accepted, and with them those that failed, which may be counted, too. */
export function passed(events: readonly Event[]): readonly number[] {
  const accepted = events.filter(({ outcome }) => outcome === 'accepted').length;
  const failed = events.filter(({ outcome }) => outcome === 'failed').length;
  return failed === 0 ? [accepted] : [accepted, accepted + failed];
}

/** µs in which the rest of a burst is answered after its first refusal: the longest that a client waits for a slow target. */
const BURST = 5_000_000;

function unique(values: readonly number[]): readonly number[] {
  return [...new Set(values.filter((value) => value > 0))];
}
