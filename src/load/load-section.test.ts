import { expect, test } from 'vitest';
import { LoadFigures } from './load-section.ts';
import { joinLogs, madeLog } from './records.test-support.ts';
import { sampleSpec } from './spec.test-support.ts';

test('a killed k6: the report tells how many requests have no known outcome, which they are, and whose', () => {
  const spec = sampleSpec({ scenario: 'kinds', keys: 2 });
  const log = madeLog({ spec, instance: 0, instances: 1, answers: 610 });
  const load = joinLogs([{ name: 'killed', lines: [...log] }], { sameHost: true });
  const { due } = load.accounting;
  const open = load.unanswered.map(({ key, kind }) => `${key} ${kind}`);
  const whose = [...new Set(open)].sort().map((name) => `${open.filter((each) => each === name).length} of ${name}`);
  expect(new LoadFigures(load.spec).section(load, [], undefined).warnings).toEqual([
    `${due - 610} requests have no known outcome, because k6 ended before they did: #611 to #${due} of the trace, ${whose.join(', ')}`,
  ]);
  expect(load.unanswered.map(({ seq }) => seq)).toEqual(open.map((_, index) => 611 + index));
});

test('a whole run warns of nothing', () => {
  const log = madeLog({ spec: sampleSpec({ scenario: 'kinds', keys: 2 }), instance: 0, instances: 1 });
  const load = joinLogs([{ name: 'whole', lines: [...log] }], { sameHost: true });
  expect(new LoadFigures(load.spec).section(load, [], undefined).warnings).toEqual([]);
});
