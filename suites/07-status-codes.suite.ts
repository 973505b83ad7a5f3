import { describe } from 'vitest';
import { requires } from './requires.ts';

describe('7 Status codes', () => {
  requires('STATUS-200', {
    clause: '7',
    statement: 'A request that succeeds answers 200.',
    tried: 'each operation as the profile describes it',
    judgedBy: 'src/judge/status.ts',
  });

  requires('STATUS-400', {
    clause: '7',
    statement: 'A request with an invalid parameter answers 400.',
    tried: 'the invalid_parameter probes of the profile, beside the same operation without the fault',
    judgedBy: 'src/judge/status.ts',
  });

  requires('STATUS-401', {
    clause: '5.4, 7',
    statement: 'As AUTH-4 and AUTH-5, seen over the whole run.',
    tried: 'all requests without an accepted key, over the whole run',
    judgedBy: 'src/judge/status.ts',
  });

  requires('STATUS-403', {
    clause: '5.5, 7',
    statement: 'As AUTH-6, seen over the whole run.',
    tried: 'all requests that lack permission, over the whole run',
    judgedBy: 'src/judge/status.ts',
  });

  requires('STATUS-404', {
    clause: '7',
    statement: 'A request for a thing that does not exist answers 404.',
    tried: 'the not_found probes of the profile, beside the same operation on something that exists',
    judgedBy: 'src/judge/status.ts',
  });

  requires('STATUS-429', {
    clause: '7, 8.1',
    statement:
      "A request over the key's limit answers 429. (Breaking off the connection, or no answer, to requests over the limit and to no others is not 429.)",
    tried: 'bursts of more requests than are left of a budget',
    judgedBy: 'src/judge/over-limit.ts',
  });

  requires('STATUS-500', {
    clause: '7',
    statement: 'An internal failure answers 500 (judged only where the target profile names a way to provoke one).',
    tried: 'the internal_failure probes of the profile, where it names any',
    judgedBy: 'src/judge/status.ts',
  });

  requires('STATUS-SET', {
    clause: '7',
    statement:
      'Every status with which an operation named in the profile answers is one of 200, 400, 401, 403, 404, 429, 500.',
    tried: 'every answer of the run',
    judgedBy: 'src/judge/status.ts',
  });

  requires('STATUS-NO5XX', {
    clause: '7',
    statement: 'No request that is not meant to provoke a failure answers 5xx, under load included.',
    tried: 'every answer of the run to a request that provokes no failure',
    judgedBy: 'src/judge/status.ts',
  });
});
