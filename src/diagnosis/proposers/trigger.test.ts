import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import { SECOND, WINDOW } from '../../deployment/deployment.ts';
import type { MovedEnd } from '../../deployment/deviations/moved-end.ts';
import { sentence } from '../../deployment/operators.ts';
import type { History } from '../../oracle/history.ts';
import { conformingWorld } from '../world.ts';
import { contextOf } from './context.test-support.ts';
import { foundBy, runOfDraw, runUnder } from './deviating-world.test-support.ts';
import { keepsItsMarkers } from './kept-markers.ts';
import { proposeTriggers } from './trigger.ts';

const moved = (trigger: MovedEnd['trigger'], after: number, told: boolean) =>
  ({
    operator: 'moved-end',
    parameters: { kinds: ['read', 'write'], trigger, to: { after }, idle: 0, told },
  }) as const;

/** The draw in which a moved window ends 1.4 s before the next end of its grid. */
const SHORTLY_BEFORE_THE_NEXT = 9500048;

thorough.each([
  ['request', WINDOW, true],
  ['request', WINDOW, false],
  ['refusal', WINDOW, true],
  ['refusal', WINDOW, false],
  ['first refusal', WINDOW, true],
  ['first refusal', 30 * SECOND, true],
  ['first refusal', 30 * SECOND, false],
] as const)(
  'the end that a %s moves to %d µs later is found, and whether the marker tells it: %s',
  async (trigger, after, told) => {
    const run = await runUnder([moved(trigger, after, told)], { name: 'anchored', wholeSecond: false });
    expect(foundBy(proposeTriggers, 'read', run)[0]?.deviations).toMatchObject([
      { parameters: { trigger, to: { after }, told } },
    ]);
  },
);

thorough.each([
  ['refusal', SECOND, true],
  ['refusal', 5 * SECOND, true],
  ['first refusal', 5 * SECOND, false],
  ['first refusal', 5 * SECOND, true],
] as const)(
  'that a %s ends the window %d µs later is found, and whether the marker tells it: %s',
  async (trigger, later, told) => {
    const deviation = moved(trigger, 0, told);
    const run = await runUnder([{ ...deviation, parameters: { ...deviation.parameters, to: { later } } }]);
    for (const kind of ['read', 'write'] as const)
      expect(foundBy(proposeTriggers, kind, run)[0]?.deviations).toMatchObject([
        { parameters: { trigger, to: { later }, told } },
      ]);
  },
);

test.each(sampled(['delete-label', 'DELETE'], 2))('that %s requests clear the count is found', async (name) => {
  const only = { attribute: name === 'delete-label' ? ('operation' as const) : ('method' as const), classes: [name] };
  const clearing = moved('request', 0, false);
  const run = await runUnder([{ ...clearing, parameters: { ...clearing.parameters, kinds: ['write'], only } }]);
  const [found] = foundBy(proposeTriggers, 'write', run);
  expect(found?.deviations.map(sentence)).toEqual(['DELETE requests clear the count of the window.']);
});

thorough('delays that reach a bound are found, with the bound, and said', async () => {
  const to = { later: 2 * SECOND, most: 10 * SECOND };
  const parameters = { kinds: ['read', 'write'], trigger: 'refusal', to, idle: 0, told: true } as const;
  const run = await runUnder([{ operator: 'moved-end', parameters }], { name: 'anchored', wholeSecond: false });
  const [deviation] = foundBy(proposeTriggers, 'read', run)[0]?.deviations ?? [];
  expect(deviation).toMatchObject({ parameters: { trigger: 'refusal', to } });
  expect(deviation && sentence(deviation)).toBe(
    'Each refusal puts off the end of the window by 2 s, by at most 10 s in all (reads only).',
  );
});

test.each(
  sampled(
    [
      [3, 90],
      [10, 90],
      [7, 100],
    ],
    4,
  ),
)('that refusal %d of a window blocks the key is found, for %d s', async (nth, seconds) => {
  const to = { after: seconds * SECOND };
  const { operator, parameters } = moved('first refusal', to.after, true);
  const run = await runUnder([{ operator, parameters: { ...parameters, nth } }]);
  const [found] = foundBy(proposeTriggers, 'read', run);
  expect(found?.deviations).toMatchObject([{ parameters: { trigger: 'first refusal', to, nth } }]);
});

thorough('windows whose ends differ by less than a second are told apart by their markers', async () => {
  const run = await runOfDraw('moved-end', SHORTLY_BEFORE_THE_NEXT);
  expect(foundBy(proposeTriggers, 'write', run)[0]?.deviations).toMatchObject([
    { parameters: { trigger: 'bad request', to: { after: WINDOW } } },
  ]);
});

