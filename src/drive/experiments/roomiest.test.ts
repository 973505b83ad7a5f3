import { expect, test } from 'vitest';
import type { BudgetState } from '../budget-state.ts';
import { roomiest } from './roomiest.ts';

const SECOND = 1e6;
const states: Readonly<Record<string, BudgetState>> = {
  spent: { used: 30, remaining: 0, end: 130 * SECOND, opened: 70 * SECOND },
  half: { used: 15, remaining: 15, end: 140 * SECOND, opened: 80 * SECOND },
};
const budget = (key: string) => states[key] ?? { used: 0, remaining: null, end: null, opened: null };

test('the key with most left is taken, not one whose budget is spent', () => {
  expect(roomiest(['spent', 'half'], 'write', budget, 121 * SECOND)).toBe('half');
});

test('a spent budget has all of its requests once its window has ended', () => {
  expect(roomiest(['half', 'spent'], 'write', budget, 131 * SECOND)).toBe('spent');
});

test('a key that nothing is known of is fresh', () => {
  expect(roomiest(['half', 'new'], 'write', budget, 121 * SECOND)).toBe('new');
  expect(roomiest([], 'write', budget, 0)).toBeUndefined();
});
