import { expect, test } from 'vitest';
import { aliases, profileOf } from '../plan/plan.test-support.ts';
import { EVERYTHING, makePlan } from '../plan/plan.ts';
import { HEADER } from '../trace/trace.test-support.ts';
import { planText } from './plan-text.ts';

/** A check leaves out most combinations of most requirements. */
function textOfCheck(verbose: boolean, maxRequests: number | null = null): readonly string[] {
  const unbounded = profileOf(12);
  const profile = { ...unbounded, pacing: { ...unbounded.pacing, maxRequests } };
  const keys = aliases(1);
  const plan = makePlan({ profile, keys, selection: EVERYTHING, mode: 'check' });
  return planText(plan, { ...HEADER, profile, keys, selection: [...EVERYTHING] }, verbose).split('\n');
}

test('the plan is a screen of lines, and names what it leaves out only where that is asked for', () => {
  const short = textOfCheck(false);
  expect(short.length).toBeLessThan(15);
  expect(short.filter((line) => line.includes(': not '))).toEqual([]);
  expect(short.find((line) => line.includes('combinations'))).toContain('--verbose');
  const long = textOfCheck(true);
  expect(long.filter((line) => /^ {2}AUTH-5: not /.test(line))).toHaveLength(1);
  expect(long.length).toBeGreaterThan(short.length + 5);
});

test('a bound on requests that the plan may exceed is told, and what comes of it', () => {
  expect(textOfCheck(false, 10).join('\n')).toContain('max_requests allows 10: if the run needs more, it ends early');
  expect(textOfCheck(false, 10_000).join('\n')).not.toContain('max_requests');
});

test('the plan of a whole run says why it takes two minutes', () => {
  const [profile, keys] = [profileOf(12), aliases(4)];
  const plan = makePlan({ profile, keys, selection: EVERYTHING, mode: 'certify' });
  const [last] = planText(plan, { ...HEADER, profile, keys, selection: [...EVERYTHING] })
    .split('\n')
    .slice(-1);
  expect(last).toBe(
    'It takes at least 120 s, or less if a window had begun before the run: some faults show only when a second window of a minute has ended, and more keys do not change that.',
  );
});

test.each([
  ['certify', 1],
  ['certify', 4],
  ['check', 4],
] as const)('each experiment is explained in a few words: %s with %i keys', (mode, count) => {
  const [profile, keys] = [profileOf(12), aliases(count)];
  const plan = makePlan({ profile, keys, selection: EVERYTHING, mode });
  const text = planText(plan, { ...HEADER, profile, keys, selection: [...EVERYTHING] }).split('\n');
  const at = text.findIndex((line) => line.startsWith('experiment '));
  const table = text.slice(at, text.indexOf('', at)).filter((line) => !line.startsWith('not run: '));
  const column = table[0]?.indexOf('what it does') ?? 0;
  expect(table.length).toBeGreaterThan(3);
  for (const line of table) expect(line.slice(column)).toMatch(/^\w[\w ,-]+$/);
  expect(Math.max(...table.map(({ length }) => length))).toBeLessThanOrEqual(100);
});
