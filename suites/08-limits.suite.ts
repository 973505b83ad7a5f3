import { describe } from 'vitest';
import { requires } from './requires.ts';

describe('8 Limits: the thresholds', () => {
  requires('LIMIT-R');
  requires('LIMIT-W');
  requires('LIMIT-WINDOW');
  requires('LIMIT-KEY');
  requires('LIMIT-SCOPE');
  requires('LIMIT-RW');
  requires('LIMIT-HEADER');
  requires('LIMIT-EVADE');
  requires('LIMIT-ANON');
  requires('LIMIT-ATOMIC');
  requires('LIMIT-HISTORY');
  requires('LIMIT-O1');
});
