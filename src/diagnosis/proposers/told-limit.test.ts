import { expect, test } from 'vitest';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { foundBy } from './deviating-world.test-support.ts';
import { proposeToldLimits } from './told-limit.ts';

/** µs between two requests: all of them fall into one window. */
const EVERY = 100_000;

/** A budget in which labels have `limit`, and which all other requests use as well. */
function historyWith(limit: number, told: number): History {
  let all = 0;
  const events = Array.from({ length: 150 }, (_, at): Event => {
    const group = at % 2 === 0 ? 'labels' : 'service';
    const own = group === 'labels' ? limit : 100;
    const accepted = all < own;
    if (accepted) all += 1;
    const exchange = {
      seq: at,
      operation: `get ${group}`,
      group,
      method: 'GET',
      target: `/${group}`,
      headers: { limit: [group === 'labels' ? `${told}` : '100'] },
    } as unknown as Exchange;
    const from = EVERY * (at + 1);
    return {
      exchange,
      from,
      to: from + 1000,
      outcome: accepted ? 'accepted' : 'refused',
      group: '',
      remaining: Math.max(0, own - all),
      reset: EVERY + WINDOW,
    };
  });
  const offset = { low: 0, high: 0 };
  return {
    key: 'key-1',
    kind: 'read',
    limit: 100,
    shown: 100,
    events,
    unit: 1_000_000,
    offset,
    until: Number.POSITIVE_INFINITY,
  };
}

const found = (history: History) => foundBy(proposeToldLimits, 'read', { budgets: [{ history }], anonymous: [] });

test('a tighter limit of one group that its headers tell is found, and how it is counted', () => {
  const [cheapest] = found(historyWith(60, 60));
  expect(cheapest?.deviations).toMatchObject([
    { operator: 'second-limit', parameters: { limit: 60, told: { counted: 'with all' } } },
  ]);
});

test('where only the header is another, no limit is', () => {
  expect(found(historyWith(100, 60))).toEqual([]);
});
