import { expect, test } from 'vitest';
import type { Event, History } from '../../oracle/history.ts';
import { exchanges } from '../trace-builder.test-support.ts';
import {
  allFirst,
  costsOtherwise,
  markerGoesBack,
  markersDiffer,
  moreThanLimit,
  refusedBeforeMore,
  refusedWithSomeLeft,
  repeatsEarlier,
  slowCostsTwo,
} from './own-showings.ts';
import { refusedEarly } from './window-counts.ts';

/** Requests with the ms at which they were sent and answered, what was left, and whether they were refused. */
function historyOf(...found: readonly (readonly [from: number, to: number, remaining: number, refused?: boolean])[]) {
  const recorded = exchanges(...found.map(() => ({})));
  const events = found.map(([from, to, remaining, refused = false], at) => ({
    ...{ exchange: recorded[at], from: from * 1000, to: to * 1000, remaining, reset: 60e6 },
    outcome: refused ? 'refused' : 'accepted',
  }));
  return { events: events as unknown as readonly Event[], limit: 100, shown: 100, kind: 'read' } as History;
}

const seqs = (shown: ReturnType<typeof allFirst>) => shown?.events.map(({ exchange }) => exchange.seq);

test('of refusals with some left, the one with the most is shown after the answer before it', () => {
  const shown = refusedWithSomeLeft(historyOf([0, 1, 99], [2, 3, 98, true], [4, 5, 97], [6, 7, 97, true]));
  expect(seqs(shown)).toEqual([1, 2]);
  expect(shown?.argument.at(-1)).toBe('#2 was refused, and its own answer says that 98 requests are left.');
  expect(refusedWithSomeLeft(historyOf([0, 1, 0], [2, 3, 0, true]))).toBeNull();
});

