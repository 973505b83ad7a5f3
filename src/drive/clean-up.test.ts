import { expect, test } from 'vitest';
import type { Operation } from '../profile/profile.ts';
import { cleanUp, type Leftover } from './clean-up.ts';

function operation(id: string, cleanup: string[] = []): Operation {
  return {
    id,
    group: 'labels',
    kind: 'write',
    method: 'POST',
    path: '/',
    query: {},
    headers: {},
    body: null,
    prepare: [],
    cleanup,
    capture: [],
  };
}

const operations = [operation('create', ['delete']), operation('delete')];
const leftover = (id: string, key: string): Leftover => ({
  operation: operation('create', ['delete']),
  captured: { id },
  key,
});

test('removes the newest first, and stops for a key whose budget is spent', async () => {
  const removed: string[] = [];
  const left = await cleanUp(
    [leftover('1', 'key-1'), leftover('2', 'key-2'), leftover('3', 'key-1'), leftover('4', 'key-1')],
    operations,
    async (step, { captured, key }) => {
      removed.push(`${step.id} ${captured.id}`);
      return key === 'key-2' || captured.id === '4';
    },
  );
  expect(removed).toEqual(['delete 4', 'delete 3', 'delete 2']);
  expect(left).toBe(2);
});
