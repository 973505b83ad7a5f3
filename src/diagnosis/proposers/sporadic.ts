import type { Contradiction } from '../../oracle/check.ts';
import type { MechanismName } from '../../oracle/explain.ts';
import { firstContradiction } from '../../oracle/first-contradiction.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { phaseByMarkers } from '../../oracle/marker-phase.ts';
import { type Shape, variantOf } from '../../oracle/shapes.ts';
import type { Work } from '../../oracle/work.ts';
import { anyCounting, groupsOf } from '../fit.ts';
import type { BackgroundTraffic } from '../others.ts';
import { bitsOfNumber, bitsToChoose, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { type World, withEvents } from '../world.ts';
import { crowdedIn, crowdsIn, lostIn } from './crowd.ts';
import { forgotten } from './losses.ts';
import { notCounted } from './weight.ts';

/** Answers of one budget that show that too many are taken for counted, at the most. */
const MOST_ROUNDS = 60;

/** How many mechanisms are tried, those first that explain most budgets. */
const MOST_SHAPES = 2;

/** Bits to say how often it happens. */
const RATE_BITS = 4;

/** Mechanisms that are tried whichever are likely: a run in which much is forgotten makes all of them unlikely. */
const PLAIN: readonly MechanismName[] = ['grid', 'anchored', 'log', 'counter', 'counter, anchored'];

/** The plain mechanisms, and before them those that explain most budgets. */
function plainAnd(likely: readonly Shape[]): readonly Shape[] {
  const plain = likely.filter(({ mechanism, lag, reset, refusedCounted }) => {
    return lag === 0 && reset === 'oldest' && !refusedCounted && PLAIN.includes(mechanism);
  });
  return [...new Set([...likely.slice(0, MOST_SHAPES), ...plain])];
}

/** Accepted requests that were not counted now and then: put where the first answer is that leaves too much. */
export function* proposeForgotten(world: World, { kind, likely, work }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  for (const shape of plainAnd(likely)) {
    const found = world.histories.map((history) => forgottenIn(history, shape, work));
    if (found.some((each) => each === null)) continue;
    const all = new Set(found.flatMap((each) => each ?? []));
    if (all.size === 0) continue;
    // Those over the limit are let through, whatever they cost.
    if ([...all].every(({ remaining }) => remaining === 0)) return;
    const seqs = new Set([...all].map(({ exchange }) => exchange.seq));
    const losses = world.histories.flatMap(({ events }) => {
      const crowded = new Set(crowdedIn(events, 0));
      const alone = events.filter((event) => event.outcome === 'accepted' && !crowded.has(event));
      return [...crowdsIn(events, crowded), ...alone.map((event) => [event])].map((crowd) => ({
        // Requests at once may each have been the one that was told so: together they tell how many are missing.
        lost: Math.max(lostIn(crowd).lost, crowd.filter(({ exchange }) => seqs.has(exchange.seq)).length),
        of: crowd.length,
      }));
    });
    yield {
      ...forgotten(kind, losses),
      world: notCounted(world, ({ exchange }) => seqs.has(exchange.seq)),
      // Which requests these were is known but roughly, so that only what found them has held them against the histories.
      explained: { shape },
    };
    return;
  }
}

/**
 * Accepted requests that cost two now and then: what use by others would explain as well. What tells them apart is how many are missing in
 * each minute of each key: as many as go with the run's own requests, or as others happen to come.
 */
export function* proposeDoubled(world: World, { kind, background }: SearchContext): Iterable<Proposal> {
  if (!background || new Set(background.episodes.map(({ key }) => key)).size < 2) return;
  const minutes = world.histories.flatMap((history) => minutesOf(history, background));
  // Each that cost two was one of the run's own.
  if (minutes.some(({ missing, accepted }) => missing > accepted)) return;
  const accepted = minutes.reduce((sum, each) => sum + each.accepted, 0);
  const { requests } = background;
  const rate = requests / accepted;
  const mean = requests / minutes.length;
  const withOwn = minutes.reduce((sum, each) => sum + binomialBits(each.missing, each.accepted, rate), 0);
  const atAnyTime = minutes.reduce((sum, each) => sum + poissonBits(each.missing, mean), 0);
  const inBursts = background.episodes.reduce((sum, { requests }) => sum + bitsOfNumber(requests), minutes.length);
  // Others leave out as many in a minute with few requests of the run: those who come at any time, and those who come in bursts.
  const saved = Math.min(atAnyTime, inBursts) - withOwn;
  if (saved <= 0) return;
  yield {
    deviations: [
      {
        operator: 'sporadic-weight',
        parameters: { kinds: [kind], oneIn: Math.max(1, Math.round(1 / rate)), weight: 2 },
      },
    ],
    // All but how many there are in each minute is as with others: when they came.
    bits: DEVIATION_BITS + RATE_BITS + Math.max(withOwn, background.bits - saved),
    world,
    explained: { shape: null },
  };
}

/** How many requests of a budget were accepted in each minute of it, and how many others are missing then. */
function minutesOf(
  { key, events }: History,
  background: BackgroundTraffic,
): readonly { readonly accepted: number; readonly missing: number }[] {
  const minuteOf = ({ from }: Event): number => Math.floor((from - (events[0]?.from ?? 0)) / WINDOW);
  const accepted = Map.groupBy(
    events.filter(({ outcome }) => outcome === 'accepted'),
    minuteOf,
  );
  const episodes = Map.groupBy(
    background.episodes.filter((each) => each.key === key),
    ({ event }) => minuteOf(event),
  );
  return [...new Set([...accepted.keys(), ...episodes.keys()])].map((minute) => ({
    accepted: accepted.get(minute)?.length ?? 0,
    missing: (episodes.get(minute) ?? []).reduce((sum, { requests }) => sum + requests, 0),
  }));
}

/** Bits to say that m requests came in a time in which so many come on average (Shannon 1948). */
function poissonBits(m: number, mean: number): number {
  let bits = mean / Math.LN2 - m * Math.log2(mean);
  for (let i = 2; i <= m; i++) bits += Math.log2(i);
  return bits;
}

/** Bits to say that m of n happened, of which each does with this probability (Shannon 1948). */
function binomialBits(m: number, n: number, rate: number): number {
  if (rate <= 0 || rate >= 1) return 0;
  return -bitsToChoose(n, m) - m * Math.log2(rate) - (n - m) * Math.log2(1 - rate);
}

/** The requests of one budget that were not counted, if it is that which contradicts the mechanism; null: it is not. */
function forgottenIn(history: History, shape: Shape, work: Work): readonly Event[] | null {
  const groups = groupsOf([history]);
  const variant = variantOf(shape, anyCounting(groups));
  const hint = phaseByMarkers(history);
  const forgotten: Event[] = [];
  let current = history;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const contradiction = firstContradiction(variant, current, hint, work);
    if (!contradiction) return forgotten;
    const chosen = contradiction && surplusAt(contradiction, current);
    if (!chosen) return null;
    forgotten.push(...chosen);
    const seqs = new Set(chosen.map(({ exchange }) => exchange.seq));
    current = withEvents(current, (other) =>
      seqs.has(other.exchange.seq) ? { ...other, outcome: 'uncounted' } : other,
    );
  }
  return null;
}

