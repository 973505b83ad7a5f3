import { classOf, isOfClass } from '../../deployment/attribute.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { Kind } from '../../trace/exchange.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { byWindow, isDecided, leftOpen, type World } from '../world.ts';
import { bitsAmongAll, inAll, type Loss, lossIn } from './losses.ts';
import { CALM, crowdsIn, lostIn } from './overshoot.ts';
import { COUNTED_BY } from './weight.ts';

/** Bits to state how often it happens. */
const RATE_BITS = 4;

/**
 * Requests over the limit that are sometimes let through. Nothing was left before they were sent and after them, and
 * until then requests were counted one by one. It stays open which of the requests that left nothing were counted.
 */
export function* proposeAdmissions(world: World, { kind }: SearchContext): Iterable<Proposal> {
  yield* ofClasses(world, kind);
  const accepted = new Set(world.histories.flatMap(({ events }) => events.filter(isAccepted)));
  const crowds = world.histories.flatMap(({ events }) => crowdsIn(events, accepted));
  const alone = world.histories.reduce((sum, history) => sum + letThrough(history, CALM).length, 0);
  const together = crowds.reduce((sum, crowd) => {
    return sum + Math.max(0, crowd.filter(({ remaining }) => remaining === 0).length - 1);
  }, 0);
  const through = crowds.every((crowd) => lostIn(crowd, world.window).lost === 0) ? Math.max(alone, together) : alone;
  if (through === 0) return;
  // Nothing shows in which order simultaneous requests were decided, so only the number let through in each group is
  // stated.
  const admitted = world.histories.flatMap((history) => admittedIn(history, world.window));
  const all = inAll(admitted);
  if (all.lost === 0) return;
  yield {
    deviations: [
      {
        operator: 'sporadic-admission',
        parameters: {
          kinds: [kind],
          oneIn: Math.max(2, Math.round(all.of / all.lost)),
          which: 'over the limit',
        },
      },
    ],
    bits: DEVIATION_BITS + RATE_BITS + bitsAmongAll(admitted),
    world: leftOpen(world, (event) => isServed(event) && event.remaining === 0),
  };
}

/** Classes of requests that are counted but never refused: nothing was left before some of them were sent. */
function* ofClasses(world: World, kind: Kind): Iterable<Proposal> {
  const all = world.histories.flatMap(({ events }) => events);
  const refusedOnes = all.filter(({ outcome }) => outcome === 'refused');
  const over = world.histories.flatMap((history) => letThrough(history, 0));
  for (const attribute of COUNTED_BY) {
    const namesOf = (events: readonly Event[]) => new Set(events.map(({ exchange }) => classOf(attribute, exchange)));
    const refused = namesOf(refusedOnes);
    const classes = [...namesOf(over)].filter((each) => !refused.has(each)).sort();
    const of = { attribute, classes };
    const isMeant = ({ exchange }: Event): boolean => isOfClass(of, exchange);
    if (classes.length === 0) continue;
    yield {
      deviations: [
        { operator: 'sporadic-admission', parameters: { kinds: [kind], oneIn: 1, which: 'over the limit', of } },
      ],
      bits: DEVIATION_BITS + classes.length * bitsOfNumber(namesOf(all).size),
      world: leftOpen(world, (event) => isServed(event) && event.remaining === 0 && isMeant(event)),
    };
  }
}

/**
 * The requests of a budget that were let through after the budget was spent, and left nothing.
 *
 * @param pause µs between the two. Without it, they might be simultaneous requests that did not see each other's count
 */
export function letThrough({ events }: History, pause: number): readonly Event[] {
  let spent = Number.POSITIVE_INFINITY;
  const through: Event[] = [];
  for (const event of events) {
    const left = event.outcome === 'refused' ? 0 : isAccepted(event) ? event.remaining : null;
    if (left === null) continue;
    if (left > 0) spent = Number.POSITIVE_INFINITY;
    else if (isAccepted(event) && event.from > spent + pause) through.push(event);
    else spent = Math.min(spent, event.to);
  }
  return through;
}

/**
 * Of the requests that came when nothing was left, how many were let through, for each group of simultaneous ones of a
 * window. Answers may tell what was left after later requests, so it is the most that is told which shows how many the
 * group could take.
 */
function admittedIn({ events, unit }: History, window: number): readonly Loss[] {
  const decided = events.filter(isDecided);
  const windows = decided.some(({ reset }) => reset !== null) ? byWindow(decided, window, unit) : null;
  return (windows ?? [decided]).flatMap((own) => {
    let isSpent = false;
    return crowdsIn(own, new Set(own)).map((crowd) => {
      const most = crowd.reduce((least, { remaining }) => Math.max(least, remaining ?? 0), 0);
      const room = most > 0 ? most + 1 : isSpent ? 0 : 1;
      const { lost: passed, of } = lossIn(crowd, isAccepted);
      const lost = Math.max(0, passed - room);
      const last = crowd.at(-1);
      isSpent = last?.outcome === 'refused' || last?.remaining === 0;
      return { lost, of: of - passed + lost };
    });
  });
}

function isAccepted({ outcome }: Event): boolean {
  return outcome === 'accepted';
}

/** Whether the limiter let it through: a request that fails for another reason counts, too. */
export function isServed({ outcome }: Event): boolean {
  return outcome === 'accepted' || outcome === 'failed';
}
