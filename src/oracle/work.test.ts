import { expect, test } from 'vitest';
import { unlessSpent, Work } from './work.ts';

const asking = (events: number) => (): string => {
  new Work(10).spend(events);
  return 'found';
};

test('what bounded work finds counts, and what it leaves open is as is said', () => {
  expect(unlessSpent(asking(10), 'open')).toBe('found');
  expect(unlessSpent(asking(11), 'open')).toBe('open');
});

test('another failure than that of the work is none of its business', () => {
  const fail = (): string => {
    throw new TypeError('a fault');
  };
  expect(() => unlessSpent(fail, 'open')).toThrow(TypeError);
});
