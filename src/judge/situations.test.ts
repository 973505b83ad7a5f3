import { expect, test } from 'vitest';
import { contrast } from './contrast.ts';
import { situationsOf } from './situations.ts';
import { exchanges, headers } from './trace-builder.test-support.ts';

const left = (remaining: number | null) => headers({ remaining: remaining === null ? [] : [`${remaining}`] });

test.each([
  [
    'only while other requests of its key are under way',
    // Ten at once, of which half fail, and one after the other, all of which succeed.
    exchanges(
      ...Array.from({ length: 10 }, (_, at) => ({ sent: at, answered: 900, status: at % 2 === 0 ? 500 : 200 })),
      ...Array.from({ length: 60 }, (_, at) => ({ sent: 1000 * (at + 1), answered: 1000 * (at + 1) + 500 })),
    ),
    500,
  ],
  [
    'only on a connection on which a valid key had been sent',
    exchanges(
      { sent: 0, answered: 10, connection: 1, credential: 'none', key: null, fault: 'no-key', status: 401 },
      { sent: 20, answered: 30, connection: 2 },
      { sent: 40, answered: 50, connection: 2, credential: 'none', key: null, fault: 'no-key', status: 202 },
    ),
    202,
  ],
] as const)('%s', (due, all, status) => {
  const wrong = all.filter((each) => each.status === status);
  const right = all.filter((each) => each.status !== status && (status === 500 || each.fault !== 'none'));
  expect(contrast({ wrong, right, situations: situationsOf(all) })).toBe(due);
  expect(
    contrast({ wrong: [...wrong, ...right.slice(-1)], right: right.slice(0, -1), situations: situationsOf(all) }),
  ).not.toBe(due);
});

test('a header that is left out where none is left is missing on the last answer of each window', () => {
  const counted = [2, 1, null, 2, 1, null];
  const all = exchanges(
    ...counted.map((remaining, at) => ({
      sent: 1000 * at,
      answered: 1000 * at + 10,
      headers: { ...left(remaining), reset: [at < 3 ? '1795257060' : '1795257120'] },
    })),
  );
  const wrong = all.filter((each) => each.headers.remaining.length === 0);
  const right = all.filter((each) => each.headers.remaining.length > 0);
  const compared = { wrong, right, situations: situationsOf(all), isPlaced: true };
  expect(contrast(compared)).toBe('only where none is left');
  const some = all.filter((_, at) => at !== 1);
  expect(contrast({ ...compared, situations: situationsOf(some) })).toBeNull();
});
