import { SECOND, WINDOW } from '../../deployment/deployment.ts';
import type { MarkerHeader } from '../../deployment/deviations/marker-header.ts';
import { type Defect, deviating, handMade, headers, MARKER, marker } from './defect.ts';

const MS = 1000;
const HOUR = 3600 * SECOND;

function told(
  name: string,
  number: number | null,
  change: MarkerHeader['change'],
  about: Parameters<typeof deviating>[3] = {},
  only: MarkerHeader['only'] = 'all',
): Defect {
  return deviating(
    name,
    number,
    { operator: 'marker-header', parameters: { kinds: ['read', 'write'], change, only } },
    about,
  );
}

/** A wobble of this many µs by turns, from 0 on. */
function wobbling(by: number) {
  let asked = 0;
  return marker((reset) => reset + (asked++ % 2) * by);
}

/** Values of `X-RateLimit-Reset` that are wrong where the windows themselves are right. */
export const RESET_DEFECTS: readonly Defect[] = [
  told('seconds-to-go', 17, 'seconds to go', { diagnosis: 'seconds to go' }),
  told('milliseconds-to-go', 17, 'milliseconds to go', { diagnosis: 'milliseconds to go' }),
  handMade(
    'date-string',
    18,
    'the marker is a date in words',
    ['HDR-2'],
    ['HDR-6'],
    headers((_lines, { reset }) => ({ reset: [new Date(reset / MS).toUTCString()] })),
  ),
  handMade(
    'iso-date',
    18,
    'the marker is an ISO date',
    ['HDR-2'],
    ['HDR-6'],
    headers((_lines, { reset }) => ({ reset: [new Date(reset / MS).toISOString()] })),
  ),
  handMade(
    'fractional-reset',
    19,
    'the marker is a fractional number of seconds',
    ['HDR-2'],
    ['HDR-6'],
    headers((_lines, { reset }) => ({ reset: [(reset / SECOND).toFixed(3)] })),
    { variant: 'anchored' },
  ),
  handMade(
    'seconds-added-to-milliseconds',
    20,
    'the marker is the time in ms, and the seconds to go added to it',
    ['HDR-7'],
    MARKER,
    headers((_lines, { reset, answered }) => ({
      reset: [`${Math.floor(answered / MS) + Math.ceil((reset - answered) / SECOND)}`],
    })),
  ),
  told('start-of-window', 21, { offset: -WINDOW }, { description: 'the marker is the start of the window' }),
  told(
    'always-a-minute-ahead',
    22,
    { ahead: WINDOW },
    { description: 'fixed windows, and the marker is always one minute from now' },
  ),
  told(
    'wobbling-marker',
    23,
    { wobble: SECOND },
    { description: 'every other marker is a second late, in ms', variant: 'grid-clock-ms' },
  ),
  handMade(
    'wobbling-second',
    23,
    'every other marker is a second late, in seconds',
    [],
    MARKER,
    (conforming) => wobbling(SECOND)(conforming),
    { observable: 'a wobble of one unit is what a marker computed from now and the time left shows' },
  ),
  told(
    'late-label',
    24,
    { lag: 100 * MS },
    { description: 'the marker’s clock is read 100 ms after the request was counted' },
  ),
  told('hour-ahead', 25, { offset: HOUR }, { description: 'the marker is an hour ahead, the Date header is right' }),
  told('hour-behind', 25, { offset: -HOUR }, { description: 'the marker is an hour behind, the Date header is right' }),
  told('frozen-marker', 26, 'first end'),
  handMade(
    'marker-goes-back',
    27,
    'a sliding log whose marker is one window from now, and from the oldest entry, by turns',
    ['HDR-8'],
    MARKER,
    (conforming) => {
      let asked = 0;
      return marker((reset, { decided }) => (asked++ % 2 === 0 ? decided + WINDOW : reset))(conforming);
    },
    { variant: 'log-ms' },
  ),
  told(
    'marker-five-seconds-early',
    null,
    { offset: -5 * SECOND },
    { description: 'the marker is five seconds before the budget is back' },
  ),
  told(
    'marker-two-windows-ahead',
    null,
    { offset: WINDOW },
    { description: 'the marker is the end of the next window' },
  ),
  told(
    'marker-moves-on-refusal',
    null,
    { ahead: WINDOW },
    {
      description: 'on a refusal the marker is one minute from now, though the window ends as it would',
      variant: 'anchored',
    },
    { statuses: [429] },
  ),
];
