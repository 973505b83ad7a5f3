import { describe } from 'vitest';
import { requires } from './requires.ts';

describe('9 Versioning', () => {
  requires('VERSION-1', {
    clause: '9.1',
    statement: 'Every operation is served under a base URL that ends in `/api/v1`.',
    tried: 'each operation below the base URL',
    judgedBy: 'src/judge/versioning.ts',
  });

  requires('VERSION-O1', {
    clause: '9.1',
    statement: 'What the same operations answer outside the prefix.',
    tried: 'some operations outside the prefix',
    judgedBy: 'src/judge/observations.ts',
  });
});
