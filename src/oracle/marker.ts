import { budgetKey, type Exchange, isSuccess, type Kind } from '../trace/exchange.ts';
import { CALENDARS, calendarTime, HOUR, UNITS, zoneOf } from '../trace/marker-forms.ts';
import { remembering } from '../trace/remembering.ts';
import type { MarkerReading, Markers } from './marker-reading.ts';
import { readFromOwnZero, type Told } from './own-zero.ts';

/** A smaller value is a number of seconds, not a point in time (HDR-6). */
const LEAST_MARKER = 1_000_000n;
const DIGITS = /^\d{7,25}$/;

function toBigInt(lines: readonly string[]): bigint | null {
  const text = lines.length === 1 ? lines[0]?.trim() : undefined;
  if (text === undefined || !DIGITS.test(text)) return null;
  const value = BigInt(text);
  return value >= LEAST_MARKER ? value : null;
}

/**
 * µs of the run's clock for a marker value. Exact for µs and coarser units. Nanoseconds exceed 2^53, so it calculates
 * with BigInt.
 */
function place(value: bigint, unit: number, origin: bigint, epoch: bigint): number {
  if (unit >= 1) return Number(value * BigInt(unit) + origin - epoch);
  const per = BigInt(Math.round(1 / unit));
  const rest = value - (epoch - origin) * per;
  return Number(rest) * unit;
}

/** A way to read a marker, from its value to µs of the run's clock; infinite if the value does not have this form. */
interface Reading {
  readonly name: string;
  readonly unit: number;
  readonly place: (value: bigint, epoch: bigint) => number;
  /** Whether it may be local time, because the value does not state a zone. */
  readonly isLocal: boolean;
}

const READINGS: readonly Reading[] = [
  ...UNITS.map(
    ({ name, unit, origin }): Reading => ({
      ...{ name, unit, isLocal: false },
      place: (value, epoch) => place(value, unit, BigInt(origin) * 1000n, epoch),
    }),
  ),
  ...CALENDARS.map(
    ({ name, unit, form }): Reading => ({
      ...{ name, unit, isLocal: true },
      place(value, epoch) {
        return (calendarTime(`${value}`, form) ?? Number.POSITIVE_INFINITY) - Number(epoch);
      },
    }),
  ),
];

/** For answers whose markers are not read. */
export const UNREADABLE: MarkerReading = { unit: null, name: 'not told', ownZero: false, read: () => null };
const UNKNOWN_FORM: MarkerReading = { ...UNREADABLE, name: 'in a form that is not known' };
const SEVERAL_UNITS: MarkerReading = { ...UNREADABLE, name: 'in several units' };

/**
 * If markers are further than this from their answers under any known unit, in µs, they count from a zero of their own.
 */
const FARTHEST = 366 * 24 * 3600 * 1e6;

/** Infers how to read the markers of each kind, as `inferMarker` does. */
export function inferMarkers(exchanges: readonly Exchange[], epoch: number, isOver = true): Markers {
  const of = (kind: Kind): MarkerReading =>
    inferMarker(
      exchanges.filter((exchange) => exchange.kind === kind),
      epoch,
      isOver,
    );
  const [read, write] = [of('read'), of('write')];
  return { read: read === UNREADABLE ? write : read, write: write === UNREADABLE ? read : write };
}

/** The number of markers that show the unit: the first of a run. */
export const MARKERS_READ = 4_096;

/**
 * Infers the unit from the markers of the answers to one kind of requests: the one that puts most of them nearest to
 * their answers. Answers without an accepted key belong to no budget, and often come from another component, so their
 * markers are read only if there are no others. If a server counts from a zero of its own (such as its start), only the
 * length of the unit is known, and the zero stays open.
 *
 * @param epoch the run's wall clock at time 0, in µs since the Unix epoch
 * @param isOver false: the run goes on, so if the answers have several units, it is open which of them most will have
 */
