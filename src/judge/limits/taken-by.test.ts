import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { Kind } from '../../trace/exchange.ts';
import { exchanges } from '../trace-builder.test-support.ts';
import { withTaken } from './taken-by.ts';

/** A budget with these requests: the second at which each was sent, and whether it was accepted. */
function budget(
  key: string,
  kind: Kind,
  ...sent: readonly (readonly [at: number, outcome: Event['outcome']])[]
): History {
  const recorded = exchanges(...sent.map(([at]) => ({ seq: at, key, kind, operation: 'put-label' })));
  const events = sent.flatMap(([at, outcome], index) => {
    const exchange = recorded[index];
    return exchange ? [{ exchange, outcome, from: at * 1e6, to: at * 1e6 + 1000 } as Event] : [];
  });
  return { key, kind, events } as unknown as History;
}

const own = budget('key-1', 'read', [1, 'accepted'], [9, 'refused']);
const shown = { events: own.events, argument: ['One.', 'Some are missing.'] };
const others = [
  budget('key-1', 'write', [2, 'failed'], [3, 'accepted'], [4, 'refused']),
  budget('key-2', 'read', [5, 'accepted'], [6, 'accepted'], [12, 'accepted']),
  budget('key-3', 'read', [7, 'accepted']),
];
const told = (deviation: Deviation): readonly string[] =>
  withTaken(shown, deviation, [own, ...others]).argument.slice(1);

test.each<[Deviation, string]>([
  [
    { operator: 'shared-keys', parameters: { kinds: ['read'], blocks: [['key-1', 'key-2']] } },
    '2 reads with key-2 were accepted between them, the last one #6.',
  ],
  [
    { operator: 'shared-keys', parameters: { kinds: ['read'], blocks: [['key-1', 'key-2', 'key-3']] } },
    '3 reads with other keys were accepted between them, the last one #7.',
  ],
  [
    {
      operator: 'shared-keys',
      parameters: {
        kinds: ['read'],
        blocks: [['key-1', 'key-2', 'key-3']],
        only: { attribute: 'credential', classes: ['x-api-key'] },
      },
    },
    '3 reads with other keys were accepted between them, the last one #7.',
  ],
  // All of these requests were sent on one connection, which key-1 used first.
  [
    { operator: 'shared-keys', parameters: { kinds: ['read'], blocks: 'of the connection' } },
    '3 reads with other keys were accepted between them, the last one #7.',
  ],
  [
    { operator: 'shared-kinds', parameters: { how: 'writes count as reads too', operations: ['put-label'] } },
    '#3, a write with key-1, was accepted between them.',
  ],
  [
    { operator: 'shared-kinds', parameters: { how: 'writes count as reads too', statuses: [404] } },
    '#2, a write with key-1, failed between them.',
  ],
  [
    { operator: 'shared-kinds', parameters: { how: 'writes count as reads too', statuses: [429] } },
    '#4, a write with key-1, was refused between them.',
  ],
  [
    { operator: 'refused-beside', parameters: { kinds: ['read'], of: 'the other kind' } },
    '#4, a write with key-1, was refused between them.',
  ],
])('what another budget’s requests took is shown: %j', (deviation, due) => {
  expect(told(deviation)).toEqual([`Some are missing. ${due}`]);
  const { events } = withTaken(shown, deviation, [own, ...others]);
  expect(events.map(({ exchange }) => exchange.seq)).toEqual([1, Number(/#(\d+)/.exec(due)?.[1]), 9]);
});

test('nothing is added where no other budget is said to be concerned, or none has such a request', () => {
  expect(told({ operator: 'free-first-request', parameters: { kinds: ['read'] } })).toEqual(['Some are missing.']);
  const only = { attribute: 'credential', classes: ['bearer'] } as const;
  const byBearer = { kinds: ['read'], blocks: [['key-1', 'key-2']], only } as const;
  expect(told({ operator: 'shared-keys', parameters: byBearer })).toEqual(['Some are missing.']);
  const elsewhere = { kinds: ['read'], blocks: [['key-1', 'key-9']] } as const;
  expect(told({ operator: 'shared-keys', parameters: elsewhere })).toEqual(['Some are missing.']);
});

test('what was under way with both is told where nothing came between them', () => {
  const early = budget('key-2', 'read', [1, 'accepted'], [9, 'accepted'], [10, 'accepted']);
  const shared: Deviation = { operator: 'shared-keys', parameters: { kinds: ['read'], blocks: [['key-1', 'key-2']] } };
  const { argument, events } = withTaken(shown, shared, [own, early]);
  expect(argument.at(-1)).toBe('Some are missing. 2 reads with key-2 were accepted at the same time, the last one #9.');
  expect(events.map(({ exchange }) => exchange.key)).toContain('key-2');
});

test('two answers of two budgets need no third: the earlier one is what was taken', () => {
  const [, key2] = others;
  const pair = { events: [key2?.events[0], own.events[1]] as readonly Event[], argument: ['One.', 'Both were taken.'] };
  const deviation = { operator: 'shared-keys', parameters: { kinds: ['read'], blocks: [['key-1', 'key-2']] } } as const;
  expect(withTaken(pair, deviation, [own, ...others])).toBe(pair);
});