test('a refusal is shown with the request that was accepted after it in the same window', () => {
  const shown = refusedBeforeMore(historyOf([0, 1, 1], [2, 3, 0, true], [2, 4, 0], [5, 6, 0]));
  expect(seqs(shown)).toEqual([2, 4]);
  expect(shown?.argument.at(-1)).toMatch(/^#2 was refused. #4, sent after its answer, was accepted in the same window/);
  expect(refusedBeforeMore(historyOf([0, 1, 0], [2, 3, 0, true], [2, 4, 0]))).toBeNull();
});

test('a later window in which fewer than the limit pass is shown with its refusal', () => {
  const history = historyOf([0, 1, 1], [2, 3, 0], [4, 5, 0, true], [60, 61, 1], [62, 63, 0, true]);
  const events = history.events.map((event, at) => ({ ...event, reset: at < 3 ? 60e6 : 120e6 }));
  const shown = refusedEarly({ ...history, events, limit: 2 });
  expect(seqs(shown)).toEqual([4, 4, 5]);
  expect(refusedEarly({ ...history, events: events.slice(0, 3), limit: 2 })).toBeNull();
});

test('of a lower limit, the request that left the fewest is shown, and the first refusal', () => {
  const history = historyOf([0, 9, 2], [2, 6, 0], [3, 7, 0, true], [3, 8, 1], [10, 11, 0, true]);
  const shown = refusedEarly({ ...history, limit: 100 });
  expect(seqs(shown)).toEqual([1, 2, 3]);
  expect(shown?.argument.at(-1)).toMatch(/Of these, #2 left the fewest: 0\. The limit is 100, and #3 was refused\.$/);
});

test('of a lower limit, the first refusal of the window that refused the soonest is shown', () => {
  const history = historyOf([0, 1, 1], [9, 10, 0, true], [100, 101, 1], [102, 103, 0, true], [159, 160, 0, true]);
  const events = history.events.map((event, at) => ({ ...event, reset: at < 2 ? 60e6 : 120e6 }));
  expect(seqs(refusedEarly({ ...history, events }))).toEqual([3, 3, 4]);
});

test('the slowest request that cost two is shown, if no other was under way', () => {
  const shown = slowCostsTwo(historyOf([0, 1, 99], [2, 152, 97], [160, 161, 96], [170, 180, 94], [181, 182, 93]));
  expect(seqs(shown)).toEqual([1, 2]);
  expect(shown?.argument.at(-1)).toMatch(/^#2 took 150 ms\. .* two fewer are left\.$/);
  expect(slowCostsTwo(historyOf([0, 1, 99], [2, 152, 97], [3, 4, 98]))).toBeNull();
});

test('a request of a class that costs another number than one is shown with the one before it', () => {
  const history = historyOf([0, 1, 99], [2, 3, 98], [4, 5, 96], [6, 7, 96], [8, 9, 95]);
  const shown = (seq: number, weight: number, own = history) =>
    costsOtherwise(own, ({ exchange }) => exchange.seq === seq, weight);
  expect(seqs(shown(3, 2))).toEqual([2, 3]);
  expect(shown(3, 2)?.argument.at(-1)).toMatch(/^No other read .* and yet 2 fewer are left than before\.$/);
  expect(shown(4, 0)?.argument.at(-1)).toMatch(/ and yet as many are left as before\.$/);
  expect(shown(3, 5)).toBeNull();
  // An answer without Remaining says nothing of what it cost.
  const untold = history.events.map((event) => (event.exchange.seq === 3 ? { ...event, remaining: null } : event));
  expect(shown(3, 98, { ...history, events: untold })).toBeNull();
  // Of two under way together, the later one may have been counted first.
  expect(shown(3, 2, historyOf([0, 3, 97], [1, 2, 98], [4, 5, 96]))).toBeNull();
});

test('an answer that repeats an earlier one is shown with both, if fewer were left between them', () => {
  const history = historyOf([0, 1, 99], [2, 3, 98], [4, 5, 99]);
  expect(seqs(repeatsEarlier(history))).toEqual([1, 2, 3]);
  expect(repeatsEarlier(history)?.argument.at(-1)).toMatch(/^#3 says what #1 said of the same URL, although #2 /);
  expect(repeatsEarlier(historyOf([0, 1, 99], [2, 3, 99]))).toBeNull();
});

test('simultaneous answers that all say that they are the first are shown', () => {
  const shown = allFirst(historyOf([0, 5, 99], [1, 6, 99], [2, 6, 99], [3, 7, 99], [9, 10, 98]));
  expect(seqs(shown)).toEqual([1, 2, 3]);
  expect(shown?.argument.at(-1)).toMatch(
    /^#1, #2 and #3 were under way at the same time, and each says that 99 are left/,
  );
  expect(allFirst(historyOf([0, 1, 99], [2, 3, 99]))).toBeNull();
});

test('a request that is counted in an earlier window than the one before is shown with it', () => {
  const history = historyOf([0, 1, 99], [2, 3, 98], [53, 54, 29], [60, 61, 97], [62, 63, 28]);
  const marked = {
    ...history,
    unit: 1,
    events: history.events.map((event, at) => ({ ...event, reset: MARKERS[at] ?? 0 })),
  };
  const shown = markerGoesBack(marked);
  expect(seqs(shown)).toEqual([3, 4]);
  expect(shown?.argument.at(-1)).toMatch(/^#3 was counted in the window .* #4, sent 6 ms after its answer, was still /);
  expect(markerGoesBack(history)).toBeNull();
});

test('an answer that states another end than the one before it, while that window lasts, is shown with it', () => {
  const history = historyOf([0, 1, 99], [2, 3, 98], [4, 5, 97]);
  const marked = (...markers: readonly number[]) => ({
    ...{ ...history, unit: 1, offset: { low: 0, high: 0 } },
    events: history.events.map((event, at) => ({ ...event, reset: markers[at] ?? 0 })),
  });
  const isMeant = ({ exchange }: { readonly exchange: { readonly seq: number } }): boolean => exchange.seq === 3;
  expect(seqs(markersDiffer(marked(60e6, 60e6, 65e6), isMeant))).toEqual([2, 3]);
  expect(markersDiffer(marked(60e6, 60e6, 60e6), isMeant)).toBeNull();
  // The window of the first two has ended.
  expect(markersDiffer(marked(1, 1, 60e6), isMeant)).toBeNull();
});

const MARKERS = [60e6, 60e6, 120e6, 60e6, 120e6];

test('an answer with more left than the limit is shown', () => {
  const shown = moreThanLimit(historyOf([0, 1, 99], [2, 3, 101]));
  expect(seqs(shown)).toEqual([2]);
  expect(shown?.argument.at(-1)).toBe('#2 says that 101 requests are left, and the limit is 100.');
  expect(moreThanLimit(historyOf([0, 1, 100]))).toBeNull();
});
