import { expect, test } from 'vitest';
import { CONFORMING, headers, type Sketch } from './trace-builder.test-support.ts';
import { verdictOn } from './verdicts.test-support.ts';

test('HDR-3 names the operations whose kind may be another, where they are few', () => {
  const put = (operation: string, limit: string): Sketch => {
    return { operation, kind: 'write', headers: headers({ limit: [limit] }) };
  };
  const remedy = (...wrong: readonly string[]) =>
    verdictOn('HDR-3', [
      ...CONFORMING.filter(({ operation }) => operation !== 'put-label'),
      ...[put('put-service', '30'), ...wrong.map((operation) => put(operation, '100'))],
    ]).remedy;
  expect(remedy('put-label', 'put-label', 'put-size')).toMatch(
    /^Usually the deployment treats some operations as reads .* Check `kind` of put-label and put-size in the profile\./,
  );
  expect(remedy('a', 'b', 'c', 'd', 'e', 'f')).toMatch(
    /Check `kind` of a, b, c, d, e and 1 more operation in the profile\./,
  );
});
