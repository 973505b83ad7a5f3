import { describe } from 'vitest';
import { requires } from './requires.ts';

describe('5 Authentication', () => {
  requires('AUTH-1', {
    clause: '5.1',
    statement:
      'No operation of any resource group (the service, Categories, Labels) answers successfully without a key.',
    tried: 'each operation without a key, beside the same request with one',
    judgedBy: 'src/judge/authentication.ts',
  });

  requires('AUTH-2', {
    clause: '5.2',
    statement: 'A valid key in `X-API-Key` is accepted.',
    tried: 'each operation with a good key in X-API-Key',
    judgedBy: 'src/judge/credentials.ts',
  });

  requires('AUTH-3', {
    clause: '5.2',
    statement: 'A valid key in `Authorization: Bearer` is accepted.',
    tried: 'each operation with the same key in Authorization: Bearer',
    judgedBy: 'src/judge/credentials.ts',
  });

  requires('AUTH-4', {
    clause: '5.4',
    statement: 'With no key supplied, the status is 401, for every operation.',
    tried: 'each operation without a key, beside the same request with one',
    judgedBy: 'src/judge/authentication.ts',
  });

  requires('AUTH-5', {
    clause: '7',
    statement:
      'With a key that is not accepted (unknown; a neighbour of a good one: another letter’s case, a character altered, lacking or too many at either end or inside; empty; a scheme other than Bearer, well-formed or bare), the status is 401, by either header, on every group and kind.',
    tried:
      'keys that are unknown, altered, shortened and empty, and other schemes, in either header, beside a good key',
    judgedBy: 'src/judge/authentication.ts',
  });

  requires('AUTH-6', {
    clause: '5.5',
    statement:
      'With a key that lacks permission for the operation, the status is 403, for every operation that is forbidden to it, by either header.',
    tried: 'the forbidden probes of the profile with the restricted key, beside a full one',
    judgedBy: 'src/judge/authentication.ts',
  });

  requires('AUTH-7', {
    clause: '5.2',
    statement: 'Both ways of sending a key give the same answer for the same operation.',
    tried: 'each operation and probe with one key in both ways',
    judgedBy: 'src/judge/credentials.ts',
  });

  requires('AUTH-O1', {
    clause: '5.2',
    statement: 'What happens when both headers are present: same key, different keys, one valid and one not.',
    tried: 'both headers at once: the same key, two keys, and one that is not accepted',
    judgedBy: 'src/judge/observations.ts',
  });

  requires('AUTH-O2', {
    clause: '5.2',
    statement: 'Case of the `Bearer` scheme word, extra spaces, repeated headers.',
    tried: 'the scheme in lower and upper case, further spaces, the header twice',
    judgedBy: 'src/judge/observations.ts',
  });

  requires('AUTH-O3', {
    clause: '5.2',
    statement: 'Whether the same key in a query parameter or a cookie authenticates.',
    tried: 'a key in the query and in a cookie',
    judgedBy: 'src/judge/observations.ts',
  });
});
