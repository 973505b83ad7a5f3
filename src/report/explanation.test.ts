import { expect, test } from 'vitest';
import { compareReports } from './compare.ts';
import { mechanismSection } from './html/budgets.ts';
import { htmlReport } from './html/html-report.ts';
import { sampleReport } from './sample-report.test-support.ts';
import { terminalReport } from './terminal.ts';

test('a mechanism is named where a budget was spent, and not before', () => {
  const spent = sampleReport();
  const unspent = { ...spent, budgets: spent.budgets.map((budget) => ({ ...budget, refused: 0 })) };
  expect(spent.budgets.some(({ refused }) => refused > 0)).toBe(true);
  expect(terminalReport(spent)).toContain('limiter    ');
  expect(mechanismSection(spent)).not.toBeNull();
  expect(terminalReport(unspent)).not.toContain('limiter    ');
  expect(mechanismSection(unspent)).toBeNull();
});

test('while several mechanisms explain every budget, none is told as the one', () => {
  const one = sampleReport();
  const both = ['fixed windows on a grid', 'sliding log'].map((name) => ({ name, parameters: [] }));
  const open = { ...one, budgets: one.budgets.map((budget) => ({ ...budget, mechanisms: both })) };
  const said = 'not decided by this run: fixed windows on a grid, or sliding log';
  expect(terminalReport(open).replace(/\s+/g, ' ')).toContain(`limiter ${said}`);
  expect(htmlReport(open)).toContain(`<h3>N${said.slice(1)}</h3>`);
  const ofMany = (...names: readonly string[]): string => {
    const mechanisms = names.map((name) => ({ name, parameters: [] }));
    const budgets = one.budgets.map((budget) => ({ ...budget, mechanisms }));
    return terminalReport({ ...one, budgets }).replace(/\s+/g, ' ');
  };
  expect(ofMany('a', 'b', 'c', 'd')).toContain('a, or b, or c, or d ');
  expect(ofMany('a', 'b', 'c', 'd', 'e')).toContain('a, or b, or c, or 2 more mechanisms');
  const { mechanisms } = compareReports(open, one);
  expect(mechanisms.map(({ before }) => before)).toEqual([said]);
});

test('where reads and writes have different mechanisms, each is named; where one has none, nothing is', () => {
  const one = sampleReport();
  const named = (of: { readonly read: readonly string[]; readonly write: readonly string[] }) => ({
    ...one,
    budgets: one.budgets.map((budget) => ({
      ...budget,
      mechanisms: of[budget.kind].map((name) => ({ name, parameters: [] })),
    })),
  });
  const told = (report: ReturnType<typeof named>) => terminalReport(report).replace(/\s+/g, ' ');
  const apart = told(named({ read: ['fixed windows on a grid'], write: ['sliding log'] }));
  expect(apart).toContain('limiter reads: fixed windows on a grid; writes: sliding log');
  expect(told(named({ read: ['fixed windows on a grid'], write: [] }))).not.toContain('limiter ');
});
