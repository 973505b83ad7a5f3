import { expect, test } from 'vitest';
import { operationOf } from '../profile/profile.test-support.ts';
import { askedFor } from './captured.ts';

const capture = [{ name: 'category_id', from: { pointer: '/code' } }];
const operations = [operationOf({ id: 'post-categories', method: 'POST', path: '/categories', capture })];
const path = '/categories/{{category_id}}';

test('where a captured thing is not found, the path that was sent and the capture are told', () => {
  expect(askedFor({ operations }, { path }, { status: 404, target: '/categories/0' })).toBe(
    ' It asked for /categories/0, with category_id from /code of the answer to post-categories.',
  );
});

test.each([
  [{ path }, { status: 403, target: '/categories/0' }],
  [{ path: '/categories/7' }, { status: 404, target: '/categories/7' }],
  [{ path: '/categories/{{uuid}}' }, { status: 404, target: '/categories/x' }],
])('else nothing: %j', (operation, exchange) => expect(askedFor({ operations }, operation, exchange)).toBe(''));
