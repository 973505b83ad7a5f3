import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { isDecided } from '../world.ts';
import { type Parts, TICK, TOLERANCE } from './window-parts.ts';

/** At least this share of the answers of a window state one end, if the marker is that of the window as it was. */
const OF_ONE_END = 0.9;

/**
 * Whether the windows of a history state one end each, or ends that are whole minutes apart, by refusals as by other
 * answers: a marker that does not tell of a moved end is still that of a window, so it is not more than a window ahead.
 */
export function keepsItsMarkers({ parts }: Pick<Parts, 'parts'>): boolean {
  return parts.every((history) => {
    const { events, unit, offset } = history;
    if (tellsLongerWindow(history)) return false;
    const told = events.filter((event) => isDecided(event) && event.reset !== null);
    // A window that has ended has no end to state: such refusals state the time of their answer.
    const isNow = ({ reset, to }: Event): boolean => (reset ?? 0) <= to + offset.high + TOLERANCE + (unit ?? 0);
    const refused = told.filter((event) => event.outcome === 'refused' && !isNow(event));
    const others = told.filter(({ outcome }) => outcome !== 'refused');
    return [[...others, ...refused], refused].every((each) => stateOneEnd(each, unit ?? 0));
  });
}

/** Whether some marker lies further ahead than a minute. */
export function tellsLongerWindow({ events, unit, offset }: History): boolean {
  const latest = WINDOW + TOLERANCE + (unit ?? 0) + offset.high;
  return events.some((event) => isDecided(event) && event.reset !== null && event.reset > event.to + latest);
}

function stateOneEnd(told: readonly Event[], unit: number): boolean {
  const around = new Float64Array(2 * told.length);
  for (const [at, { reset }] of told.entries()) {
    const marker = (reset ?? 0) % WINDOW;
    around[at] = marker;
    around[told.length + at] = marker + WINDOW;
  }
  around.sort();
  let most = 0;
  let next = 0;
  for (const [at, marker] of around.entries()) {
    while (next < around.length && (around[next] ?? 0) <= marker + unit + TICK) next++;
    most = Math.max(most, next - at);
  }
  return most >= OF_ONE_END * told.length;
}
