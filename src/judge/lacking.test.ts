import { expect, test } from 'vitest';
import { CONFORMING, headers, type Sketch } from './trace-builder.test-support.ts';
import { verdictOn } from './verdicts.test-support.ts';

const LACKING = { headers: headers({ limit: [], remaining: [], reset: [] }) };

test('where all that lack headers are those to one operation, no status is named as the cause by itself', () => {
  const to = (operation: string, status: number): Sketch => ({ operation, status, key: 'restricted', ...LACKING });
  const others = CONFORMING.filter(({ operation, fault }) => operation !== 'put-label' || fault === 'no-key');
  const refused = { ...to('put-label', 403), fault: 'permission' } as const;
  const own = [to('put-label', 200), refused, to('put-label', 200)];
  const summary = (...some: readonly Sketch[]) => verdictOn('HDR-1', [...own, ...others, ...own, ...some]).summary;
  expect(summary()).toBe('answers with status 200 and 403 to put-label lack the three headers');
  // Of another operation only the answers with this status lack them, so the status may be the cause.
  expect(summary({ ...refused, operation: 'get-service' })).toMatch(/answers with status 403 lack the three headers/);
});
