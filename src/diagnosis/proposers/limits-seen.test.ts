import { expect, test } from 'vitest';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { Work } from '../../oracle/work.ts';
import { Fitter } from '../fitter.ts';
import { limitsShown, limitThatFits, quotasSeen } from './limits-seen.ts';

const SECOND = 1_000_000;
const LIMIT = 3;

/** Requests with these outcomes at some times in ms: `a` accepted, `r` refused. */
function historyOf(outcomes: string, times: readonly number[], rest: Partial<Event> = {}): History {
  const events = times.map((time, at) => ({
    ...{ from: time * 1000, to: time * 1000 + 500, group: '', remaining: null, reset: null },
    ...rest,
    outcome: outcomes[at] === 'a' ? 'accepted' : 'refused',
  }));
  const offset = { low: 0, high: 0 };
  return { events, limit: 100, shown: 100, unit: SECOND, offset, until: 300 * SECOND } as unknown as History;
}

/** Bits of a limit of three in a minute, beside a main limit with these budgets. */
function bitsOf(own: History, main: readonly History[] = []): number | undefined {
  const work = new Work(1e7);
  return limitThatFits([own], [LIMIT], WINDOW, main, { fitter: new Fitter(work), work })?.bits;
}

/** Three are accepted at once, one is refused, and three of the next window follow after a pause. */
const spentTwice = (pause: number): History =>
  historyOf('aaaraaar', [0, 1, 2, 3, ...[4, 5, 6, 7].map((at) => at + pause)]);

test('a boundary in a minute of silence takes few bits, and one within a burst takes many', () => {
  expect(bitsOf(spentTwice(30_000))).toBeLessThan(1.5);
  expect(bitsOf(spentTwice(200))).toBeGreaterThan(6);
});

test('windows that begin with those of the main limit take none', () => {
  const end = 100 * 1000 + WINDOW;
  const main = [historyOf('aa', [10, 150], { reset: 100_000 }), historyOf('a', [150], { reset: end })];
  expect(bitsOf(spentTwice(200), main)).toBe(0);
});

test('a limit of three in any five seconds is one, though no windows of five seconds have it', () => {
  // The fourth comes as soon as the first is five seconds old, and the fifth when the second is.
  const sliding = historyOf('aarararara', [0, 2000, 2100, 4000, 4100, 5001, 5100, 7001, 7100, 9002]);
  const three = (history: History): boolean => {
    const work = new Work(1e7);
    return limitThatFits([history], [LIMIT], 5 * SECOND, [], { fitter: new Fitter(work), work }) !== null;
  };
  expect(three(sliding)).toBe(false);
  expect(three(historyOf('aaararara', [0, 2000, 4000, 4100, 5001, 5100, 7001, 7100, 9002]))).toBe(true);
});

test('where a window may have begun anywhere in a burst, round numbers between the bounds are tried first', () => {
  // Of twelve requests at once, some may have been counted in the window before.
  const times = [0, ...Array.from({ length: 12 }, () => 58_000), ...Array.from({ length: 45 }, (_, at) => 62_000 + at)];
  const history = historyOf(`${'a'.repeat(57)}r`, times);
  const limits = limitsShown([history], WINDOW, false);
  expect(limits.slice(0, 2)).toEqual([30, 40]);
  expect(limits).toContain(50);
  expect(limits.indexOf(50)).toBeLessThan(limits.indexOf(56));
  expect(limitsShown([history], WINDOW, true)).not.toContain(30);
});

test('budgets that stop after as many answered requests, failed or not, tell the quota', () => {
  const spent = (accepted: number, failed: number): History => {
    const event = (outcome: Event['outcome'], status: number) => ({ outcome, exchange: { status } });
    const events = [
      ...Array.from({ length: accepted }, () => event('accepted', 200)),
      ...Array.from({ length: failed }, () => event('unclear', 400)),
      // Either limit may have refused these.
      ...Array.from({ length: 10 }, () => event('unclear', 429)),
      event('refused', 429),
    ];
    return { events } as unknown as History;
  };
  expect(quotasSeen([spent(20, 3), spent(22, 1)])).toEqual([23]);
  expect(quotasSeen([spent(20, 3), spent(22, 2)])).toEqual([30, 22]);
});
