import { expect, test } from 'vitest';
import { disagreement, type FleetResult, fleetTable } from './compare.ts';

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

test.each<readonly [FleetResult, string | null]>([
  [CONFORMING, null],
  [{ ...CONFORMING, exit: 1, failed: ['HDR-7'] }, 'fails HDR-7, which it keeps'],
  [{ ...CONFORMING, exit: 3, inconclusive: ['LIMIT-R'] }, 'was left undecided (exit 3): LIMIT-R'],
  [{ ...BUCKET, failed: ['LIMIT-WINDOW'] }, null],
  [{ ...BUCKET, failed: ['LIMIT-WINDOW', 'HDR-4'] }, null],
  [{ ...BUCKET, failed: ['HDR-4'] }, 'LIMIT-WINDOW did not fail (exit 1)'],
  [{ ...BUCKET, failed: ['LIMIT-WINDOW', 'LIMIT-KEY'] }, 'fails LIMIT-KEY, which it keeps'],
])('%j', (result, expected) => {
  expect(disagreement(result)).toBe(expected);
});

test('the table says what was said and whether it is so', () => {
  const table = fleetTable([CONFORMING, { ...BUCKET, failed: ['HDR-4'] }]);
  expect(table).toContain('| a 1.0 | go | fixed windows | conforms | yes |');
  expect(table).toContain('| fails HDR-4 | LIMIT-WINDOW did not fail (exit 1) |');
});
