import { describe, expect, test } from 'vitest';
import { sampled, thorough } from '../../test/sampled.test-support.ts';
import type { ScenarioName } from '../load/load-spec.ts';
import { simulateLoad } from '../load/simulate-load.test-support.ts';
import { sampleSpec } from '../load/spec.test-support.ts';
import { conductOf } from '../reference/conduct.ts';
import type { Trace } from '../trace/trace.ts';
import { judge } from './conclude.ts';
import { condense } from './condense.ts';
import { judgeLimits } from './limits/judge-limits.ts';

const ROOM = { budgets: 2, exchanges: 100_000 };

function traceOf(scenario: ScenarioName, variant: string | null, defect: string | null, keys: number): Trace {
  const spec = sampleSpec({ scenario, keys, start: Date.UTC(2026, 10, 21, 8, 30, 17) });
  return simulateLoad(spec, { conduct: conductOf(variant, defect), seed: 3 });
}

const judged = (trace: Trace) => judge(trace, judgeLimits);
const gist = (trace: Trace) => judged(trace).verdicts.map(({ id, verdict }) => [id, verdict]);

describe('a run that was condensed is judged as the whole', () => {
  test.each(
    sampled(
      [
        ['isolation', 'anchored', 6],
        ['quota-read', 'grid-clock', 6],
        ['contention', 'anchored', 6],
        ['kinds', 'grid-process', 4],
        ['boundary', 'grid-whole-second', 4],
      ] as const,
      10,
    ),
  )('%s against %s: most is not kept', (scenario, variant, keys) => {
    const whole = traceOf(scenario, variant, null, keys);
    const condensed = condense(whole, 0, ROOM);
    expect(condensed.exchanges.length).toBeLessThan(whole.exchanges.length * 0.6);
    expect(gist(condensed)).toEqual(gist(whole));
    expect(judged(condensed).conditions).toEqual(judged(whole).conditions);
  });

  const DEFECTIVE = [
    ['demo', 'read-then-write', 4],
    ['quota-write', 'limit-plus-one', 4],
    ['contention', 'check-then-increment', 3],
    ['quota-read', 'two-nodes', 3],
    ['boundary', 'old-count-new-marker', 2],
    ['kinds', 'shared-kinds', 2],
    ['isolation', 'one-for-all', 2],
    ['stampede', 'never-refuses', 2],
    ['stampede', 'refused-503', 2],
    ['demo', 'no-headers-on-429', 4],
  ] as const;

  thorough.each(DEFECTIVE)('%s against %s: what it breaks stays', (scenario, defect, keys) => {
    const whole = traceOf(scenario, null, defect, keys);
    expect(gist(condense(whole, 0, ROOM))).toEqual(gist(whole));
  });
});

test('budgets for which there is no room leave open what they would show, and fail nothing', () => {
  const whole = traceOf('quota-read', 'log', null, 4);
  const condensed = condense(whole, 0, { budgets: 1, exchanges: 800 });
  expect(condensed.condensed?.left.size).toBe(2);
  const { verdicts } = judged(condensed);
  expect(verdicts.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  const history = verdicts.find(({ id }) => id === 'LIMIT-HISTORY');
  expect(history?.parts.map(({ name, verdict }) => [name, verdict])).toContainEqual(['2 more budgets', 'inconclusive']);
});

test('a run of any other command is kept whole', () => {
  const { header, ...rest } = traceOf('demo', null, null, 2);
  const trace = { ...rest, header: { ...header, command: 'certify' } };
  expect(condense(trace, 0)).toBe(trace);
});
