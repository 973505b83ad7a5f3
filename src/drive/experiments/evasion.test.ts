import { expect, test } from 'vitest';
import type { Session } from '../session.ts';
import { evasions } from './evasion.ts';

test('the slash at the end of a path is added where there is none, and left out where there is one', () => {
  const session = { secret: () => 'secret' } as unknown as Session;
  const retarget = evasions(session, 'key-1').find(({ variation }) => variation === 'trailing-slash')?.retarget;
  expect(['/labels', '/labels?page=1', '/labels/', '/labels/?page=1', '/'].map((target) => retarget?.(target))).toEqual(
    ['/labels/', '/labels/?page=1', '/labels', '/labels?page=1', '//'],
  );
});
