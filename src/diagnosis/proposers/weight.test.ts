import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { EPOCH, exchanges, headers } from '../../judge/trace-builder.test-support.ts';
import type { Event, History } from '../../oracle/history.ts';
import { makeHistory } from '../../oracle/make-history.ts';
import { inferMarker } from '../../oracle/marker.ts';
import { SHAPES } from '../../oracle/shapes.ts';
import type { SearchContext } from '../proposal.ts';
import { conformingWorld } from '../world.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeStatusWeights, WEIGHTS } from './weight.ts';

const ANCHORED = { name: 'anchored', wholeSecond: false } as const;
const byStatus = (classes: readonly string[], weight: number): Deviation => ({
  operator: 'class-weight',
  parameters: { kinds: ['read', 'write'], attribute: 'status', classes, weight },
});
const otherLimit = (limit: number): Deviation => ({
  operator: 'other-limit',
  parameters: { kind: 'read', limit, limitHeader: 100, remainingFrom: 100, from: 'always' },
});

thorough.each([[['400']], [['404']], [['400', '404']]])(
  'requests answered %j that cost two are found',
  async (statuses) => {
    const run = await runUnder(
      statuses.map((status) => byStatus([status], 2)),
      ANCHORED,
    );
    for (const kind of ['read', 'write'] as const) {
      const found = foundBy(proposeStatusWeights, kind, run);
      // Few of them are sent, so other explanations may fit as well.
      const least = found.filter(({ bits }) => bits === found[0]?.bits);
      expect(least.map(({ deviations }) => deviations[0]?.parameters)).toContainEqual(
        expect.objectContaining({ attribute: 'status', classes: statuses, weight: 2 }),
      );
    }
  },
);

test.each(
  sampled(
    [{ name: 'grid', phase: 'process' }, ANCHORED, { name: 'log', logRefused: false, reset: 'oldest' }] as const,
    10,
  ),
)(
  'successful requests that count only until they are answered are found under any mechanism: $name',
  async (mechanism) => {
    const run = await runUnder([byStatus(['200'], 0)], mechanism);
    for (const kind of ['read', 'write'] as const) {
      expect(foundBy(proposeStatusWeights, kind, run)[0]?.deviations).toMatchObject([
        { parameters: { classes: ['200'], weight: 0 } },
      ]);
    }
  },
);

thorough.each([
  { name: 'grid', phase: 'process' },
  ANCHORED,
  { name: 'log', logRefused: false, reset: 'oldest' },
] as const)('refused requests that give one back are found under any mechanism: $name', async (mechanism) => {
  const run = await runUnder([byStatus(['429'], -1)], mechanism);
  for (const kind of ['read', 'write'] as const) {
    expect(foundBy(proposeStatusWeights, kind, run)[0]?.deviations).toMatchObject([
      { parameters: { classes: ['429'], weight: -1 } },
    ]);
  }
});

test.each<[string, Deviation]>(
  sampled(
    [
      [
        'let through by chance',
        { operator: 'sporadic-admission', parameters: { kinds: ['read', 'write'], oneIn: 2, which: 'over the limit' } },
      ],
      ['more than stated', otherLimit(110)],
      [
        'that do not see each other',
        { operator: 'lost-updates', parameters: { kinds: ['read'], gap: 4000, when: 'always' } },
      ],
    ],
    2,
  ),
)('requests %s are not given back by those that are refused', async (_, deviation) => {
  const found = foundBy(proposeStatusWeights, 'read', await runUnder([deviation], ANCHORED));
  expect(found.filter(({ deviations }) => JSON.stringify(deviations).includes('429'))).toEqual([]);
});

thorough('of classes that count nothing the right one is found, and none by another attribute', async () => {
  const free: Deviation = {
    operator: 'class-weight',
    parameters: { kinds: ['read', 'write'], attribute: 'credential', classes: ['bearer'], weight: 0 },
  };
  const [byMethod, byCredential] = WEIGHTS;
  if (!byMethod || !byCredential) throw new Error('there are two proposers');
  const run = await runUnder([free], ANCHORED);
  for (const kind of ['read', 'write'] as const) {
    expect(foundBy(byMethod, kind, run)).toEqual([]);
    expect(foundBy(byCredential, kind, run)[0]?.deviations).toMatchObject([{ parameters: { classes: ['bearer'] } }]);
  }
});

test.each(['parameter', 'unstated'] as const)('failed requests that give one back are found: %s', (fault) => {
  const answers = [99, 98, 97, null, 97, 96, null, 96, 95, null, 95];
  const sent = exchanges(
    ...answers.map((remaining, at) => ({
      sent: at * 10_000,
      status: remaining === null ? 400 : 200,
      fault: remaining === null ? fault : ('none' as const),
      headers: headers({ remaining: [String(remaining ?? (answers[at - 1] ?? 0) + 1)] }),
    })),
  );
  const offset = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const history = makeHistory(sent, { key: 'key-1', kind: 'read' }, inferMarker(sent, EPOCH), offset);
  const found = foundBy(proposeStatusWeights, 'read', { budgets: [{ history }], anonymous: [] });
  expect(found.map(({ deviations }) => deviations[0]?.parameters)).toContainEqual(
    expect.objectContaining({ attribute: 'status', classes: ['400'], weight: -1 }),
  );
});

