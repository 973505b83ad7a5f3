import { describe, expect, test } from 'vitest';
import { breaks, type Deviation, sentence } from './operators.ts';

const OF_CREATE = { statuses: [200], to: { attribute: 'operation', classes: ['create-label'] } } as const;

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
      'Requests to labels and the group service have a budget apart (writes only).',
      ['LIMIT-SCOPE'],
    ],
    [
      { operator: 'finer-scope', parameters: { ...scope, blocks: [['labels', 'service'], ['categories']] } },
      'There is one budget for requests to labels and the group service, and another for requests to categories.',
      ['LIMIT-SCOPE'],
    ],
    [
      { operator: 'finer-scope', parameters: { ...scope, attribute: 'method', blocks: [['PUT', 'POST'], ['DELETE']] } },
      'There is one budget for PUT and POST requests, and another for DELETE requests.',
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
      'Answers to the operation list-labels are repeated from a cache in front of the limiter, which does not count these requests (reads only).',
      ['LIMIT-SCOPE', 'HDR-4'],
    ],
    [
      { operator: 'marker-header', parameters: { kinds: ['write'], change: 'first end', only: OF_CREATE } },
      'X-RateLimit-Reset stays the end of the first window on requests of the operation create-label that are answered 200.',
      ['HDR-7'],
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
      {
        operator: 'other-limit',
        parameters: { kind: 'read', limit: 50, limitHeader: 100, remainingFrom: 100, from: 'later windows' },
      },
      'The number of reads in a window is limited to 50, not 100, in all windows of a budget but the first.',
      ['LIMIT-R'],
    ],
    [
      {
        operator: 'other-limit',
        parameters: { kind: 'read', limit: 90, limitHeader: 100, remainingFrom: 90, from: { at: 75e6 } },
      },
      'The number of reads in a window is limited to 90, not 100, from 75 s after the start of the run on.',
      ['LIMIT-R'],
    ],
    [
      {
        operator: 'other-limit',
        parameters: { kind: 'read', limit: 90, limitHeader: 100, remainingFrom: 90, from: { at: 0, lasts: 65e6 } },
      },
      'The number of reads in a window is limited to 90, not 100, in the first 65 s of the run.',
      ['LIMIT-R'],
    ],
    [
      {
        operator: 'other-limit',
        parameters: { kind: 'read', limit: 90, limitHeader: 100, remainingFrom: 90, from: { at: 40e6, lasts: 30e6 } },
      },
      'The number of reads in a window is limited to 90, not 100, from 40 s to 70 s after the start of the run.',
      ['LIMIT-R'],
    ],
    [
      {
        operator: 'other-limit',
        parameters: {
          kind: 'read',
          limit: 90,
          limitHeader: 100,
          remainingFrom: 90,
          from: { at: 15e6, lasts: 60e6, every: 120e6 },
        },
      },
      'The number of reads in a window is limited to 90, not 100, for 60 s in every 120 s, as from 15 s after the start of the run.',
      ['LIMIT-R'],
    ],
    [
      {
        operator: 'shared-keys',
        parameters: { kinds, blocks: [['key-1', 'key-2']], only: { attribute: 'credential', classes: ['bearer'] } },
      },
      'Requests with the key by Bearer draw on one budget for the keys key-1 and key-2; other requests have a budget for each key.',
      ['LIMIT-KEY', 'LIMIT-HEADER'],
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
      'Each successful request moves the end of the window of the other kind to 60 s from then, and X-RateLimit-Reset does not tell.',
      ['LIMIT-RW', 'LIMIT-WINDOW'],
    ],
    [
      { operator: 'marker-header', parameters: { kinds, change: { clock: 30e6 }, only: 'all' } },
      'X-RateLimit-Reset is the end of a minute of the clock, and windows end 30 s earlier.',
      ['HDR-7'],
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
      'DELETE requests add one to what is left.',
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
      'Requests to labels are limited to 50 in 60 s besides the stated limits.',
      ['LIMIT-SCOPE', 'HDR-5'],
    ],
    [
      { operator: 'second-limit', parameters: { kinds: ['read'], only: null, limit: 100, window: 60e6 } },
      'A second limiter lets 100 reads of a key through in 60 s, in windows of its own.',
      ['HDR-5'],
    ],
    [
      {
        operator: 'second-limit',
        parameters: { kinds: ['read'], only: null, limit: 180, window: 60e6, across: 'keys' },
      },
      'All reads of all keys together are limited to 180 in 60 s besides the stated limits.',
      ['LIMIT-KEY', 'HDR-5'],
    ],
    [
      {
        operator: 'early-refusal',
        parameters: {
          ...{ kinds: ['read'], underWay: null, oneIn: 1 },
          reserve: { of: { attribute: 'credential', classes: ['x-api-key'] }, left: 5 },
        },
      },
      'Requests with the key by X-API-Key are refused while up to 5 are left (reads only).',
      ['HDR-5', 'LIMIT-HEADER'],
    ],
    [
      { operator: 'second-limit', parameters: { kinds, only: null, limit: 20, window: 1e6, across: 'kinds' } },
      'All requests of a key, reads and writes together, are limited to 20 in 1 s besides the stated limits.',
      ['LIMIT-RW', 'HDR-5'],
    ],
    [
      { operator: 'second-limit', parameters: { kinds, only: null, limit: 200, window: 60e6, across: 'both' } },
      'All requests of all keys, reads and writes together, are limited to 200 in 60 s besides the stated limits.',
      ['LIMIT-KEY', 'LIMIT-RW', 'HDR-5'],
    ],
    [
      { operator: 'second-limit', parameters: { kinds, only: null, limit: 50, window: 60e6, across: 'keys' } },
      'All requests of all keys together, reads and writes apart, are limited to 50 in 60 s besides the stated limits.',
      ['LIMIT-KEY', 'HDR-5'],
    ],
    [
      {
        operator: 'second-limit',
        parameters: { kinds: ['read'], only: null, limit: 100, window: 60e6, across: 'keys' },
        keys: ['key-1', 'key-2'],
      },
      'All reads of key-1 and key-2 together are limited to 100 in 60 s besides the stated limits.',
      ['LIMIT-KEY', 'HDR-5'],
    ],
    [
      { operator: 'marker-header', parameters: { kinds, change: { ahead: 0 }, only: 'all' } },
      'X-RateLimit-Reset is the time of the answer.',
      ['HDR-7', 'HDR-8'],
    ],
    [
      { operator: 'marker-header', parameters: { kinds, change: { ahead: 60e6 }, only: 'all' } },
      'X-RateLimit-Reset is always 60 s after the answer.',
      ['HDR-8'],
    ],
  ])('%j', (deviation, said, broken) => {
    expect([sentence(deviation), breaks(deviation)]).toEqual([said, broken]);
  });
});
