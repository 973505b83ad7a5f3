import type { MarkerHeader } from '../../deployment/deviations/marker-header.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { FORGETFUL } from '../../oracle/shapes.ts';
import { singleInteger } from '../../oracle/single-integer.ts';
import type { Kind } from '../../trace/exchange.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, untold, type World, withEvents } from '../world.ts';
import { commonDivisor } from './common-divisor.ts';
import { UNJUDGED_BITS } from './header-bits.ts';
import { unitOf } from './marker-units.ts';
import { bitsOfLength } from './round.ts';

const SECOND = 1_000_000;

/**
 * Lengths by which two clocks of minutes are set apart on purpose, in µs; finer ones would not be told from their
 * neighbours.
 */
const APART = Array.from({ length: 11 }, (_, at) => 5 * SECOND * (at + 1));

/** Clocks of minutes drift, and timers come late, in µs. */
const SAME = 100_000;

/** Bits less than for a marker without a rule: it is known where the markers lie. */
const RULE_BITS = 2;

/**
 * Markers that are the next end of a minute of some clock, the same for all keys, whenever the window ends: by how much
 * the ends of windows lie apart from these, if that is the same for all.
 */
export function* proposeMarkerClocks(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.reset || world.window !== WINDOW || !areOfOneClock(world.histories)) return;
  const shapes = world.shapes.filter(({ mechanism }) => mechanism === 'grid');
  // If the server's clock is unknown, no marker can be held against a window.
  const isTimed = world.histories.every(({ offset }) => Number.isFinite(offset.high - offset.low));
  for (const apart of isTimed ? APART : []) {
    yield {
      deviations: [markers(kind, { clock: apart > WINDOW / 2 ? apart - WINDOW : apart })],
      bits: DEVIATION_BITS + bitsOfLength(apart),
      world: changed({ ...world, shapes }, (history) =>
        withEvents(history, (event) => ({ ...event, reset: ownEnd(event, history, apart) })),
      ),
    };
  }
  const ending = world.shapes.filter(({ mechanism }) => mechanism === 'grid' || mechanism.startsWith('anchored'));
  yield withoutMarkers({ ...world, shapes: ending }, markers(kind, { clock: null }));
}

/**
 * Markers that are all multiples of one number, as if they were rounded on their way, and of no clock's minutes.
 * Windows that are the minutes of the clock end at multiples of a window, whatever else is wrong with their markers.
 */
export function* proposeRoundedMarkers(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.reset || areOfOneClock(world.histories)) return;
  const size = unitOf(world.histories);
  const precision = world.histories.find(({ unit }) => unit)?.unit ?? null;
  const values = new Set(
    world.histories.flatMap(({ events }) =>
      events.flatMap(({ reset, exchange }) => (reset === null ? [] : (singleInteger(exchange.headers.reset) ?? []))),
    ),
  );
  if (size === null || precision === null || ![...values].every(Number.isSafeInteger)) return;
  const step = commonDivisor(values) * size;
  if (step % world.window === 0) return;
  // So many numbers are seldom all multiples of this one by chance.
  if (values.size * Math.log2(step / precision) < UNJUDGED_BITS / 2) return;
  yield withoutMarkers(world, markers(kind, { multiplesOf: step }));
}

function markers(kind: Kind, change: MarkerHeader['change']): Deviation {
  return { operator: 'marker-header', parameters: { kinds: [kind], change, only: 'all' } };
}

/** The world whose markers are not held against its windows. */
function withoutMarkers(world: World, deviation: Deviation): Proposal {
  return {
    deviations: [deviation],
    bits: DEVIATION_BITS + UNJUDGED_BITS - RULE_BITS,
    world: {
      ...untold(world, ['reset'], () => true),
      shapes: world.shapes.filter((shape) => FORGETFUL.includes(shape)),
    },
  };
}

/** Whether all markers lie whole minutes apart, some more than none, and each is the next such end after its answer. */
function areOfOneClock(histories: readonly History[]): boolean {
  let first: number | null = null;
  let isMoved = false;
  for (const { events, offset, unit } of histories) {
    const slack = SAME + (unit ?? 0);
    for (const { reset, from, to } of events) {
      if (reset === null) continue;
      first ??= reset;
      const minutes = Math.round((reset - first) / WINDOW);
      isMoved ||= minutes !== 0;
      if (Math.abs(reset - first - minutes * WINDOW) > SAME) return false;
      if (reset < from + offset.low - slack || reset > to + offset.high + WINDOW + slack) return false;
    }
  }
  return isMoved;
}

/**
 * The end of the window of an answer, if each lies so long before a minute of the markers' clock (µs); null: either of
 * two.
 */
function ownEnd({ reset, from, to }: Event, { offset, unit }: History, apart: number): number | null {
  if (reset === null) return null;
  const end = reset - apart;
  if (end - (unit ?? 0) > to + offset.high) return end;
  return end + (unit ?? 0) < from + offset.low ? end + WINDOW : null;
}
