import { expect, test } from 'vitest';
import type { RequirementId } from '../catalogue/requirement.ts';
import { openConfirmation, openMoments } from './moments.ts';
import { exchanges, type Sketch } from './trace-builder.test-support.ts';
import { verdictOn } from './verdicts.test-support.ts';

/** Whether budgets are worth judging after these answers, of which so many in a row were sent as one burst. */
function due(size: number, ...sketches: readonly Sketch[]): boolean[] {
  const moments = openMoments();
  const all = exchanges(...sketches);
  return all.map((exchange, index) => {
    const intents = index % size === 0 ? [all.slice(index, index + size)] : [];
    moments.learn({ exchanges: [exchange], intents });
    return moments.take();
  });
}

test('a burst is worth it when its last answer is in', () => {
  expect(due(3, {}, {}, {}, {}, {}, {})).toEqual([false, false, true, false, false, true]);
  expect(due(3, {}, {}, { failure: 'reset' })).toEqual([false, false, true]);
});

test('of single requests, those are with which a budget begins to refuse or accepts again', () => {
  const refused: Sketch = { status: 429 };
  expect(due(1, {}, {}, refused, refused, {}, {})).toEqual([false, false, true, false, true, false]);
});

test('each budget has a state of its own, and a request without a good key has none', () => {
  expect(due(1, { status: 429 }, { key: 'key-2' }, { operation: 'put-label' }, { status: 429 })).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(due(1, { fault: 'bad-key', status: 429 })).toEqual([false]);
});

test('what a history shows is told when two moments in a row show just that', () => {
  const confirmed = openConfirmation();
  const told = (...ids: readonly RequirementId[]) => {
    const found = ids.map((id) => ({ verdict: verdictOn(id, []), time: 0 }));
    return confirmed(found).map(({ verdict }) => verdict.id);
  };
  expect(told('LIMIT-R')).toEqual([]);
  expect(told('LIMIT-R', 'LIMIT-WINDOW')).toEqual([]);
  expect(told('LIMIT-R', 'LIMIT-WINDOW')).toEqual(['LIMIT-R', 'LIMIT-WINDOW']);
  expect(told()).toEqual([]);
  expect(told('LIMIT-R', 'LIMIT-WINDOW')).toEqual([]);
});
