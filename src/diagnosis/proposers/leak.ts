import { type Event, type History, type Range, WINDOW } from '../../oracle/history.ts';
import { aloneIn } from '../../oracle/together.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { byMarker, changed, inOrder, type World } from '../world.ts';
import { bitsOfLength, roundestAmid } from './round.ts';

/** Two times always lie at some distance; three at even ones are less often chance. */
const FEWEST = 3;

/** Counts from which one is taken off again and again, at an even rate, before the window ends. */
export function* proposeLeaks(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  const period = periodOf(world.histories);
  if (!period) return;
  // Usually one timer does this for both kinds.
  const other = periodOf(otherKind) ?? period;
  const both = { low: Math.max(period.low, other.low), high: Math.min(period.high, other.high) };
  const every = likeliest(both.low <= both.high ? both : period);
  // What gives back the whole limit in a window is a bucket.
  if (world.histories.some(({ limit }) => every * limit <= WINDOW)) return;
  yield {
    deviations: [
      {
        operator: 'other-mechanism',
        parameters: { kinds: [kind], name: 'leaking window', burst: 1, marker: 'all', every },
      },
    ],
    bits: DEVIATION_BITS + bitsOfLength(every),
    world: changed(world, (history) => ({
      ...history,
      events: inOrder([...history.events, ...leaksOf(history, every)]),
    })),
  };
}

/** In each period, one may be given back at any moment. */
function leaksOf({ events }: History, every: number): readonly Event[] {
  const [first] = events;
  const last = events.at(-1);
  if (!first || !last) return [];
  return Array.from({ length: Math.ceil((last.to - first.from) / every) }, (_, at) => ({
    ...first,
    ...{ from: first.from + at * every, to: first.from + (at + 1) * every },
    ...{ outcome: 'returnable', group: '', remaining: null, reset: null },
  }));
}

/** How long it takes until one more is given back (µs), if all times at which it is seen lie at such distances. */
function periodOf(histories: readonly History[]): Range | null {
  const period = { low: 0, high: Number.POSITIVE_INFINITY };
  let seen = 0;
  for (const { times, from, to } of histories.flatMap(seriesIn)) {
    const [first] = times;
    for (const [at, { low, high }] of times.entries()) {
      if (!first || at === 0) continue;
      period.low = Math.max(period.low, (low - first.high) / at);
      period.high = Math.min(period.high, (high - first.low) / at);
    }
    seen += times.length;
    // So many whole periods, and at most one more, lie between the answers.
    period.low = Math.max(period.low, (to - from) / (times.length + 1));
  }
  return seen >= FEWEST && period.low <= period.high && Number.isFinite(period.high) ? period : null;
}

/** A round period near the one of which just so many lie in the times that bound it: their harmonic mean. */
function likeliest({ low, high }: Range): number {
  const mean = (2 * low * high) / (low + high);
  return roundestAmid({ low: Math.max(low, mean / NEAR), high: Math.min(high, mean * NEAR) });
}

/** Periods that differ by less than this factor are hardly told apart by the few times that a window shows. */
const NEAR = 1.1;

/** Answers of a window, from one time to another (µs), and between which times one was given back each. */
interface Series {
  readonly from: number;
  to: number;
  readonly times: Range[];
}

/**
 * What was given back within each window: an answer leaves more than the one before it, less its own request. Requests
 * that may count or not, and those under way at once, begin a new series, and so does a request that is counted alone:
 * before it, the budget may have been empty, with nothing to give back.
 */
function seriesIn({ events, shown, unit }: History): readonly Series[] {
  const alone = new Set(aloneIn(events));
  const windows = new Map(
    [...byMarker(events, unit ?? 0)].flatMap(([marker, own]) => own.map((event) => [event, marker])),
  );
  const found: Series[] = [];
  let before: Event | null = null;
  for (const event of events) {
    const { outcome, remaining, reset, from, to } = event;
    const isSame = before !== null && windows.get(event) === windows.get(before);
    const series: Series | undefined = isSame ? found.at(-1) : undefined;
    if (outcome === 'uncounted') continue;
    const isCertain = alone.has(event) && remaining !== null && reset !== null;
    if (outcome === 'refused' && series && isCertain && remaining === 0) {
      series.to = from;
      continue;
    }
    if (outcome !== 'accepted' || !isCertain || shown - remaining <= 1) {
      before = null;
      continue;
    }
    if (series) {
      const given = Math.max(0, remaining + 1 - (before?.remaining ?? 0));
      const last = before?.from ?? from;
      series.times.push(...Array.from({ length: given }, () => ({ low: last, high: to })));
      series.to = from;
    } else found.push({ from: to, to: from, times: [] });
    before = event;
  }
  return found;
}
