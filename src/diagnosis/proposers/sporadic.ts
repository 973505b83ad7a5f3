import { classOf, isOfClass, type RequestClass } from '../../deployment/attribute.ts';
import type { Event } from '../../oracle/history.ts';
import type { Proposal, SearchContext } from '../proposal.ts';
import { changed, leftOpen, unclear, type World, withEvents } from '../world.ts';
import { letThrough } from './admission.ts';
import { type Drop, dropsOf, gainedBy, lostBy } from './drops.ts';
import { inAll, type Loss, nowAndThen } from './losses.ts';
import { COUNTED_BY } from './weight.ts';

/**
 * Accepted requests that are sometimes not counted: it stays open which ones, and Remaining shows how many. What passes
 * by the limiter is not refused either. Where some were let through when nothing was left, any that left nothing may be.
 */
export function* proposeForgotten(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const isOver = world.histories.some((history) => letThrough(history, 0).length > 0);
  const doubtful = (isMeant: (event: Event) => boolean): World =>
    changed(world, (history) =>
      withEvents(history, (event) => (isAccepted(event) && isMeant(event) ? { ...event, outcome: 'doubtful' } : event)),
    );
  for (const { shapes, drops } of dropsOf(world)) {
    const losses = drops.map(lostBy);
    if (inAll(losses).lost === 0) continue;
    if (isNowAndThen(losses)) {
      const described = nowAndThen(kind, 0, losses);
      yield { ...described, world: { ...doubtful(() => true), shapes } };
      if (isOver) {
        const past = leftOpen(
          doubtful(({ remaining }) => remaining !== 0),
          leftNothing,
        );
        yield { ...described, bits: described.bits + 1, world: { ...past, shapes } };
      }
    }
    for (const { among, bits, parts } of classesWithAll(drops)) {
      const described = nowAndThen(kind, 0, parts, among);
      const isMeant = ({ exchange }: Event): boolean => isOfClass(among, exchange);
      yield { ...described, bits: described.bits + bits, world: { ...doubtful(isMeant), shapes } };
    }
  }
}

/**
 * The classes of requests among which all that were not counted may be, but not all of which were lost, with the bits
 * to state the class.
 */
function* classesWithAll(
  drops: readonly Drop[],
): Iterable<{ readonly among: RequestClass; readonly bits: number; readonly parts: readonly Loss[] }> {
  const lossy = drops.filter((drop) => lostBy(drop).lost > 0);
  for (const attribute of COUNTED_BY) {
    const classesOf = ({ passed }: Drop): string[] => passed.map(({ exchange }) => classOf(attribute, exchange));
    const all = new Set(drops.flatMap(classesOf));
    const able = lossy.slice(1).reduce(
      (some, drop) => some.filter((name) => classesOf(drop).includes(name)),
      lossy.slice(0, 1).flatMap((drop) => [...new Set(classesOf(drop))]),
    );
    for (const name of all.size > 1 ? able : []) {
      const parts = drops.map((drop) => ({
        lost: lostBy(drop).lost,
        of: classesOf(drop).filter((each) => each === name).length,
      }));
      const { lost, of } = inAll(parts);
      if (parts.some((part) => part.lost > part.of) || lost === of) continue;
      const bits = Math.log2(COUNTED_BY.length) + Math.log2(all.size);
      yield { among: { attribute, classes: [name] }, bits, parts };
    }
  }
}

/**
 * Accepted requests that are sometimes counted twice: any of them may have been. Others would have had to send a
 * request at the same moment each time.
 */
export function* proposeDoubled(world: World, { kind }: SearchContext): Iterable<Proposal> {
  for (const { shapes, drops } of dropsOf(world)) {
    const all = drops.map(gainedBy);
    // What only refusals show, the requests before them cost; but if refusals show most of it, they are too early.
    const more = all.filter(({ of }) => of > 0);
    if (inAll(all).lost >= 2 * inAll(more).lost) continue;
    if (more.some(({ lost, of }) => lost > of)) continue;
    yield {
      ...nowAndThen(kind, 2, more),
      world: {
        ...changed(world, (history) => ({
          ...history,
          events: history.events.flatMap((event) => (mayCount(event) ? [event, again(event)] : [event])),
        })),
        shapes,
      },
    };
  }
}

function leftNothing(event: Event): boolean {
  return isAccepted(event) && event.remaining === 0;
}

/** Whether some were lost, but rarely. If it happens about every second time, the cause is another. */
function isNowAndThen(losses: readonly Loss[]): boolean {
  const { lost, of } = inAll(losses);
  return lost > 0 && lost * FEWEST_BETWEEN <= of;
}

/** At most one of this many requests is lost. */
const FEWEST_BETWEEN = 3;

/** One more count of a request. One that failed may be given back both times. */
function again(event: Event): Event {
  return isAccepted(event) ? { ...unclear(event), outcome: 'extra' } : unclear(event);
}

function mayCount({ outcome }: Event): boolean {
  return COUNTS.has(outcome);
}

/** Outcomes of requests that may be counted, even if it is open whether they are. */
const COUNTS: ReadonlySet<Event['outcome']> = new Set(['accepted', 'failed', 'doubtful', 'unclear']);

function isAccepted({ outcome }: Event): boolean {
  return outcome === 'accepted';
}
