import { expect, test } from 'vitest';
import type { Event } from '../../oracle/history.ts';
import { countsOf } from './counts.ts';
import type { Subject } from './subject.ts';

const LIMIT = 30;

/** Whether a refusal shows the limit after so many accepted requests, beside up to so many from before the run. */
function isExact(accepted: number, before: number): boolean {
  const event = (at: number, outcome: Event['outcome']) =>
    ({ exchange: { seq: at, status: 200 }, from: at * 1000, to: at * 1000 + 500, outcome, remaining: null }) as Event;
  const events = [...Array.from({ length: accepted }, (_, at) => event(at, 'accepted')), event(accepted, 'refused')];
  const history = {
    ...{ key: 'key-1', kind: 'write', limit: LIMIT, shown: LIMIT, events, unit: null },
    ...{ offset: { low: 0, high: 0 }, ...(before > 0 ? { prior: { low: 0, high: before } } : {}) },
  };
  const model = { alternatives: () => [{ high: accepted + before }] };
  const explained = [{ history, explanation: { model, variant: { mechanism: 'grid' } } }];
  const subject = { budget: { key: 'key-1', kind: 'write', history }, explained, window: null };
  return countsOf(subject as unknown as Subject).exact;
}

test.each([
  [LIMIT, 0, true],
  [LIMIT - 1, 0, false],
  // What was there before the run is only supposed.
  [0, LIMIT, false],
  [LIMIT - 4, 4, false],
])('%i accepted requests and %i from before the run show the limit: %s', (accepted, before, due) => {
  expect(isExact(accepted, before)).toBe(due);
});

test('an answer that may belong to another budget carries its headers all the same', () => {
  const exchange = { seq: 1, status: 401, headers: { limit: ['30'], remaining: ['7'], reset: ['1795962840'] } };
  const unclear = { exchange, from: 0, to: 1, outcome: 'unclear', remaining: null, reset: null };
  const history = { key: 'restricted', kind: 'read', events: [unclear] };
  const subject = { budget: { key: 'restricted', kind: 'read', history }, explained: [], window: null };
  expect(countsOf(subject as unknown as Subject).usable).toEqual({ remaining: true, reset: true });
});