test('a request shortly before the end of its window belongs to it where no Date tells the clock of the target', () => {
  const told = (at: number, outcome: 'accepted' | 'refused', remaining: number, end: number) => ({
    ...{ exchange: { seq: Math.round(at) }, from: at * SECOND, to: at * SECOND + 1000, group: '' },
    ...{ outcome, remaining, reset: end * SECOND },
  });
  const burst = Array.from({ length: 27 }, (_, at) => told(2 + at, 'accepted', 28 - at, 60));
  const events = [
    ...[told(0.1, 'accepted', 29, 60), ...burst, told(59.6, 'accepted', 1, 60), told(59.7, 'accepted', 0, 60)],
    ...[told(59.8, 'refused', 0, 119), told(80, 'refused', 0, 140), told(141, 'accepted', 29, 201)],
  ];
  const offset = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const history = { key: 'key-1', kind: 'write', limit: 30, shown: 30, unit: SECOND, until: 1e12, offset, events };
  const found = foundBy(proposeTriggers, 'write', {
    budgets: [{ history: history as unknown as History }],
    anonymous: [],
  });
  expect(found[0]?.deviations).toMatchObject([{ parameters: { trigger: 'refusal', to: { after: WINDOW } } }]);
});

thorough.each([
  [[400], 0],
  [[404], 0],
  [[400, 404], WINDOW],
])('bad requests answered %j end the window, or put its end off: %d µs after them', async (statuses, after) => {
  const deviation = moved('bad request', after, true);
  const run = await runUnder([{ ...deviation, parameters: { ...deviation.parameters, statuses } }], {
    ...{ name: 'anchored', wholeSecond: false },
  });
  for (const kind of ['read', 'write'] as const) {
    const deviations = foundBy(proposeTriggers, kind, run)[0]?.deviations ?? [];
    const [found] = deviations.map(({ parameters }) => parameters as MovedEnd);
    expect(deviations).toMatchObject([{ parameters: { trigger: 'bad request', to: { after } } }]);
    // If both statuses move it, the run may show only one of them.
    expect(statuses).toContain(found?.statuses?.[0]);
  }
});

thorough('no rule explains windows that end as they should', async () => {
  expect(foundBy(proposeTriggers, 'read', await runUnder([]))).toEqual([]);
});

test.each<[string, readonly number[], boolean]>([
  ['one end', [60, 60, 60, 60], true],
  ['one end that is rounded up or down', [60, 61, 61, 60], true],
  ['ends a minute apart', [60, 120, 120, 121], true],
  ['another end on each answer', [60, 61, 62, 61], false],
])('a window whose answers state %s: %j', (_, markers, isKept) => {
  const before = (ahead: number) =>
    markers.map((marker) => ({ outcome: 'accepted', to: (marker - ahead) * SECOND, reset: marker * SECOND }));
  const parts = (ahead: number) =>
    [{ events: before(ahead), unit: SECOND, offset: { low: 0, high: 0 } }] as unknown as readonly History[];
  expect(keepsItsMarkers({ parts: parts(30) })).toBe(isKept);
  // No window ends hours later.
  expect(keepsItsMarkers({ parts: parts(5 * 3600) })).toBe(false);
});

test('refusals of a window that has ended state the time of their answer, and no other end', () => {
  const at = (time: number, outcome: string, reset: number) => ({ outcome, to: time * SECOND, reset: reset * SECOND });
  const accepted = [30, 40, 50].map((time) => at(time, 'accepted', 60));
  const keeps = (...refused: readonly unknown[]): boolean => {
    const part = { events: [...accepted, ...refused], unit: SECOND, offset: { low: 0, high: 0 } };
    return keepsItsMarkers({ parts: [part] as unknown as readonly History[] });
  };
  expect(keeps(...[61, 65, 70, 75].map((time) => at(time, 'refused', time)))).toBe(true);
  expect(keeps(...[61, 65, 70, 75].map((time) => at(time, 'refused', time + 20)))).toBe(false);
});

test('windows whose markers say that they last a quarter of an hour are not said never to end', async () => {
  const length = 900 * SECOND;
  const parameters = { kinds: ['read', 'write'], length, told: length, from: 'always' } as const;
  const run = await runUnder([{ operator: 'window-length', parameters }], { name: 'anchored', wholeSecond: false });
  const histories = run.budgets.map(({ history }) => history).filter(({ kind }) => kind === 'read');
  // A minute later, so that it was two minutes that the budgets were not back.
  const late = histories.map((history) => {
    const last = history.events.at(-1);
    return last
      ? { ...history, events: [...history.events, { ...last, from: last.from + WINDOW, to: last.to + WINDOW }] }
      : history;
  });
  const context = contextOf('read');
  const found = [...proposeTriggers(conformingWorld(late), context)].flatMap(({ deviations }) => deviations);
  expect(found.filter(({ operator }) => operator === 'window-length')).toEqual([]);
});
