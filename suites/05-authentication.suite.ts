import { describe } from 'vitest';
import { requires } from './requires.ts';

describe('5 Authentication', () => {
  requires('AUTH-1');
  requires('AUTH-2');
  requires('AUTH-3');
  requires('AUTH-4');
  requires('AUTH-5');
  requires('AUTH-6');
  requires('AUTH-7');
  requires('AUTH-O1');
  requires('AUTH-O2');
  requires('AUTH-O3');
});
