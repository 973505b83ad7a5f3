import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import type { Event, History } from '../../oracle/history.ts';
import { exchanges } from '../trace-builder.test-support.ts';
import { withClass } from './class-between.ts';
import { pairShows } from './window-counts.ts';

/** Reads of key-1, one after another, with these statuses. */
function historyOf(...statuses: readonly number[]): History {
  const recorded = exchanges(...statuses.map((status) => ({ status, key: 'key-1' })));
  const events = recorded.map((exchange, at) => ({ exchange, from: at * 1000, to: at * 1000 + 500 }));
  return { key: 'key-1', kind: 'read', events: events as unknown as readonly Event[] } as History;
}

const cleared: Deviation = {
  operator: 'moved-end',
  parameters: {
    ...{ kinds: ['read'], trigger: 'bad request', statuses: [404], to: { after: 0 } },
    ...{ idle: 0, told: false },
  },
};

function shownBy(history: History, deviation = cleared) {
  const [first] = history.events;
  const last = history.events.at(-1);
  if (!first || !last) throw new Error('too few requests');
  const found = withClass(pairShows(first, last, 'All came back.'), deviation, [history]);
  return { seqs: found.events.map(({ exchange }) => exchange.seq), says: found.argument.at(-1) };
}

test('two answers are shown with the last request between them of those that the deviation names', () => {
  const { seqs, says } = shownBy(historyOf(200, 404, 404, 200, 200));
  expect(seqs).toEqual([1, 3, 5]);
  expect(says).toMatch(/^All came back\. Between #1 and #5 came 2 such requests, the last one #3, GET /);
  expect(shownBy(historyOf(200, 404, 200)).says).toMatch(/^All came back\. Between #1 and #3 came #2, GET /);
});

test('requests that draw on the budget of the other kind are of the class that is named', () => {
  const reads = historyOf(200, 200, 200);
  const [event] = reads.events.slice(1);
  const operation = event?.exchange.operation ?? '';
  const charged: Deviation = { operator: 'charged-as-other-kind', parameters: { kind: 'write', operations: ['put'] } };
  expect(shownBy(reads, charged).says).toBe('All came back.');
  const put = reads.events.map((each) =>
    each === event ? { ...each, exchange: { ...each.exchange, operation: 'put' } } : each,
  );
  expect(operation).not.toBe('put');
  expect(shownBy({ ...reads, events: put }, charged).seqs).toEqual([1, 2, 3]);
});

test('nothing is added where such a request is shown, none came, or the deviation names none', () => {
  expect(shownBy(historyOf(404, 404, 200)).says).toBe('All came back.');
  expect(shownBy(historyOf(200, 200, 200)).says).toBe('All came back.');
  const idle = { ...cleared.parameters, trigger: 'idle', statuses: undefined } as never;
  expect(shownBy(historyOf(200, 404, 200), { operator: 'moved-end', parameters: idle }).says).toBe('All came back.');
});
