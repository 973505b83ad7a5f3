import { expect, test } from 'vitest';
import type { Attribute } from '../../deployment/attribute.ts';
import type { Event, History } from '../../oracle/history.ts';
import { exchanges, headers, type Sketch } from '../trace-builder.test-support.ts';
import { showing } from './deviation-proof.ts';

const S = 1e6;

type Answered = readonly [at: number, remaining: number, reset: number, sketch: Sketch];

/** Reads with their second, Remaining and marker (s). Those whose outcome is not stated have no reading of their own. */
function history(...answers: readonly Answered[]): History {
  const recorded = exchanges(
    ...answers.map(([, left, , sketch]) => ({ ...sketch, headers: headers({ remaining: [`${left}`] }) })),
  );
  const events = recorded.map((exchange, index) => {
    const [at = 0, left = 0, reset = 0] = answers[index] ?? [];
    const times = { exchange, from: at * S, to: at * S + 1000 };
    const isOpen = exchange.fault === 'unstated';
    const read = isOpen ? { remaining: null, reset: null } : { remaining: left, reset: reset * S };
    return { ...times, ...read, outcome: isOpen ? 'unclear' : 'accepted' } as unknown as Event;
  });
  return { events, limit: 100, shown: 100, unit: S, offset: { low: 0, high: 0 }, kind: 'read' } as unknown as History;
}

const shownBy = (attribute: Attribute, own: History): readonly number[] | undefined => {
  const parameters = { kinds: ['read'], attribute, blocks: [], exempt: [], others: 'apart' } as const;
  const deviation = { operator: 'finer-scope', parameters: { ...parameters, exemptHeaders: 'of the others' } } as const;
  return showing(deviation, [own])?.events.map(({ exchange }) => exchange.seq);
};

const PLAIN: Sketch = { operation: 'get-service', target: '/service' };
const LIST: Sketch = { operation: 'list-categories', target: '/categories?page=1' };
const QUERY: Sketch = { ...PLAIN, target: '/service?a=1', fault: 'unstated', variation: 'query-string' };

test('that the query tells budgets apart is shown by requests with one path, though other pairs come sooner', () => {
  const many: readonly Answered[] = [
    [0, 97, 60, PLAIN],
    [1, 97, 60, LIST],
    [2, 96, 60, PLAIN],
  ];
  expect(shownBy('query-string', history(...many))).toEqual([1, 2]);
  expect(shownBy('query-string', history(...many, [3, 97, 60, { ...PLAIN, target: '/service?b=1' }]))).toEqual([1, 4]);
  // A request whose outcome the specification leaves open shows it as well, by a budget that nobody has used.
  expect(shownBy('query-string', history(...many, [3, 99, 63, QUERY]))).toEqual([3, 4]);
  for (const open of [{ status: 404 }, { fault: 'bad-key' as const }])
    expect(shownBy('query-string', history(...many, [3, 99, 63, { ...QUERY, ...open }]))).toEqual([1, 2]);
  // Its window may have ended.
  expect(shownBy('query-string', history(...many, [61, 99, 121, QUERY]))).toEqual([1, 2]);
});

test('the pair differs in nothing but what tells budgets apart', () => {
  const ways: readonly Answered[] = [
    [0, 97, 60, { ...PLAIN, credential: 'x-api-key' }],
    [1, 97, 60, { ...LIST, credential: 'bearer' }],
    [2, 97, 60, { ...PLAIN, credential: 'bearer' }],
  ];
  expect(shownBy('credential', history(...ways))).toEqual([1, 3]);
  // A path in another case is another path, and may be told apart by nothing else.
  const path: Sketch = { ...PLAIN, target: '/SERVICE', fault: 'unstated', variation: 'path-case' };
  expect(shownBy('path-case', history([0, 97, 60, PLAIN], [1, 96, 60, LIST], [2, 99, 62, path]))).toEqual([1, 3]);
  // An operation is not for the client to choose, so any two show it.
  expect(shownBy('operation', history([0, 97, 60, PLAIN], [1, 97, 60, LIST]))).toEqual([1, 2]);
});