export function inferMarker(exchanges: readonly Exchange[], epoch: number, isOver = true): MarkerReading {
  const start = BigInt(Math.round(epoch));
  const told = markersOf(exchanges);
  const ofBudgets = told.filter(({ key }) => key !== null);
  const judged = ofBudgets.length > 0 ? ofBudgets : told;
  if (judged.length === 0) return UNREADABLE;
  const nearest = judged.map((each) => nearestReading(each, start));
  const votes = Map.groupBy(nearest, ({ reading }) => reading);
  if (!isOver && votes.size > 1) return SEVERAL_UNITS;
  const far = nearest.filter(({ distance }) => distance > FARTHEST).length;
  const own = far > judged.length / 2 ? readFromOwnZero(ofBudgets.flatMap(decided)) : null;
  if (own === 'unknown') return UNKNOWN_FORM;
  const values = judged.map(({ value }) => value);
  if (own) return reading(own.name, precisionOf(own.unit, values), own.place, true);
  const most = Math.max(...[...votes.values()].map(({ length }) => length));
  const chosen = READINGS.find((each) => votes.get(each)?.length === most);
  if (!chosen) return UNREADABLE;
  const placed = reading(chosen.name, precisionOf(chosen.unit, values), (value) => chosen.place(value, start), false);
  if (!chosen.isLocal) return placed;
  const ahead = ({ value, answered }: Stated): number => chosen.place(value, start) - answered;
  const zones = [...Map.groupBy(judged, ({ key }) => key)].map(
    ([key, told]) => [key, mostZone(told.map(ahead))] as const,
  );
  return inZones(placed, new Map(zones), mostZone(judged.map(ahead)));
}

/**
 * The coarsest precision of markers that is looked for, in µs: servers reckon in whole seconds, and write other units.
 */
const COARSEST = 1e6;

/**
 * The precision of markers in µs: their unit, or a coarser one of which all are multiples, such as whole seconds in
 * milliseconds.
 */
function precisionOf(unit: number, values: readonly bigint[]): number {
  let multiple = 1n;
  const isMultiple = (of: bigint): boolean => values.every((value) => value % of === 0n);
  while (unit * Number(multiple * 10n) <= COARSEST && isMultiple(multiple * 10n)) multiple *= 10n;
  return unit * Number(multiple);
}

/**
 * Calendar times as local ones: in the zone of each key, such as that of an account, or else in that of most. In µs
 * from UTC.
 */
function inZones(placed: MarkerReading, zones: ReadonlyMap<string | null, number>, most: number): MarkerReading {
  const isOne = [...zones.values()].every((zone) => zone === most);
  const where = isOne ? `${most / HOUR} h from UTC` : 'in a zone of each key';
  return {
    ...placed,
    name: isOne && most === 0 ? placed.name : `${placed.name}, ${where}`,
    read(lines, key = null) {
      const time = placed.read(lines);
      return time === null ? null : time - (zones.get(key) ?? most);
    },
  };
}

/** The time zone of most calendar times, by how much they lie after their answers, in µs; UTC if they have none. */
function mostZone(ahead: readonly number[]): number {
  const zones = Map.groupBy(ahead, (each) => zoneOf(each) ?? 0);
  const [most] = [...zones].sort(([, one], [, other]) => other.length - one.length);
  return most?.[0] ?? 0;
}

/** A marker, and the answer that states it. */
interface Stated extends Omit<Told, 'key'> {
  /** The key to whose budget the answer belongs; null: to none. */
  readonly key: string | null;
  readonly status: number | null;
}

function markersOf(exchanges: readonly Exchange[]): readonly Stated[] {
  const found: Stated[] = [];
  for (const exchange of exchanges) {
    if (found.length === MARKERS_READ) break;
    const { answered, status, headers } = exchange;
    const value = answered === null ? null : toBigInt(headers.reset);
    if (answered !== null && value !== null) found.push({ key: budgetKey(exchange), value, answered, status });
  }
  return found;
}

/** A reading of a marker, and how far it puts it from its answer, in µs. */
interface Near {
  readonly reading: Reading;
  readonly distance: number;
}

/** The reading that puts a marker nearest to its answer; of equals, the first. */
function nearestReading({ value, answered }: Stated, start: bigint): Near {
  return READINGS.map(
    (each): Near => ({ reading: each, distance: Math.abs(each.place(value, start) - answered) }),
  ).reduce((one, other) => (other.distance < one.distance ? other : one));
}

function decided({ key, value, answered, status }: Stated): readonly Told[] {
  return key !== null && (isSuccess(status) || status === 429) ? [{ key, value, answered }] : [];
}

function reading(name: string, unit: number, place: (value: bigint) => number, ownZero: boolean): MarkerReading {
  const read = (lines: readonly string[]): number | null => {
    const value = toBigInt(lines);
    const time = value === null ? null : place(value);
    return time !== null && Number.isFinite(time) ? time : null;
  };
  return { name, unit, ownZero, read: remembering(read) };
}
