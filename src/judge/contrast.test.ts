import { expect, test } from 'vitest';
import { contrast } from './contrast.ts';
import { situationsOf } from './situations.ts';
import { exchanges } from './trace-builder.test-support.ts';

const made = exchanges(
  { credential: 'bearer', kind: 'read', operation: 'get-label', sent: 1000 },
  { credential: 'x-api-key', kind: 'read', operation: 'get-label', sent: 2000 },
  { credential: 'bearer', kind: 'write', operation: 'create-label', sent: 3000 },
  { credential: 'x-api-key', kind: 'write', operation: 'create-label', sent: 4000 },
);
const at = (...numbers: readonly number[]) => made.filter(({ seq }) => numbers.includes(seq));

test.each([
  [[1, 3], [2, 4], 'only by Bearer'],
  [[1, 2], [], null],
  [[1, 4], [2, 3], 'not always: #2 was answered 200'],
  [[1, 2], [3, 4], 'only on reads'],
  // The header and the kind set them apart, so neither is the one thing.
  [[1], [4], null],
])('wrong answers to %j, right ones to %j: %s', (wrong, right, due) => {
  expect(contrast({ wrong: at(...wrong), right: at(...right), situations: situationsOf([]) })).toBe(due);
});

test('equal requests are set apart by when they were sent if there are enough of them, or by nothing', () => {
  const all = exchanges(...Array.from({ length: 8 }, (_, index) => ({ sent: 1000 * index })));
  expect(contrast({ wrong: all.slice(4), right: all.slice(0, 4), situations: situationsOf([]) })).toBe('from #5 on');
  expect(contrast({ wrong: all.slice(0, 4), right: all.slice(4), situations: situationsOf([]) })).toBe('until #4');
  expect(contrast({ wrong: all.slice(0, 3), right: all.slice(3), situations: situationsOf([]) })).toBe(
    'not always: #4 was answered 200',
  );
});
