import { expect, test } from 'vitest';
import { type Deviation, sentence } from '../../deployment/operators.ts';
import type { KindRuling } from '../../diagnosis/kind-ruling.ts';
import { withoutOwnKind } from './own-kind.ts';

const kinds = ['read'] as const;
const scope = { kinds, blocks: [], others: 'together', exemptHeaders: 'unused' } as const;
const operations = [
  { id: 'get-service', group: 'service', kind: 'read', method: 'GET', path: '/service' },
  { id: 'list-labels', group: 'labels', kind: 'read', method: 'GET', path: '/labels' },
  { id: 'search', group: 'categories', kind: 'read', method: 'POST', path: '/categories/search' },
  { id: 'create-label', group: 'labels', kind: 'write', method: 'POST', path: '/labels' },
] as const;

test.each<readonly [Deviation, string]>([
  [
    { operator: 'finer-scope', parameters: { ...scope, attribute: 'method', exempt: ['HEAD'] } },
    'HEAD requests are not limited.',
  ],
  [
    { operator: 'finer-scope', parameters: { ...scope, attribute: 'method', exempt: ['POST'] } },
    'POST requests are not limited (reads only).',
  ],
  [
    { operator: 'finer-scope', parameters: { ...scope, attribute: 'group', exempt: [], blocks: [['service']] } },
    'Requests to the group service have a budget apart.',
  ],
  [
    { operator: 'finer-scope', parameters: { ...scope, attribute: 'group', exempt: ['labels', 'service'] } },
    'Requests to labels and the group service are not limited (reads only).',
  ],
  [
    {
      operator: 'finer-scope',
      parameters: { ...scope, attribute: 'operation', exempt: ['search'], others: 'apart' },
    },
    'The operation search is not limited; each other operation has a budget of its own (reads only).',
  ],
  [
    { operator: 'finer-scope', parameters: { ...scope, attribute: 'credential', exempt: ['bearer'] } },
    'Requests with the key by Bearer are not limited (reads only).',
  ],
  [
    { operator: 'class-weight', parameters: { kinds, attribute: 'operation', classes: ['search'], weight: 2 } },
    'The operation search is counted twice.',
  ],
  [
    { operator: 'class-weight', parameters: { kinds, attribute: 'status', classes: ['404'], weight: 2 } },
    'Requests that are answered 404 are counted twice (reads only).',
  ],
  [
    {
      operator: 'early-refusal',
      parameters: {
        kinds,
        underWay: null,
        oneIn: 1,
        reserve: { of: { attribute: 'method', classes: ['GET'] }, left: 5 },
      },
    },
    'GET requests are refused while up to 5 are left.',
  ],
])('the kind is said only where the requests named may be of either: %j', (deviation, said) => {
  const explained = { deviations: [deviation] };
  const ruling = { diagnosis: { kind: 'read' }, minimal: [explained], likelier: explained } as unknown as KindRuling;
  const { minimal, likelier } = withoutOwnKind(ruling, operations);
  expect([...minimal, ...(likelier ? [likelier] : [])].flatMap(({ deviations }) => deviations).map(sentence)).toEqual([
    said,
    said,
  ]);
});
