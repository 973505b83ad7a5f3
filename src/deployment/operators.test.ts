import { describe, expect, test } from 'vitest';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { seededRandom } from '../random/random.ts';
import type { Deployment } from './deployment.ts';
import type { Surface } from './operator.ts';
import { breaks, component, drawDeviation, mayShow, OPERATOR_IDS, OPERATORS, remedy, sentence } from './operators.ts';

const SURFACE: Surface = {
  keys: ['key-1', 'key-2', 'key-3', 'key-4'],
  operations: [
    { id: 'get-service', group: 'service', kind: 'read', method: 'GET', path: '/service' },
    { id: 'list-labels', group: 'labels', kind: 'read', method: 'GET', path: '/labels' },
    { id: 'search', group: 'categories', kind: 'read', method: 'POST', path: '/categories/search' },
    { id: 'update-service', group: 'service', kind: 'write', method: 'PUT', path: '/service' },
    { id: 'create-label', group: 'labels', kind: 'write', method: 'POST', path: '/labels' },
  ],
};

const KNOWN: ReadonlySet<string> = new Set(REQUIREMENTS.map(({ id }) => id));

describe.each(OPERATOR_IDS)('%s', (id) => {
  const drawn = Array.from({ length: 200 }, (_, seed) => drawDeviation(id, seededRandom(seed), SURFACE)).filter(
    (each) => each !== null,
  );

  test('has its own name, and a file that is called so', () => {
    expect(OPERATORS[id].id).toBe(id);
    expect(drawn.length).toBeGreaterThan(0);
  });

  test('is data: JSON gives it back', () => {
    for (const deviation of drawn) expect(JSON.parse(JSON.stringify(deviation))).toEqual(deviation);
  });

  test('breaks requirements of the catalogue, and says in one sentence how', () => {
    for (const deviation of drawn) {
      const requirements = [...breaks(deviation), ...mayShow(deviation)];
      expect(requirements.filter((each) => !KNOWN.has(each))).toEqual([]);
      expect(new Set(breaks(deviation)).size).toBe(breaks(deviation).length);
      expect(sentence(deviation)).toMatch(/^[A-Z][^\n]*[^.]\.$/);
      expect(sentence(deviation)).not.toMatch(/undefined|NaN|\[object| {2}/);
      expect(remedy(deviation)).toMatch(/^[A-Z].*\.$/);
    }
  });
});

test('a deployment is data: JSON gives it back', () => {
  const deployment: Deployment = {
    choices: {
      mechanism: { read: { name: 'grid', phase: 'clock' }, write: { name: 'anchored', wholeSecond: false } },
      marker: { unit: 's', rounding: 'ceil', form: 'absolute' },
      treatment: { 200: 'counted', 400: 'counted', 403: 'bypassed', 404: 'refunded', 500: 'checked' },
      countRefused: true,
      lateRead: false,
      wholeSecondClock: false,
      skew: 0,
      anonymous: 'full',
      dateHeader: true,
      retryAfter: false,
    },
    deviations: [{ operator: 'shared-kinds', parameters: { how: 'one count' } }],
  };
  expect(JSON.parse(JSON.stringify(deployment))).toEqual(deployment);
});

test('each component has its deviations', () => {
  const components = OPERATOR_IDS.map((operator) => OPERATORS[operator].component);
  expect(new Set(components)).toEqual(
    new Set(['scope', 'weight', 'limit', 'window', 'mechanism', 'concurrency', 'reporters']),
  );
  expect(component({ operator: 'shared-kinds', parameters: { how: 'one count' } })).toBe('scope');
});