/**
 * The requests that cannot have been counted, where too many had been before an answer: the last ones before it, those first that
 * overlapped another. Over the limit it is the request itself; in a window that took in too many, those that found nothing
 * left. Null where it is not that which contradicts the mechanism.
 */
function surplusAt({ kind, event, allowed, span }: Contradiction, history: History): readonly Event[] | null {
  const { events, limit, shown } = history;
  if (span) {
    const inside = events.filter(
      ({ outcome, from, to }) => outcome === 'accepted' && from >= span.sureFrom && to <= span.endLow,
    );
    const spent = inside.filter(({ remaining }) => remaining === 0).slice(1);
    return lastOf(spent.length > 0 ? spent : inside, spent.length > 0 ? spent.length : inside.length % limit || 1);
  }
  if (event?.outcome !== 'accepted' || !allowed) return null;
  const surplus = event.remaining === null ? 0 : event.remaining - (shown - 1 - allowed.low);
  // What others say is left, too, was left for one of them: it may as well be this one that was not counted.
  if (surplus <= 0) return allowed.low + 1 > limit || kind === 'remaining' ? [event] : null;
  const before = events.filter(({ outcome, to }) => outcome === 'accepted' && to < event.from);
  // Up to the last one that came alone, all had been counted: what was forgotten came later, or is that one.
  const crowded = new Set(crowdedIn(before, 0));
  const alone = before.findLastIndex((each, index) => !crowded.has(each) && index < before.length - 1);
  return lastOf(before.slice(Math.max(0, alone)), surplus);
}

/** The last ones, those first that overlapped another; null where there are not so many. */
function lastOf(events: readonly Event[], count: number): readonly Event[] | null {
  const crowded = crowdedIn(events, 0);
  const chosen = (crowded.length >= count ? crowded : events).slice(-count);
  return chosen.length === count && count > 0 ? chosen : null;
}
