import { SECOND, WINDOW } from '../../deployment/deployment.ts';
import { headers, marker } from '../deviating-headers.ts';
import { type Defect, handMade, MARKER, telling } from './defect.ts';

const MS = 1000;
const HOUR = 3600 * SECOND;

const told = telling('marker-header');

/** A marker that is not an integer. This function makes it from the window's end in µs. */
function unreadable(name: string, number: number, description: string, text: (reset: number) => string): Defect {
  const change = headers((_lines, { reset }) => ({ reset: [text(reset)] }));
  return handMade(name, description, { number, must: ['HDR-2'], may: ['HDR-6'], change, variant: 'anchored' });
}

/** Wrong values of `X-RateLimit-Reset`, although the windows are right. */
export const RESET_DEFECTS: readonly Defect[] = [
  told('seconds-to-go', 17, 'seconds to go', { diagnosis: 'seconds to go' }),
  told('milliseconds-to-go', 17, 'milliseconds to go', { diagnosis: 'milliseconds to go' }),
  unreadable('date-string', 18, 'the marker is a date in words', (reset) => new Date(reset / MS).toUTCString()),
  unreadable('iso-date', 18, 'the marker is an ISO date', (reset) => new Date(reset / MS).toISOString()),
  unreadable('fractional-reset', 19, 'the marker is a fraction of seconds', (reset) => (reset / SECOND).toFixed(3)),
  handMade('seconds-added-to-milliseconds', 'the marker is the time in ms, and the seconds to go added to it', {
    number: 20,
    must: ['HDR-7'],
    may: MARKER,
    change: headers((_lines, { reset, answered }) => ({
      reset: [`${Math.floor(answered / MS) + Math.ceil((reset - answered) / SECOND)}`],
    })),
  }),
  told('start-of-window', 21, { offset: -WINDOW }),
  told('always-a-minute-ahead', 22, { ahead: WINDOW }),
  told('wobbling-marker', 23, { wobble: SECOND }, { variant: 'grid-clock-ms' }),
  told(
    'wobbling-second',
    23,
    { wobble: SECOND },
    {
      observable: 'in seconds, a wobble of one unit is what a marker computed from now and the time left shows',
    },
  ),
  told('late-label', 24, { lag: 100 * MS }),
  told('hour-ahead', 25, { offset: HOUR }),
  told('hour-behind', 25, { offset: -HOUR }),
  told('frozen-marker', 26, 'first end'),
  handMade(
    'marker-goes-back',
    'a sliding log whose marker is one window from the oldest entry, and from now, by turns',
    {
      number: 27,
      must: ['HDR-8'],
      may: MARKER,
      change(conforming) {
        let asked = 0;
        return marker((reset, { decided }) => (asked++ % 2 === 0 ? reset : decided + WINDOW))(conforming);
      },
      variant: 'log-ms',
    },
  ),
  told('marker-five-seconds-early', null, { offset: -5 * SECOND }),
  told('marker-two-windows-ahead', null, { offset: WINDOW }),
  told('marker-moves-on-refusal', null, { ahead: WINDOW }, { variant: 'anchored', only: { statuses: [429] } }),
];
