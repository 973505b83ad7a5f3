import { expect, test } from 'vitest';
import { type Comparison, compare, type FleetResult, fleetTable } from './compare.ts';

const CONFORMING: FleetResult = {
  server: { id: 'a', language: 'go', library: 'a 1.0', known: 'fixed windows', breaks: [], may: [] },
  exit: 0,
  failed: [],
  inconclusive: [],
};
const BUCKET: FleetResult = {
  ...CONFORMING,
  server: { ...CONFORMING.server, breaks: ['LIMIT-WINDOW'], may: ['HDR-4'] },
  exit: 1,
};

test.each<readonly [FleetResult, Comparison['kind'], string]>([
  [CONFORMING, 'agrees', 'yes'],
  [{ ...CONFORMING, exit: 1, failed: ['HDR-7'] }, 'disagrees', 'fails HDR-7, which it keeps'],
  [{ ...CONFORMING, exit: 3, inconclusive: ['LIMIT-R'] }, 'open', 'was left undecided (exit 3): LIMIT-R'],
  [{ ...CONFORMING, exit: null }, 'open', 'was left undecided (exit null): no report'],
  [{ ...BUCKET, failed: ['LIMIT-WINDOW'] }, 'agrees', 'yes'],
  [{ ...BUCKET, failed: ['LIMIT-WINDOW', 'HDR-4'] }, 'agrees', 'yes'],
  [{ ...BUCKET, failed: ['HDR-4'] }, 'disagrees', 'LIMIT-WINDOW did not fail (exit 1)'],
  [{ ...BUCKET, failed: ['LIMIT-WINDOW', 'LIMIT-KEY'] }, 'disagrees', 'fails LIMIT-KEY, which it keeps'],
  [{ ...BUCKET, exit: 3, inconclusive: ['LIMIT-WINDOW'] }, 'open', 'was left undecided (exit 3): LIMIT-WINDOW'],
  [{ ...BUCKET, exit: 0 }, 'disagrees', 'LIMIT-WINDOW did not fail (exit 0)'],
])('%j', (result, kind, text) => {
  expect(compare(result)).toEqual({ kind, text });
});

test('the table says what was said and whether it is so', () => {
  const table = fleetTable([CONFORMING, { ...BUCKET, failed: ['HDR-4'] }]);
  expect(table).toMatch(/^### Go\n\n\| Library /);
  expect(table).toContain('| a 1.0 | fixed windows | conforms |');
  expect(table).toContain('| fails HDR-4; disagrees: LIMIT-WINDOW did not fail (exit 1) |');
});
