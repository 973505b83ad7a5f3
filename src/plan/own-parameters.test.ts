import { expect, test } from 'vitest';
import { operationOf } from '../profile/profile.test-support.ts';
import { ownParameters } from './own-parameters.ts';

const list = operationOf({ id: 'list', query: { page: '1', api_key_id: '7' } });
const search = operationOf({ id: 'search', path: '/labels?text=Sh&size={{counter}}' });
const plain = operationOf({ id: 'plain' });

test('each query parameter of a profile gets every value, wherever the profile writes it, but for keys', () => {
  const names = ownParameters([list, search, plain], 100).map(({ operation, name }) => `${operation.id} ${name}`);
  const each = ['list page', 'search text', 'search size'];
  expect(names.slice(0, 3)).toEqual(each);
  expect(new Set(names)).toEqual(new Set(each));
  expect(names).toHaveLength(3 * 5);
});

test('where not all fit in, each parameter gets the likeliest values', () => {
  const values = Map.groupBy(ownParameters([list, search], 7), ({ name }) => name);
  expect([...values.values()].map((own) => own.length)).toEqual([3, 2, 2]);
  expect(values.get('page')?.[0]?.value).toMatch(/^\d{9}$/);
});
