import { expect, test } from 'vitest';
import type { Deviation } from '../deployment/operators.ts';
import type { Event, History } from '../oracle/history.ts';
import { bitsByChance } from './by-chance.ts';

const leaving = (...left: readonly number[]): History =>
  ({ limit: 30, events: left.map((remaining) => ({ outcome: 'accepted', remaining }) as Event) }) as unknown as History;

const told = (change: { atLeast: number } | { atMost: number } | { roundedDownTo: number }): readonly Deviation[] => [
  { operator: 'remaining-header', parameters: { kinds: ['write'], change, only: 'all' } },
];

test('each time that Remaining stays at its bound is a coincidence under use by others', () => {
  expect(bitsByChance([leaving(5, 4, 3, 3, 3), leaving(3, 3, 29)], told({ atLeast: 3 }))).toBe(3);
  expect(bitsByChance([leaving(20, 20, 19, 18, 18)], told({ atMost: 20 }))).toBe(1);
  expect(bitsByChance([leaving(5, 4, 3)], told({ atLeast: 3 }))).toBe(0);
  expect(bitsByChance([leaving(3, 3, 3)], told({ roundedDownTo: 1 }))).toBe(0);
});
