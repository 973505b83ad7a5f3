import { expect, test } from 'vitest';
import { type Deviation, sentence } from '../../deployment/operators.ts';
import type { KindRuling } from '../../diagnosis/kind-ruling.ts';
import type { Kind } from '../../trace/exchange.ts';
import { namingOperations } from './named-operations.ts';

const kinds = ['read'] as const;
const operations = [
  { id: 'get-service', group: 'service', kind: 'read', method: 'GET', path: '/service' },
  { id: 'search', group: 'categories', kind: 'read', method: 'POST', path: '/categories/search' },
  { id: 'ask', group: 'labels', kind: 'read', method: 'QUERY', path: '/labels' },
  { id: 'look', group: 'labels', kind: 'read', method: 'QUERY', path: '/labels/look' },
  { id: 'create-label', group: 'labels', kind: 'write', method: 'POST', path: '/labels' },
] as const;

const weight = (kind: Kind, name: string, attribute: 'method' | 'group' = 'method'): Deviation => {
  return { operator: 'class-weight', parameters: { kinds: [kind], attribute, classes: [name], weight: 5 } };
};
const scope = { kinds, attribute: 'method', others: 'together', exemptHeaders: 'unused' } as const;

const POST = { attribute: 'method', classes: ['POST'] } as const;

function said(deviation: Deviation, ofWrites: readonly Deviation[] = []): string {
  const ruling = (kind: Kind, deviations: readonly Deviation[]) => ({ diagnosis: { kind }, minimal: [{ deviations }] });
  const rulings = [ruling('read', [deviation]), ruling('write', ofWrites)] as unknown as readonly KindRuling[];
  const [reads] = namingOperations(rulings, operations);
  return reads?.minimal.flatMap(({ deviations }) => deviations.map(sentence)).join(' ') ?? '';
}

test.each<readonly [Deviation, string]>([
  [weight('read', 'POST'), 'The operation search is counted 5 times (reads only).'],
  [weight('read', 'QUERY'), 'Requests to labels are counted 5 times (reads only).'],
  [weight('read', 'service', 'group'), 'The operation get-service is counted 5 times (reads only).'],
  [weight('read', 'labels', 'group'), 'Requests to labels are counted 5 times (reads only).'],
  [
    { operator: 'finer-scope', parameters: { ...scope, attribute: 'group', blocks: [], exempt: ['categories'] } },
    'The operation search is not limited (reads only).',
  ],
  [weight('read', 'HEAD'), 'HEAD requests are counted 5 times (reads only).'],
  [
    { operator: 'finer-scope', parameters: { ...scope, blocks: [], exempt: ['POST'] } },
    'The operation search is not limited (reads only).',
  ],
  [
    { operator: 'finer-scope', parameters: { ...scope, blocks: [['POST']], exempt: ['QUERY'] } },
    'QUERY requests are not limited; POST requests have a budget apart (reads only).',
  ],
  [
    {
      operator: 'moved-end',
      parameters: { kinds, trigger: 'request', to: { after: 0 }, idle: 0, told: false, only: POST },
    },
    'The operation search clears the count of the window.',
  ],
])('what only one operation or group has is named by it: %j', (deviation, sentenceSaid) => {
  expect(said(deviation)).toBe(sentenceSaid);
});

test('a method or group of which both kinds tell stays', () => {
  expect(said(weight('read', 'service', 'group'), [weight('write', 'service', 'group')])).toBe(
    'Requests to the group service are counted 5 times (reads only).',
  );
  expect(said(weight('read', 'POST'), [weight('write', 'POST')])).toBe(
    'POST requests are counted 5 times (reads only).',
  );
  expect(said(weight('read', 'POST'), [weight('write', 'DELETE')])).toMatch(/^The operation search /);
});
