import { expect, test } from 'vitest';
import { suppressors } from './dependencies.ts';
import { exchanges, type Sketch } from './trace-builder.test-support.ts';
import type { Opinion } from './verdict.ts';

const fails = (id: Opinion['id'], ...sketches: readonly Sketch[]): Opinion => ({
  id,
  verdict: 'fail',
  summary: '',
  proofs: [{ expected: '', received: '', evidence: exchanges(...sketches), argument: [], diagnosis: null }],
});
const refused = new Map([['AUTH-3', fails('AUTH-3', { credential: 'bearer', status: 401 })]] as const);

test('that each header has a budget of its own stays a failure where keys were accepted by both', () => {
  expect(suppressors(fails('LIMIT-HEADER', {}, { credential: 'bearer' }), refused)).toEqual([]);
});

test.each([
  ['what shows it is the refusal itself', [{}, { credential: 'bearer', status: 401 }]],
  ['nothing of it came by the header that is refused', [{}, {}]],
] as const)('it hangs on the broken part where %s', (_, shown) => {
  expect(suppressors(fails('LIMIT-HEADER', ...shown), refused)).toEqual(['AUTH-3']);
});
