import { faultyLogLimiter } from '../mechanisms/faulty-sliding.ts';
import { SECOND, WINDOW } from '../mechanisms/limiter.ts';
import { lateLabelLimiter } from '../mechanisms/racing.ts';
import { COUNTING, called, type Defect, headers, limiter, MARKER, marker } from './defect.ts';

const MS = 1000;
const HOUR = 3600 * SECOND;

/** Values of `X-RateLimit-Reset` that are wrong where the windows themselves are right. */
export const RESET_DEFECTS: readonly Defect[] = [
  called('seconds to go', {
    name: 'seconds-to-go',
    number: 17,
    description: 'the marker is the number of seconds to go',
    must: ['HDR-6'],
    may: MARKER,
    observable: true,
    change: headers((_lines, { reset, answered }) => ({ reset: [`${Math.ceil((reset - answered) / SECOND)}`] })),
  }),
  called('milliseconds to go', {
    name: 'milliseconds-to-go',
    number: 17,
    description: 'the marker is the number of ms to go',
    must: ['HDR-6'],
    may: MARKER,
    observable: true,
    change: headers((_lines, { reset, answered }) => ({ reset: [`${Math.ceil((reset - answered) / MS)}`] })),
  }),
  {
    name: 'date-string',
    number: 18,
    description: 'the marker is a date in words',
    must: ['HDR-2'],
    may: ['HDR-6'],
    observable: true,
    change: headers((_lines, { reset }) => ({ reset: [new Date(reset / MS).toUTCString()] })),
  },
  {
    name: 'iso-date',
    number: 18,
    description: 'the marker is an ISO date',
    must: ['HDR-2'],
    may: ['HDR-6'],
    observable: true,
    change: headers((_lines, { reset }) => ({ reset: [new Date(reset / MS).toISOString()] })),
  },
  {
    name: 'fractional-reset',
    number: 19,
    description: 'the marker is a fractional number of seconds',
    must: ['HDR-2'],
    may: ['HDR-6'],
    observable: true,
    variant: 'anchored',
    change: headers((_lines, { reset }) => ({ reset: [(reset / SECOND).toFixed(3)] })),
  },
  {
    name: 'seconds-added-to-milliseconds',
    number: 20,
    description: 'the marker is the time in ms, and the seconds to go added to it',
    must: ['HDR-7'],
    may: MARKER,
    observable: true,
    change: headers((_lines, { reset, answered }) => ({
      reset: [`${Math.floor(answered / MS) + Math.ceil((reset - answered) / SECOND)}`],
    })),
  },
  {
    name: 'start-of-window',
    number: 21,
    description: 'the marker is the start of the window',
    must: ['HDR-7'],
    may: MARKER,
    observable: true,
    change: marker((reset) => reset - WINDOW),
  },
  {
    name: 'always-a-minute-ahead',
    number: 22,
    description: 'fixed windows, and the marker is always one minute from now',
    must: ['HDR-8'],
    may: MARKER,
    observable: true,
    change: marker((_reset, { answered }) => answered + WINDOW),
  },
  {
    name: 'wobbling-marker',
    number: 23,
    description: 'every other marker is a second late, in ms',
    must: ['HDR-8'],
    may: MARKER,
    observable: true,
    variant: 'grid-clock-ms',
    change: (conforming) => {
      let asked = 0;
      return marker((reset) => reset + (asked++ % 2) * SECOND)(conforming);
    },
  },
  {
    name: 'wobbling-second',
    number: 23,
    description: 'every other marker is a second late, in seconds',
    must: [],
    may: MARKER,
    observable: 'a wobble of one unit is what a marker computed from now and the time left shows',
    change: (conforming) => {
      let asked = 0;
      return marker((reset) => reset + (asked++ % 2) * SECOND)(conforming);
    },
  },
  {
    name: 'late-label',
    number: 24,
    description: 'the marker’s clock is read 100 ms after the request was counted',
    must: ['HDR-8'],
    may: [...MARKER, ...COUNTING],
    observable: true,
    change: limiter(() => lateLabelLimiter(100 * MS)),
  },
  {
    name: 'hour-ahead',
    number: 25,
    description: 'the marker is an hour ahead, the Date header is right',
    must: ['HDR-7'],
    may: MARKER,
    observable: true,
    change: marker((reset) => reset + HOUR),
  },
  {
    name: 'hour-behind',
    number: 25,
    description: 'the marker is an hour behind, the Date header is right',
    must: ['HDR-7'],
    may: MARKER,
    observable: true,
    change: marker((reset) => reset - HOUR),
  },
  {
    name: 'frozen-marker',
    number: 26,
    description: 'the marker stays that of the first window',
    must: ['HDR-7'],
    may: MARKER,
    observable: true,
    change: (conforming) => {
      const first = new Map<string | null, number>();
      return marker((reset, { budget }) => {
        const frozen = first.get(budget) ?? reset;
        first.set(budget, frozen);
        return frozen;
      })(conforming);
    },
  },
  {
    name: 'marker-goes-back',
    number: 27,
    description: 'a sliding log whose marker is one window from now, and from the oldest entry, by turns',
    must: ['HDR-8'],
    may: MARKER,
    observable: true,
    variant: 'log-ms',
    change: limiter(() => faultyLogLimiter({ wanderingMarker: true })),
  },
  {
    name: 'marker-five-seconds-early',
    number: null,
    description: 'the marker is five seconds before the budget is back',
    must: ['HDR-7'],
    may: [...MARKER, 'HDR-5'],
    observable: true,
    change: marker((reset) => reset - 5 * SECOND),
  },
  {
    name: 'marker-two-windows-ahead',
    number: null,
    description: 'the marker is the end of the next window',
    must: ['HDR-7'],
    may: MARKER,
    observable: true,
    change: marker((reset) => reset + WINDOW),
  },
  {
    name: 'marker-moves-on-refusal',
    number: null,
    description: 'on a refusal the marker is one minute from now, though the window ends as it would',
    must: ['HDR-8'],
    may: [...MARKER, 'HDR-5'],
    observable: true,
    variant: 'anchored',
    change: marker((reset, { status, answered }) => (status === 429 ? answered + WINDOW : reset)),
  },
];
