import { expect, test } from 'vitest';
import { Assignment } from './assignment.ts';
import type { LogEntry } from './entry.ts';
import type { Wanted } from './line-index.ts';

const line = (time: number, path: string, rest: Partial<LogEntry> = {}): LogEntry => {
  return { time, method: 'GET', path: `/api${path}`, status: 200, hasNonce: false, instead: null, ...rest };
};
const wanted = (path: string | null, from: number, to: number): Wanted => {
  return { seq: from, method: 'GET', path, status: 200, time: [from, to] };
};

function fits(requests: readonly Wanted[], lines: readonly LogEntry[]): readonly boolean[] {
  const assignment = new Assignment();
  assignment.extend(requests, lines);
  return requests.map((each) => assignment.hasLine(each));
}

test('a request without a path takes the line that nobody else can take, whoever comes first', () => {
  const lines = [line(2, '/items'), line(3, '/labels')];
  expect(fits([wanted(null, 0, 4), wanted('/items', 0, 5)], lines)).toEqual([true, true]);
  expect(fits([wanted(null, 0, 6), wanted('/items', 0, 5)], lines)).toEqual([true, true]);
});

test('requests move along a chain of lines', () => {
  const lines = [line(3, '/items'), line(5, '/items'), line(6, '/items')];
  const requests = [wanted('/items', 0, 3), wanted('/items', 2, 5), wanted('/items', 4, 6)];
  const late = wanted(null, 3, 7);
  expect(fits([...requests, late], lines).filter(Boolean)).toHaveLength(3);
  expect(fits([...requests, late], [line(2, '/items'), ...lines])).toEqual([true, true, true, true]);
});

test('what has a line keeps one when more lines come', () => {
  const [marked, other] = [line(3, '/items', { hasNonce: true }), line(1, '/items')];
  const [early, late] = [wanted('/items', 0, 4), wanted('/items', 2, 5)];
  const assignment = new Assignment();
  assignment.extend([early, late], [marked]);
  expect(assignment.isTaken(marked)).toBe(true);
  assignment.extend([early, late], [other, marked]);
  expect([early, late].map((each) => assignment.hasLine(each))).toEqual([true, true]);
});

test('method, status, time and the end of the path must agree', () => {
  const others = [
    line(1, '/items', { method: 'PUT' }),
    line(1, '/items', { status: 404 }),
    line(9, '/items'),
    line(1, '/items/1'),
  ];
  expect(fits([wanted('/items', 0, 4)], others)).toEqual([false]);
  expect(fits([wanted(null, 0, 4)], others.slice(0, 3))).toEqual([false]);
});
