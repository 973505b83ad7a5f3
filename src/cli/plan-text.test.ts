import { expect, test } from 'vitest';
import { aliases, profileOf } from '../plan/plan.test-support.ts';
import { EVERYTHING, makePlan } from '../plan/plan.ts';
import { HEADER } from '../trace/trace.test-support.ts';
import { planText } from './plan-text.ts';

/** A check leaves out most combinations of most requirements. */
function textOfCheck(verbose: boolean): readonly string[] {
  const profile = profileOf(12);
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
