import type { Event, History } from '../../oracle/history.ts';
import { aloneIn } from '../../oracle/together.ts';
import { describe } from './proofs.ts';
import type { Shown } from './window-counts.ts';

/**
 * Two answers of one window, and an answer between them that tells another number than they do together. Nothing else
 * was under way from the first one to the last one.
 *
 * @param isMeant whether an answer may tell a wrong number; the two others are not meant
 */
export function toldBetween({ events }: History, isMeant: (event: Event) => boolean): Shown | null {
  const alone = new Set(aloneIn(events));
  const tells = ({ remaining, reset }: Event, first: Event): boolean => remaining !== null && reset === first.reset;
  for (const [at, first] of events.entries()) {
    if (!isCounted(first) || !alone.has(first) || isMeant(first)) continue;
    const end = events.findIndex((event, index) => index > at && !isMeant(event));
    const last = events[end];
    const between = events.slice(at + 1, end);
    const areTold = last && [...between, last].every((event) => alone.has(event) && tells(event, first));
    if (!areTold || !isCounted(last) || between.length === 0) continue;
    const found = wrongAmong(first, between, last);
    if (found) return found;
  }
  return null;
}

function isCounted({ outcome, remaining }: Event): boolean {
  return outcome === 'accepted' && remaining !== null;
}

function wrongAmong(first: Event, between: readonly Event[], last: Event): Shown | null {
  const start = first.remaining ?? 0;
  const counted = start - (last.remaining ?? 0) - 1;
  // Where some are counted and others are not, it is open which.
  if (counted !== 0 && counted !== between.length) return null;
  const leftAfter = (at: number): number => start - (counted === 0 ? 0 : at + 1);
  // A request that is not counted may be counted until it is answered.
  const fits = (event: Event, at: number): boolean =>
    event.remaining === leftAfter(at) || (counted === 0 && event.remaining === start - 1);
  const at = between.findIndex((event, index) => !fits(event, index));
  const wrong = between[at];
  if (!wrong) return null;
  const [one, other, told] = [first, last, wrong].map(({ exchange }) => `#${exchange.seq}`);
  const alone = between.length === 1 ? `nothing but ${told}` : `nothing but ${between.length} requests`;
  const were = counted === 0 ? 'not counted' : 'counted';
  return {
    events: [first, wrong, last],
    argument: [
      ...[first, wrong, last].map(({ exchange }) => describe(exchange)),
      `${one} left ${first.remaining} and ${other} left ${last.remaining}, with ${alone} of the key and kind between them, which ${between.length === 1 ? 'was' : 'were'} ${were}: ${told} left ${leftAfter(at)}, and says ${wrong.remaining}.`,
    ],
  };
}
