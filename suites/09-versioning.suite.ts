import { describe } from 'vitest';
import { requires } from './requires.ts';

describe('9 Versioning', () => {
  requires('VERSION-1');
  requires('VERSION-O1');
});
