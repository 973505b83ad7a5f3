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

/** A write with this Remaining, in the window that begins at a second. */
function write(sent: number, answered: number, remaining: number, window: number): Sketch {
  const reset = [String(EPOCH / SECOND + window + 60)];
  const date = [new Date((EPOCH + answered) / 1000).toUTCString()];
  const values = headers({ limit: [String(LIMIT)], remaining: [String(remaining)], reset, date });
  return { operation: 'put-label', kind: 'write', sent, answered, headers: values };
}

/**
 * One request opens a window at 2 s, and a few more follow. Fourteen are under way at its end, and all have the marker
 * of the next one. Then come a single request and a burst of `more`, each with one fewer left, and none at the end.
 */
function aboutTheTurn(more: number): boolean {
  const begins = 2 * SECOND;
  const early = Array.from({ length: 12 }, (_, at) =>
    write(begins + at * 20_000, begins + at * 20_000 + 1000, LIMIT - 1 - at, 2),
  );
  const turn = begins + 60 * SECOND;
  const about = Array.from({ length: 14 }, (_, at) => write(turn - 3000, turn + 3000 + at, LIMIT - 1 - at, 62));
  const alone = write(turn + 700_000, turn + 701_000, LIMIT - 15, 62);
  const last = Array.from({ length: more }, (_, at) =>
    write(turn + 800_000 + at, turn + 805_000 + at, Math.max(0, LIMIT - 16 - at), 62),
  );
  const sent = exchanges(...early, ...about, alone, ...last);
  const budget = { key: 'key-1', kind: 'write' } as const;
  const history = makeHistory(sent, budget, inferMarker(sent, EPOCH), dateOffset(sent, EPOCH));
  const windows = SHAPES.filter(({ mechanism }) => mechanism === 'grid' || mechanism === 'anchored');
  return windows.some((shape) => explains(variantOf(shape, NOT_COUNTED), history, ALL_LAYERS) !== null);
}

test('of what is sent after an answer, no more is let through than it said was left, though it is open which of those before it were counted', () => {
  expect(aboutTheTurn(15)).toBe(true);
  expect(aboutTheTurn(16)).toBe(false);
});
