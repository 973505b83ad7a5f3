import { describe } from 'vitest';
import { requires } from './requires.ts';

describe('8 Limits: the headers', () => {
  requires('HDR-1');
  requires('HDR-2');
  requires('HDR-3');
  requires('HDR-4');
  requires('HDR-5');
  requires('HDR-6');
  requires('HDR-7');
  requires('HDR-8');
});
