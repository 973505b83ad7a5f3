import fc from 'fast-check';
import { expect, test } from 'vitest';
import { thorough } from '../../test/sampled.test-support.ts';
import { type Event, type History, WINDOW } from '../oracle/history.ts';
import { DRIFT } from '../oracle/model.ts';
import { SHAPES, type Shape, variantOf } from '../oracle/shapes.ts';
import { Work } from '../oracle/work.ts';
import type { Episode } from './episode.ts';
import { narrowed } from './moments.ts';

const SECOND = 1_000_000;
const COUNTED = { failedCounted: new Set<string>(), undecided: new Set<string>() };

/** One request after others sent some at a time (µs) within the window before it. */
function historyAfter(used: number, requests: number, at: number, mechanism: Shape['mechanism']): History {
  const end = mechanism === 'log' ? used + WINDOW : WINDOW;
  const event = {
    ...{ exchange: { seq: 1 }, from: at, to: at + 1000, outcome: 'accepted', group: '' },
    ...{ remaining: 99 - requests, reset: Math.round(end / 1000) * 1000 },
  } as unknown as Event;
  return {
    ...{ key: 'key-1', kind: 'read', limit: 100, shown: 100, events: [event], unit: 1000 },
    ...{ offset: { low: 0, high: 0 }, until: Number.POSITIVE_INFINITY },
  };
}

function narrowedIn(history: History, requests: number, mechanism: Shape['mechanism'], most = 1_000_000): Episode {
  const [event] = history.events;
  const shape = SHAPES.find((each) => each.mechanism === mechanism);
  if (!event || !shape) throw new Error('there are an event and a shape');
  const episode = { key: 'key-1', event, requests, since: event.from - 2 * WINDOW, until: event.to };
  return narrowed([episode], [history], variantOf(shape, COUNTED), new Work(most))[0] ?? episode;
}

const requests = fc.integer({ min: 1, max: 20 });
const used = fc.integer({ min: 5 * SECOND, max: 55 * SECOND });

test('a marker that tells of the oldest request tells when others used the key', () => {
  fc.assert(
    fc.property(used, requests, (time, count) => {
      const found = narrowedIn(historyAfter(time, count, 58 * SECOND, 'log'), count, 'log');
      expect(found.since).toBeLessThanOrEqual(time);
      expect(found.until).toBeGreaterThanOrEqual(time);
      // A minute may last longer by the clock of the deployment; markers are rounded, and answers take some time. What
      // leaves the log just while the request is under way may be counted, though it is not the oldest.
      expect(found.width).toBeGreaterThan(0);
      expect(found.width).toBeLessThan(4 * DRIFT * WINDOW + SECOND / 10);
    }),
  );
});

thorough('of a window on a grid, the marker tells only that it was used in this window', () => {
  fc.assert(
    fc.property(used, requests, (time, count) => {
      const found = narrowedIn(historyAfter(time, count, 58 * SECOND, 'grid'), count, 'grid');
      expect(found.since).toBeLessThanOrEqual(time);
      expect(found.until).toBeGreaterThanOrEqual(time);
      expect(found.width).toBeGreaterThan(WINDOW / 2);
    }),
  );
});

test('what the bound of work leaves open may have come at any time', () => {
  const history = historyAfter(30 * SECOND, 3, 58 * SECOND, 'log');
  const found = narrowedIn(history, 3, 'log', 3);
  expect(found).toMatchObject({ since: 58 * SECOND - 2 * WINDOW, until: 58 * SECOND + 1000 });
  expect(found.width).toBeUndefined();
});
