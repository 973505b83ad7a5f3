import { expect, test } from 'vitest';
import { mechanismSection } from './html/budgets.ts';
import { sampleReport } from './sample-report.test-support.ts';
import { terminalReport } from './terminal.ts';

test('a mechanism is named where a budget was spent, and not before', () => {
  const spent = sampleReport();
  const unspent = { ...spent, budgets: spent.budgets.map((budget) => ({ ...budget, refused: 0 })) };
  expect(spent.budgets.some(({ refused }) => refused > 0)).toBe(true);
  expect(terminalReport(spent)).toContain('mechanism  ');
  expect(mechanismSection(spent)).not.toBeNull();
  expect(terminalReport(unspent)).not.toContain('mechanism  ');
  expect(mechanismSection(unspent)).toBeNull();
});
