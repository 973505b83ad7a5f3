import type { RefusedBeside } from '../../deployment/deviations/refused-beside.ts';
import { type Event, type History, likelyOffset } from '../../oracle/history.ts';
import { DEVIATION_BITS, MOMENT_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, unclear, type World, withEvents } from '../world.ts';

/** Bits to state whose budget it is. */
const WHOSE_BITS = 1;

/**
 * Both kinds and all keys are often spent at the same time, and others may spend one budget while another is spent. So it
 * costs as much as two moments of such use: only what comes again and again shows it.
 */
const COINCIDENCE_BITS = 2 * MOMENT_BITS;

/** One window of a budget that was spent, in µs: for sure from its first refusal, and perhaps since nothing was left. */
interface Spent {
  readonly perhaps: number;
  readonly surely: number;
  readonly until: number;
}

/**
 * Requests that are refused while another budget is spent: that of the other kind, or those of other keys. None is let
 * through then. The rest must be explained without these refusals.
 */
export function* proposeRefusedBeside(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  const ways: readonly { readonly of: RefusedBeside['of']; readonly beside: (own: History) => readonly History[] }[] = [
    { of: 'the other kind', beside: ({ key }) => otherKind.filter((other) => other.key === key) },
    { of: 'another key', beside: ({ key }) => world.histories.filter((other) => other.key !== key) },
  ];
  for (const { of, beside } of ways) {
    const refused = new Set<Event>();
    let isLetThrough = false;
    for (const history of world.histories) {
      const spent = beside(history).flatMap(spentIn);
      for (const event of history.events) {
        if (event.outcome === 'refused' && spent.some((window) => mayLieIn(event, window))) refused.add(event);
        isLetThrough ||= event.outcome === 'accepted' && spent.some((window) => liesIn(event, window));
      }
    }
    if (isLetThrough || refused.size === 0) continue;
    yield {
      deviations: [{ operator: 'refused-beside', parameters: { kinds: [kind], of } }],
      bits: DEVIATION_BITS + WHOSE_BITS + COINCIDENCE_BITS,
      world: changed(world, (history) => withEvents(history, (event) => (refused.has(event) ? unclear(event) : event))),
    };
  }
}

/** The windows of a budget that were spent, by the markers of their answers, and the time of which nothing is known. */
function spentIn({ events, offset, until }: History): readonly Spent[] {
  const windows = new Map<number, Spent>();
  const unknown = { perhaps: until, surely: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  for (const { outcome, remaining, reset, from, to } of events) {
    const isLast = outcome === 'accepted' && remaining === 0;
    if (reset === null || !(isLast || outcome === 'refused')) continue;
    const { perhaps, surely } = windows.get(reset) ?? { perhaps: from, surely: Number.POSITIVE_INFINITY };
    windows.set(reset, {
      perhaps: Math.min(perhaps, from),
      surely: outcome === 'refused' ? Math.min(surely, to) : surely,
      until: reset - likelyOffset(offset),
    });
  }
  return [...windows.values(), unknown];
}

/** How far a marker may be rounded, in µs. */
const ROUNDED = 1_000_000;

function mayLieIn({ from, to }: Event, { perhaps, until }: Spent): boolean {
  return to >= perhaps && from <= until + ROUNDED;
}

function liesIn({ from, to }: Event, { surely, until }: Spent): boolean {
  return from > surely && to < until - ROUNDED;
}
