import { expect, test } from 'vitest';
import { EPOCH, exchanges, headers, type Sketch } from '../judge/trace-builder.test-support.ts';
import { inferMarkers } from './marker.ts';
import { dateOffset, markerOffset } from './server-clock.ts';

const HOUR = 3_600_000_000;

/** Answers whose `Date` and marker are off by so much, in µs. */
function answers(dateOff: number, markerOff: number): readonly Sketch[] {
  return [0, 10, 20, 61, 70].map((at): Sketch => {
    const now = EPOCH + at * 1e6;
    const end = EPOCH + (at < 60 ? 60e6 : 120e6) + markerOff;
    const date = [new Date((now + dateOff) / 1000).toUTCString()];
    return { sent: at * 1e6, answered: at * 1e6 + 1000, headers: headers({ reset: [String(end / 1e6)], date }) };
  });
}

test.each([
  ['both are right', 0, 0, true],
  ['both are an hour behind', -HOUR, -HOUR, true],
  ['the marker is an hour ahead', 0, HOUR, true],
  ['the marker is wrong by another length than the Date', -HOUR, HOUR, true],
  ['the Date is an hour behind, and the marker right', -HOUR, 0, false],
  ['the Date is an hour ahead, and the marker right', HOUR, 0, false],
])('the clock of the markers is that of the Date, unless they show that it is not: %s', (_, date, marker, isDated) => {
  const sent = exchanges(...answers(date, marker));
  const dated = dateOffset(sent, EPOCH);
  const open = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  expect(markerOffset(dated, sent, inferMarkers(sent, EPOCH))).toEqual(isDated ? dated : open);
});
