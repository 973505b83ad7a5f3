import { expect, test } from 'vitest';
import { type Compared, contrast } from './contrast.ts';
import { situationsOf } from './situations.ts';
import { exchanges, headers } from './trace-builder.test-support.ts';

const wordsOf = (compared: Compared): string | null => contrast(compared)?.words ?? null;

const left = (remaining: number | null) => headers({ remaining: remaining === null ? [] : [`${remaining}`] });

/** Refused for a while, twice. */
const isSpent = (at: number): boolean => at % 10 > 5;

const KEYLESS = { credential: 'none', key: null, fault: 'no-key' } as const;

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
  [
    'only while requests with valid keys are refused, too',
    exchanges(
      ...Array.from({ length: 20 }, (_, at) => [
        { sent: 100 * at, answered: 100 * at + 10, key: 'key-1', status: isSpent(at) ? 429 : 200 },
        { ...KEYLESS, sent: 100 * at + 20, answered: 100 * at + 30, status: isSpent(at) ? 429 : 401 },
      ]).flat(),
    ),
    429,
  ],
] as const)('%s', (due, all, status) => {
  const judged = all.filter((each) => status === 500 || each.fault !== 'none');
  const wrong = judged.filter((each) => each.status === status);
  const right = judged.filter((each) => each.status !== status);
  expect(wordsOf({ wrong, right, situations: situationsOf(all) })).toBe(due);
  expect(
    wordsOf({ wrong: [...wrong, ...right.slice(-1)], right: right.slice(0, -1), situations: situationsOf(all) }),
  ).not.toBe(due);
});

test('requests without a key are no others of its key', () => {
  const all = exchanges(
    ...Array.from({ length: 10 }, (_, at) => ({ ...KEYLESS, sent: 30_600 + at, answered: 30_900, status: 200 })),
    ...Array.from({ length: 60 }, (_, at) => ({
      ...{ ...KEYLESS, sent: 1000 * (at + 1), answered: 1000 * (at + 1) + 500, status: 401 },
    })),
  );
  const [wrong, right] = [200, 401].map((status) => all.filter((each) => each.status === status));
  expect(wordsOf({ wrong: wrong ?? [], right: right ?? [], situations: situationsOf(all) })).toMatch(/^not always/);
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
  expect(wordsOf(compared)).toBe('only where nothing is left of the budget');
  const some = all.filter((_, at) => at !== 1);
  expect(wordsOf({ ...compared, situations: situationsOf(some) })).toBeNull();
});

test('the Remaining of an answer to a key that was not accepted says nothing of its budget', () => {
  const all = exchanges(
    ...Array.from({ length: 12 }, (_, at) => ({
      ...{ sent: 1000 * at, answered: 1000 * at + 10, status: at % 4 === 3 ? 401 : 200 },
      headers: left(at % 4 === 3 ? 0 : 50),
    })),
  );
  const [wrong, right] = [true, false].map((is) => all.filter(({ status }) => (status === 401) === is));
  expect(wordsOf({ wrong: wrong ?? [], right: right ?? [], situations: situationsOf(all) })).toMatch(/^not always/);
});

test('an answer that a cache repeats for another key is wrong for as long as the cache keeps it', () => {
  const restricted = (seconds: number, status: number) => ({
    ...{ sent: seconds * 1e6, answered: seconds * 1e6 + 1000, key: 'restricted', operation: 'create-label', status },
  });
  const all = exchanges(
    { sent: 0, answered: 1000, key: 'key-1', operation: 'create-label' },
    ...[restricted(0.5, 200), restricted(1, 200), restricted(2, 200), restricted(3.2, 200)],
    ...[restricted(5, 403), restricted(6, 403)],
  );
  const wrong = all.filter(({ key, status }) => key === 'restricted' && status === 200);
  const right = all.filter(({ status }) => status === 403);
  const situations = situationsOf(all);
  expect(wordsOf({ wrong, right, situations })).toBe(
    'each within 4 s after the same operation succeeded with another key; none later',
  );
  expect(wordsOf({ wrong: [...wrong, ...right.slice(1)], right: right.slice(0, 1), situations })).not.toMatch(/within/);
});
