import type { Deviation } from '../../deployment/operators.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { bitsToChoose, DEVIATION_BITS, type Proposal, type Scene } from '../proposal.ts';
import { changed, unclear, type World, withEvents } from '../world.ts';

/** How long a request may be missing from the count after its answer, in µs: not at all, or as long as nodes take to tell each other. */
const LAGS = [0, 300_000, 5_000_000];

/** Bits to say which of these, and for what is not held against this supposition: in which order requests at once were counted. */
const LAG_BITS = 3;
const UNJUDGED_BITS = 8;

/**
 * Requests that are decided at once, or shortly after each other, and do not see each other's count: which of them were counted is left
 * open, and all others are held to it. That they do not see each other's count shows before the limit is reached as well.
 */
export function* proposeCrowds(world: World, { kind }: Scene): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  for (const [step, lag] of LAGS.entries()) {
    const crowded = new Set(world.histories.flatMap((history) => crowdedIn(history, lag)));
    const repeats = world.histories.flatMap((history) => repeatsIn(history, crowded));
    const told = [...crowded].some(({ remaining }) => remaining !== null);
    if (crowded.size === 0 || (told && isOneByOne(repeats))) continue;
    yield {
      deviations: [deviationOf(lag, kind)],
      bits: DEVIATION_BITS + UNJUDGED_BITS + step * LAG_BITS + bitsOfRepeats(repeats, crowded.size),
      world: changed(world, (history) => withEvents(history, (event) => (crowded.has(event) ? unclear(event) : event))),
    };
  }
}

function deviationOf(lag: number, kind: Scene['kind']): Deviation {
  return lag === 0
    ? { operator: 'lost-updates', parameters: { kinds: [kind], gap: 0, when: 'always' } }
    : { operator: 'late-counting', parameters: { kinds: [kind], lag, answered: 'when decided' } };
}

/** Requests that were let through and under way together with another, or less than `lag` after or before it. */
function crowdedIn({ events }: History, lag: number): readonly Event[] {
  const served = events.filter(({ outcome }) => outcome === 'accepted' || outcome === 'failed');
  let latest = Number.NEGATIVE_INFINITY;
  return served.filter((event, index) => {
    const next = served[index + 1];
    const overlaps = event.from <= latest + lag || (next !== undefined && next.from <= event.to + lag);
    latest = Math.max(latest, event.to);
    return overlaps;
  });
}

/** What several requests of one burst were told that they left, as no two are that are counted one by one. */
export interface Repeat {
  readonly remaining: number;
  readonly times: number;
}

/** Whether no two were told the same while something was left: then they were counted one by one. */
export function isOneByOne(repeats: readonly Repeat[]): boolean {
  return repeats.every(({ remaining }) => remaining === 0);
}

/** What was told more than once in each burst of these requests. */
export function repeatsIn({ events }: History, which: ReadonlySet<Event>): readonly Repeat[] {
  const repeats: Repeat[] = [];
  let told = new Map<number, number>();
  let ended = Number.NEGATIVE_INFINITY;
  const close = (): void => {
    for (const [remaining, times] of told) if (times > 1) repeats.push({ remaining, times });
    told = new Map();
  };
  for (const event of events) {
    if (!which.has(event) || event.outcome !== 'accepted' || event.remaining === null) continue;
    if (event.from > ended + CALM) close();
    told.set(event.remaining, (told.get(event.remaining) ?? 0) + 1);
    ended = Math.max(ended, event.to);
  }
  close();
  return repeats;
}

/** Bits to say which of n were told the same, and how many each time (Elias 1975). */
function bitsOfRepeats(repeats: readonly Repeat[], n: number): number {
  return bitsToChoose(n, repeats.length) + repeats.reduce((sum, { times }) => sum + 2 * Math.log2(times), 0);
}

/** µs without requests after which another burst begins. */
const CALM = 1_000_000;
