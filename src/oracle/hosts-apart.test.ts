import { expect, test } from 'vitest';
import { EPOCH, exchanges, headers, type Sketch } from '../judge/trace-builder.test-support.ts';
import { ALL_LAYERS } from './check.ts';
import { explains } from './explain.ts';
import { makeHistory } from './make-history.ts';
import { inferMarker } from './marker.ts';
import { dateOffset } from './server-clock.ts';
import { SHAPES, variantOf } from './shapes.ts';

const SECOND = 1_000_000;
const LIMIT = 30;
const NOT_COUNTED = { failedCounted: new Set<string>(), undecided: new Set<string>() };

/**
 * A full window of one key, at two hosts that share a store, in turn. Each adds the time that is left to its own clock,
 * and rounds down to a second.
 *
 * @param begins when the window begins, in µs of the run's clock
 * @param ahead by how much the second host's clock is ahead, in µs
 */
function fullWindow(begins: number, ahead: number): readonly Sketch[] {
  return Array.from({ length: LIMIT + 8 }, (_, at): Sketch => {
    const sent = begins + (at < LIMIT ? at * 10_000 : 59.6 * SECOND + (at - LIMIT) * 40_000);
    const clock = EPOCH + (at % 2) * ahead;
    const seconds = Math.floor((clock + begins + 60 * SECOND) / SECOND);
    const values = headers({
      limit: [String(LIMIT)],
      remaining: [String(Math.max(0, LIMIT - 1 - at))],
      reset: [String(seconds)],
      date: [new Date((clock + sent) / 1000).toUTCString()],
    });
    const status = at < LIMIT ? 200 : 429;
    return { operation: 'put-label', kind: 'write', status, sent, answered: sent + 1000, headers: values };
  });
}

test.each([0, 0.25, 0.6, 0.9])('two hosts whose clocks are %d s apart state the end of one window', (seconds) => {
  for (const begins of [0.83, 61.05, 121.4]) {
    const sent = exchanges(...fullWindow(begins * SECOND, seconds * SECOND));
    const budget = { key: 'key-1', kind: 'write' } as const;
    const history = makeHistory(sent, budget, inferMarker(sent, EPOCH), dateOffset(sent, EPOCH));
    const shapes = SHAPES.filter(({ mechanism }) => mechanism === 'anchored');
    expect(shapes.some((shape) => explains(variantOf(shape, NOT_COUNTED), history, ALL_LAYERS) !== null)).toBe(true);
  }
});
