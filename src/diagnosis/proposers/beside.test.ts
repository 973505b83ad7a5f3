import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import { type Mechanism, WINDOW } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Kind } from '../../trace/exchange.ts';
import { proposeEndsByOtherKind } from './beside.ts';
import { foundBy, runOfDraw, runUnder } from './deviating-world.test-support.ts';

const GRID: Mechanism = { name: 'grid', phase: 'process' };
const ANCHORED: Mechanism = { name: 'anchored', wholeSecond: false };
const BOTH = ['read', 'write'] as const;

const moved = (kinds: readonly Kind[], after: number, told: boolean) =>
  ({ operator: 'moved-end', parameters: { kinds, trigger: 'other kind', to: { after }, idle: 0, told } }) as const;

thorough.each<[readonly Kind[], number, boolean, Mechanism]>([
  [['read'], 0, true, GRID],
  [['read'], 0, true, ANCHORED],
  [['write'], 0, true, ANCHORED],
  [['read'], WINDOW, true, ANCHORED],
  [['write'], WINDOW, false, ANCHORED],
])(
  'that requests of the other kind move the end of windows of %j to %d µs after them is found: %s',
  async (...drawn) => {
    const [kinds, after, told, mechanism] = drawn;
    const run = await runUnder([moved(kinds, after, told)], mechanism);
    for (const kind of BOTH) {
      const found = foundBy(proposeEndsByOtherKind, kind, run).map(({ deviations }) => JSON.stringify(deviations));
      expect([...new Set(found)]).toEqual(kinds.includes(kind) ? [JSON.stringify([moved([kind], after, told)])] : []);
    }
  },
);

test.each<[Kind, string]>(
  sampled(
    [
      ['read', 'create-label'],
      ['read', 'update-service'],
      ['read', 'create-category'],
    ],
    4,
  ),
)('that one operation of the other kind ends windows of %ss is found: %s', async (kind, operation) => {
  const parameters = { kinds: [kind], trigger: 'other kind', operations: [operation], to: { after: 0 } } as const;
  const run = await runUnder([{ operator: 'moved-end', parameters: { ...parameters, idle: 0, told: true } }], ANCHORED);
  const found = foundBy(proposeEndsByOtherKind, kind, run).flatMap(({ deviations }) => deviations);
  expect(found).toMatchObject([{ parameters }]);
});

thorough.each<[string, readonly Deviation[]]>([
  ['windows that end in time', []],
  [
    'requests at once that lose each other’s count',
    [{ operator: 'lost-updates', parameters: { kinds: BOTH, gap: 4000, when: 'always' } }],
  ],
  [
    'nodes that count apart',
    [{ operator: 'nodes-apart', parameters: { kinds: BOTH, nodes: 2, sync: null, routing: 'in turn' } }],
  ],
  [
    'windows that every request puts off',
    [
      {
        operator: 'moved-end',
        parameters: { kinds: BOTH, trigger: 'request', to: { after: WINDOW }, idle: 0, told: true },
      },
    ],
  ],
  ['one count for both', [{ operator: 'shared-kinds', parameters: { how: 'one count' } }]],
])('no request of the other kind is said to move %s', async (_, deviations) => {
  const run = await runUnder(deviations, ANCHORED);
  for (const kind of BOTH) expect(foundBy(proposeEndsByOtherKind, kind, run)).toEqual([]);
});

test('windows of writes that each read puts off are found where a budget stays spent', async () => {
  const found = foundBy(proposeEndsByOtherKind, 'write', await runOfDraw('moved-end', 290398));
  expect(found.flatMap(({ deviations }) => deviations)).toMatchObject([
    { operator: 'moved-end', parameters: { trigger: 'other kind', to: { after: 60_000_000 }, told: true } },
  ]);
});
