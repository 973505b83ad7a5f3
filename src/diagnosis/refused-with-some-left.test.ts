import { describe, expect, test } from 'vitest';
import { readEvidence } from '../judge/limits/budgets.ts';
import type { History } from '../oracle/history.ts';
import { makeHistory } from '../oracle/make-history.ts';
import { UNREADABLE } from '../oracle/marker.ts';
import { Work } from '../oracle/work.ts';
import { conductOf } from '../reference/conduct.ts';
import { fullPlan, planHistory } from '../reference/plan-histories.test-support.ts';
import { traceOf } from '../reference/simulated-trace.test-support.ts';
import { Fitter } from './fitter.ts';
import { conformingWorld, withEvents } from './world.ts';

const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000 + 123_456;

/** The reads of the first key in a run of the whole plan. */
function readsUnder(variant: string): History {
  const history = planHistory(fullPlan(), { conduct: conductOf(variant, null), seed: 3, epoch: EPOCH });
  const budget = readEvidence(traceOf(history, EPOCH, 3)).budgets.find(({ kind }) => kind === 'read');
  return budget?.history ?? makeHistory([], { key: '', kind: 'read' }, UNREADABLE, { low: 0, high: 0 });
}

describe.each(['grid-clock', 'anchored', 'log', 'counter', 'counter-latched'])('%s', (variant) => {
  const history = readsUnder(variant);
  // In the minute before it, nearly all were left: so nobody had used forty of them.
  const refusal = history.events.find(
    ({ outcome, from }) =>
      outcome === 'refused' &&
      history.events.some((each) => each.to < from && each.to > from - 50e6 && (each.remaining ?? 0) > 80),
  );
  const saying = withEvents(history, (event) => (event === refusal ? { ...event, remaining: 40 } : event));
  const isExplained = (own: History): boolean => new Fitter(new Work(20_000_000)).fit(conformingWorld([own])) !== null;

  test('no window explains a refusal that says that forty are left, alone or used by others', () => {
    expect(isExplained(history)).toBe(true);
    expect(isExplained(saying)).toBe(false);
    expect(isExplained({ ...saying, shared: true })).toBe(false);
  });
});