test.each([
  ['with its own answer', 3],
  ['after its own answer', 0],
] as const)('a failed request that is charged for more is found: %s', (_, before) => {
  // Each 404 costs 5: one, and a penalty of four.
  const answers = [[99], [98], [97, 'penalty'], [92], [91], [90, 'penalty'], [85], [84]] as const;
  const sent = exchanges(
    ...answers.map(([left, penalty], at) => ({
      ...{ sent: at * 10_000, status: penalty ? 404 : 200, fault: penalty ? ('missing' as const) : ('none' as const) },
      headers: headers({ remaining: [String(penalty && before > 0 ? left - 4 : left)] }),
    })),
  );
  const offset = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const history = makeHistory(sent, { key: 'key-1', kind: 'read' }, inferMarker(sent, EPOCH), offset);
  const found = foundBy(proposeStatusWeights, 'read', { budgets: [{ history }], anonymous: [] });
  expect(found[0]?.deviations).toMatchObject([{ parameters: { attribute: 'status', classes: ['404'], weight: 5 } }]);
});

thorough('a cost of several requests is read off what is left', async () => {
  const costly: Deviation = {
    operator: 'class-weight',
    parameters: { kinds: ['read'], attribute: 'operation', classes: ['list-labels'], weight: 7 },
  };
  const run = await runUnder([costly], ANCHORED);
  const found = WEIGHTS.flatMap((proposer) => foundBy(proposer, 'read', run));
  expect(found.map(({ deviations }) => deviations[0]?.parameters)).toContainEqual({ ...costly.parameters });
  expect(found.every(({ deviations }) => deviations[0]?.operator === 'class-weight')).toBe(true);
});

test('a request that is refused since it costs more than is left says nothing of one that costs less', () => {
  const left = [99, 98, 97, ...Array.from({ length: 19 }, (_, at) => 92 - 5 * at), 2, 1];
  const sent = exchanges(
    ...left.map((remaining, at) => ({
      operation: at < 3 || at === left.length - 1 ? 'get-service' : 'list-categories',
      sent: at * 10_000,
      status: at === left.length - 2 ? 429 : 200,
      headers: headers({ remaining: [String(remaining)] }),
    })),
  );
  const offset = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const history = makeHistory(sent, { key: 'key-1', kind: 'read' }, inferMarker(sent, EPOCH), offset);
  const found = WEIGHTS.flatMap((proposer) => foundBy(proposer, 'read', { budgets: [{ history }], anonymous: [] }));
  expect(found[0]?.deviations).toMatchObject([{ parameters: { classes: ['categories'], weight: 5 } }]);
});

test('a request that is charged in two steps may be refused at the second, and has taken one then', () => {
  const left = [99, ...Array.from({ length: 49 }, (_, at) => 97 - 2 * at), 0, 0];
  const refused = left.length - 2;
  const sent = exchanges(
    ...left.map((remaining, at) => ({
      operation: at === 0 || at > refused ? 'get-service' : 'list-categories',
      sent: at * 10_000,
      status: at >= refused ? 429 : 200,
      headers: headers({ remaining: [String(remaining)] }),
    })),
  );
  const offset = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const history = makeHistory(sent, { key: 'key-1', kind: 'read' }, inferMarker(sent, EPOCH), offset);
  const found = WEIGHTS.flatMap((proposer) => foundBy(proposer, 'read', { budgets: [{ history }], anonymous: [] }));
  expect(found.map(({ deviations }) => deviations[0]?.parameters)).toContainEqual(
    expect.objectContaining({ classes: ['categories'], weight: 2 }),
  );
});

test('a target that answers with any number of statuses is tried with no more sets of them', () => {
  const events = Array.from({ length: 60 }, (_, seq) => ({
    exchange: { seq, status: 400 + seq, method: 'GET', operation: 'get-label', group: 'labels', credential: 'bearer' },
    ...{ from: seq * 1000, to: seq * 1000 + 500, outcome: 'failed', group: `${400 + seq}`, remaining: 99, reset: null },
  })) as unknown as readonly Event[];
  const history: History = {
    ...{ key: 'key-1', kind: 'read', limit: 100, shown: 100, events, unit: null },
    ...{ offset: { low: 0, high: 0 }, until: Number.POSITIVE_INFINITY },
  };
  const context = { kind: 'read', otherKind: [], likely: SHAPES } as unknown as SearchContext;
  // Those with 400, 403 and 404, and each of the others, counted twice, three times or given back; and all that
  // succeed.
  const most = 3 * (7 + 57) + 1;
  expect([...proposeStatusWeights(conformingWorld([history]), context)].length).toBe(most);
});

test('how many of a crowd pass where others are refused is stated also if they count only until they are answered', () => {
  const bitsIf = (outcomes: readonly Event['outcome'][]): number => {
    const events = outcomes.map((outcome, at) => ({ exchange: {}, from: at, to: 1000, outcome, reset: null }));
    const history = { kind: 'read', limit: 2, shown: 2, unit: null, events } as unknown as History;
    const [released] = proposeStatusWeights(conformingWorld([history]), { kind: 'read' } as SearchContext);
    return released?.bits ?? 0;
  };
  const [passed, refused] = [Array.from({ length: 5 }, () => 'accepted' as const), ['refused', 'refused'] as const];
  expect(bitsIf([...passed, ...refused]) - bitsIf([...passed.slice(0, 2), ...refused])).toBeCloseTo(
    Math.log2(1 + 3 + 2),
  );
});
