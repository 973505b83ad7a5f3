import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Contradiction } from '../../oracle/check.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { Alternative } from '../../oracle/model.ts';
import { exchanges } from '../trace-builder.test-support.ts';
import { explainContradiction } from './proofs.ts';

const LIMIT = 30;

/** What is said of an answer with this Remaining, before which so many writes were counted. */
function said(remaining: number, low: number, high: number, kind: Contradiction['kind'] = 'remaining'): string {
  const [exchange] = exchanges({ kind: 'write' });
  const event = { exchange, remaining, from: 0, to: 1, outcome: 'accepted' } as unknown as Event;
  const history = { key: 'key-1', kind: 'write', limit: LIMIT, shown: LIMIT, events: [event] } as unknown as History;
  const allowed = { low, high } as unknown as Alternative;
  return explainContradiction({ kind, event, allowed, span: null }, history).argument.at(-1) ?? '';
}

test('no answer is said to be wrong because it left what could be left', () => {
  const count = fc.nat(LIMIT + 5);
  fc.assert(
    fc.property(fc.nat(LIMIT), count, count, (remaining, one, other) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      const [, least, most = least] =
        /but (\d+)(?: to (\d+))? (?:was|were) left:/.exec(said(remaining, low, high)) ?? [];
      const isPossible = LIMIT - 1 - high <= remaining && remaining <= Math.max(0, LIMIT - 1 - low);
      expect(least === undefined).toBe(isPossible);
      expect(Number(least) <= remaining && remaining <= Number(most)).toBe(false);
    }),
  );
});

test('the key and the kind of what was counted are named', () => {
  expect(said(3, 10, 12)).toMatch(
    /^#1 says that 3 were left, but 17 to 19 were left: between 10 and 12 writes of key-1 had been counted before #1\.$/,
  );
  expect(said(3, 1, 1)).toMatch(/: 1 write of key-1 had been counted before #1\.$/);
  expect(said(0, 1, 36)).toMatch(/beside the other answers of its window #1 cannot have left 0\.$/);
});

test('a refusal that came too early is set against the limit', () => {
  expect(said(0, 0, 0, 'too early')).toMatch(
    /^No write of key-1 can still have been counted at #1\. The limit is 30, so it had to be accepted\.$/,
  );
  expect(said(0, 0, 12, 'too early')).toBe(
    'At most 12 writes of key-1 can still have been counted at #1. The limit is 30, so it had to be accepted.',
  );
});
