import { describe, expect, test } from 'vitest';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { seededRandom } from '../random/random.ts';
import type { Deployment } from './deployment.ts';
import type { Surface } from './operator.ts';
import {
  breaks,
  component,
  type Deviation,
  drawDeviation,
  mayShow,
  OPERATOR_IDS,
  OPERATORS,
  remedy,
  sentence,
} from './operators.ts';

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

describe('a sentence says what a client could check', () => {
  const kinds = ['read', 'write'] as const;
  const scope = {
    kinds,
    attribute: 'group',
    blocks: [],
    exempt: [],
    others: 'together',
    exemptHeaders: 'unused',
  } as const;
  test.each<readonly [Deviation, string, readonly string[]]>([
    [
      { operator: 'finer-scope', parameters: { ...scope, exempt: ['labels'] } },
      'Requests to labels are not limited.',
      ['LIMIT-SCOPE'],
    ],
    [
      { operator: 'finer-scope', parameters: { ...scope, attribute: 'operation', others: 'apart' } },
      'Each operation has a budget of its own.',
      ['LIMIT-SCOPE'],
    ],
    [
      { operator: 'finer-scope', parameters: { ...scope, kinds: ['write'], blocks: [['labels', 'service']] } },
      'Requests to labels and the service have a budget apart (writes only).',
      ['LIMIT-SCOPE'],
    ],
    [
      { operator: 'finer-scope', parameters: { ...scope, blocks: [['labels', 'service'], ['categories']] } },
      'Requests to labels and the service have a budget apart and requests to categories have a budget apart.',
      ['LIMIT-SCOPE'],
    ],
    [
      { operator: 'finer-scope', parameters: { ...scope, attribute: 'method', blocks: [['PUT', 'POST'], ['DELETE']] } },
      'PUT and POST requests have a budget apart and DELETE requests have a budget apart.',
      ['LIMIT-SCOPE'],
    ],
    [
      { operator: 'finer-scope', parameters: { ...scope, attribute: 'operation', blocks: [['a'], ['b']] } },
      'The operations a and b have a budget each.',
      ['LIMIT-SCOPE'],
    ],
    [
      {
        operator: 'finer-scope',
        parameters: {
          ...{ kinds: ['read'], attribute: 'operation', blocks: [], exempt: ['list-labels'] },
          ...{ others: 'together', exemptHeaders: 'repeated' },
        },
      },
      'Answers to list-labels are repeated from a cache in front of the limiter, which does not count these requests (reads only).',
      ['LIMIT-SCOPE', 'HDR-4'],
    ],
    [
      {
        operator: 'other-limit',
        parameters: { kind: 'write', limit: 31, limitHeader: 30, remainingFrom: 30, from: 'always' },
      },
      'The number of writes in a window is limited to 31, not 30.',
      ['LIMIT-W'],
    ],
    [
      {
        operator: 'other-limit',
        parameters: { kind: 'read', limit: 200, limitHeader: 200, remainingFrom: 200, from: 'always' },
        keys: ['key-2'],
      },
      'The number of reads in a window is limited to 200, not 100, and the headers say 200 (only with key-2).',
      ['LIMIT-R', 'HDR-3'],
    ],
    [
      { operator: 'window-length', parameters: { kinds, length: 57e6, told: 57e6, from: 'always' } },
      'Each window is 57 s long.',
      ['LIMIT-WINDOW'],
    ],
    [
      { operator: 'window-length', parameters: { kinds, length: 61e6, told: 61e6, from: 'always' } },
      'Each window is 61 s long.',
      [],
    ],
    [
      { operator: 'window-length', parameters: { kinds, length: 120e6, told: 120e6, from: 'always' } },
      'Each window is 120 s long.',
      ['LIMIT-WINDOW', 'HDR-7'],
    ],
    [
      { operator: 'window-length', parameters: { kinds, length: 1800e6, told: 1800e6, from: 'always' } },
      'Each window is 1800 s long or longer.',
      ['LIMIT-WINDOW', 'HDR-7'],
    ],
    [
      {
        operator: 'moved-end',
        parameters: { kinds: ['read'], trigger: 'other kind', to: { after: 0 }, idle: 0, told: true },
      },
      'Each successful write ends the window of reads.',
      ['LIMIT-RW', 'LIMIT-WINDOW'],
    ],
    [
      {
        operator: 'moved-end',
        parameters: {
          ...{ kinds: ['read'], trigger: 'other kind', operations: ['put-service', 'put-label'] },
          ...{ to: { after: 0 }, idle: 0, told: true },
        },
      },
      'Each successful write by put-service or put-label ends the window of reads.',
      ['LIMIT-RW', 'LIMIT-WINDOW'],
    ],
    [
      {
        operator: 'moved-end',
        parameters: { kinds, trigger: 'other kind', to: { after: 60e6 }, idle: 0, told: false },
      },
      'Each successful request moves the end of the window of the other kind to 60 s from then, and the marker does not tell.',
      ['LIMIT-RW', 'LIMIT-WINDOW'],
    ],
    [
      { operator: 'carried-over', parameters: { kinds: ['write'], what: 'refusals' } },
      'What a window refused is counted in the next one in advance (writes only).',
      ['LIMIT-W'],
    ],
    [
      { operator: 'sporadic-weight', parameters: { kinds, oneIn: 100, weight: 0 } },
      'About one in 100 accepted requests is not counted.',
      ['LIMIT-R', 'LIMIT-W'],
    ],
    [
      { operator: 'remaining-header', parameters: { kinds, change: { offset: -1 }, only: 'all' } },
      'X-RateLimit-Remaining is 1 too low.',
      ['HDR-4'],
    ],
    [
      { operator: 'remaining-header', parameters: { kinds, change: { constant: 1 }, only: { statuses: [429] } } },
      'X-RateLimit-Remaining is always 1 on answers 429.',
      ['HDR-5'],
    ],
    [
      { operator: 'class-weight', parameters: { kinds, attribute: 'method', classes: ['DELETE'], weight: -1 } },
      'DELETE requests give one back.',
      ['LIMIT-R', 'LIMIT-W'],
    ],
    [
      { operator: 'class-weight', parameters: { kinds, attribute: 'group', classes: ['labels'], weight: 0 } },
      'Requests to labels are not counted.',
      ['LIMIT-SCOPE'],
    ],
    [
      {
        operator: 'second-limit',
        parameters: { kinds: ['read'], only: { attribute: 'group', classes: ['labels'] }, limit: 50, window: 60e6 },
      },
      'Requests to labels are limited to 50 in 60 s in addition.',
      ['HDR-5', 'LIMIT-SCOPE'],
    ],
    [
      {
        operator: 'second-limit',
        parameters: { kinds: ['read'], only: null, limit: 180, window: 60e6, across: 'keys' },
      },
      'All reads of all keys together are limited to 180 in 60 s in addition.',
      ['HDR-5', 'LIMIT-KEY'],
    ],
    [
      { operator: 'second-limit', parameters: { kinds, only: null, limit: 20, window: 1e6, across: 'kinds' } },
      'All requests of a key, reads and writes together, are limited to 20 in 1 s in addition.',
      ['HDR-5', 'LIMIT-RW'],
    ],
    [
      { operator: 'second-limit', parameters: { kinds, only: null, limit: 200, window: 60e6, across: 'both' } },
      'All requests of all keys, reads and writes together, are limited to 200 in 60 s in addition.',
      ['HDR-5', 'LIMIT-KEY', 'LIMIT-RW'],
    ],
    [
      { operator: 'second-limit', parameters: { kinds, only: null, limit: 50, window: 60e6, across: 'keys' } },
      'All requests of all keys together, reads and writes apart, are limited to 50 in 60 s in addition.',
      ['HDR-5', 'LIMIT-KEY'],
    ],
  ])('%j', (deviation, said, broken) => {
    expect([sentence(deviation), breaks(deviation)]).toEqual([said, broken]);
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
