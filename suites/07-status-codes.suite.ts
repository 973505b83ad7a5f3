import { describe } from 'vitest';
import { requires } from './requires.ts';

describe('7 Status codes', () => {
  requires('STATUS-200');
  requires('STATUS-400');
  requires('STATUS-401');
  requires('STATUS-403');
  requires('STATUS-404');
  requires('STATUS-429');
  requires('STATUS-500');
  requires('STATUS-SET');
  requires('STATUS-NO5XX');
});
