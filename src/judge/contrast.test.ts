import { expect, test } from 'vitest';
import type { Exchange } from '../trace/exchange.ts';
import { type Compared, contrast } from './contrast.ts';
import { situationsOf } from './situations.ts';
import { exchanges } from './trace-builder.test-support.ts';

const wordsOf = (compared: Compared): string | null => contrast(compared)?.words ?? null;

const made = exchanges(
  { credential: 'bearer', kind: 'read', operation: 'get-label', sent: 1000 },
  { credential: 'x-api-key', kind: 'read', operation: 'get-label', sent: 2000 },
  { credential: 'bearer', kind: 'write', operation: 'create-label', sent: 3000 },
  { credential: 'x-api-key', kind: 'write', operation: 'create-label', sent: 4000 },
  { credential: 'bearer', kind: 'read', operation: 'get-label', sent: 5000 },
  { credential: 'x-api-key', kind: 'read', operation: 'get-label', sent: 6000 },
  { credential: 'bearer', kind: 'write', operation: 'update-label', sent: 7000 },
  { credential: 'x-api-key', kind: 'write', operation: 'update-label', sent: 8000 },
);
const at = (...numbers: readonly number[]) => made.filter(({ seq }) => numbers.includes(seq));
const failed = (some: readonly Exchange[]) => some.map((each) => ({ ...each, status: 500 }));

test.each([
  [[1, 3], [2, 4], 'only by Bearer'],
  [[1, 2], [], null],
  [[1, 4], [2, 3], 'not always: #2, by X-API-Key, was answered 200'],
  [[1, 2], [3, 4], 'only on reads'],
  [[3, 7], [1, 2, 4, 8], 'only by Bearer on writes'],
  [[3], [1, 2, 4], 'not always: #4, by X-API-Key, was answered 200'],
  // Of equal requests the one is named that was sent alike.
  [[1, 4], [2, 3, 5, 8], 'not always: #5 was answered 200'],
  // The header and the kind set them apart, so neither is the one thing.
  [[1], [4], null],
])('wrong answers to %j, right ones to %j: %s', (wrong, right, due) => {
  expect(wordsOf({ wrong: failed(at(...wrong)), right: at(...right), situations: situationsOf([]) })).toBe(due);
});

test.each([
  [[1, 2], [3, 4], 'on reads'],
  [[3, 7], [1, 2, 4, 8], 'on writes'],
  // What sets these apart is no part of the deployment.
  [[1, 3], [2, 4], undefined],
])('wrong answers to %j, right ones to %j are in the part %s of the deployment', (wrong, right, place) => {
  expect(contrast({ wrong: at(...wrong), right: at(...right), situations: situationsOf([]) })?.place).toBe(place);
});

test('operations that have only their method in common are set apart by it, and one operation by its name', () => {
  const to = (method: string, group: Exchange['group'], operation: string) => ({
    ...{ method, group, operation, kind: 'write' as const },
  });
  const all = exchanges(
    ...[to('PATCH', 'labels', 'patch-label'), to('PUT', 'labels', 'put-label')],
    ...[to('PATCH', 'categories', 'patch-category'), to('PUT', 'categories', 'put-category')],
    ...[to('PUT', 'labels', 'put-label'), to('PATCH', 'labels', 'patch-label')],
  );
  const compare = (isWrong: (each: Exchange) => boolean) =>
    contrast({ wrong: all.filter(isWrong), right: all.filter((each) => !isWrong(each)), situations: situationsOf([]) });
  const only = (place: string) => ({ words: `only ${place}`, place });
  expect(compare(({ method }) => method === 'PATCH')).toEqual(only('on PATCH requests'));
  expect(compare(({ operation }) => operation === 'patch-label')).toEqual(only('on patch-label'));
});

test('answers to one key, all before those to others, are not said to come of what another key got', () => {
  const all = exchanges(
    ...Array.from({ length: 12 }, (_, at) => ({
      ...{ sent: at * 1e6, answered: at * 1e6 + 1000, key: at > 0 && at < 6 ? 'key-2' : 'key-1' },
      ...{ operation: at < 6 ? 'get-label' : `${at}` },
    })),
  );
  const [, ...compared] = all;
  const wrong = compared.filter(({ key }) => key === 'key-2');
  const right = compared.filter(({ key }) => key === 'key-1');
  expect(wordsOf({ wrong, right, situations: situationsOf(all) }) ?? '').not.toMatch(/another key/);
});

test('where what is said of the place says all, it is not said what most of these requests found', () => {
  const all = exchanges(
    ...Array.from({ length: 41 }, (_, at) => ({
      ...{ sent: 1000 * at, operation: at % 2 === 0 ? 'get-service' : 'put-label', connection: at % 2 === 0 ? at : 99 },
    })),
  );
  const situations = situationsOf(all);
  const words = 'only on a connection on which a valid key had been sent';
  const [first, ...wrong] = all.filter(({ connection }) => connection === 99);
  const right = all.filter(({ connection }) => connection !== 99);
  expect(wordsOf({ wrong, right, situations, isPlaced: true })).toBeNull();
  // Where the same operation was answered rightly too, the place does not say all.
  expect(wordsOf({ wrong, right: [...right, ...(first ? [first] : [])], situations, isPlaced: true })).toBe(words);
  // Three may have gone to one operation by chance.
  expect(wordsOf({ wrong: wrong.slice(0, 3), right, situations, isPlaced: true })).toBe(words);
});

test('a scheme in another case is Bearer too, unless that alone is answered wrongly', () => {
  const lower = exchanges({ credential: 'bearer-lowercase', kind: 'read', operation: 'get-label', sent: 9000 });
  const situations = situationsOf([]);
  const other = at(2, 4);
  expect(wordsOf({ wrong: failed([...at(1, 3), ...lower]), right: other, situations })).toBe('only by Bearer');
  const right = [...at(1, 3), ...other];
  expect(wordsOf({ wrong: failed(lower), right, situations, isPlaced: true })).toBe('only by bearer-lowercase');
});

test('equal requests are set apart by when they were sent if there are enough of them, or by nothing', () => {
  const all = exchanges(...Array.from({ length: 8 }, (_, index) => ({ sent: 1000 * index })));
  expect(wordsOf({ wrong: all.slice(4), right: all.slice(0, 4), situations: situationsOf([]) })).toBe('from #5 on');
  expect(wordsOf({ wrong: all.slice(0, 4), right: all.slice(4), situations: situationsOf([]) })).toBe('until #4');
  expect(wordsOf({ wrong: failed(all.slice(0, 3)), right: all.slice(3), situations: situationsOf([]) })).toBe(
    'not always: #4 was answered 200',
  );
  // An answer with the same status is no other one.
  expect(wordsOf({ wrong: all.slice(0, 3), right: all.slice(3), situations: situationsOf([]) })).toBeNull();
});

test('what is wrong only where a request is odd in one way is told of it', () => {
  const all = exchanges(
    ...Array.from({ length: 4 }, (_, at) => ({
      ...{ fault: 'unstated' as const, variation: 'malformed-body', status: 500, sent: at, answered: 900 },
    })),
    ...Array.from({ length: 20 }, (_, at) => ({ sent: 1000 * (at + 1), answered: 1000 * (at + 1) + 500 })),
  );
  const compared = { wrong: all.slice(0, 4), right: all.slice(4), situations: situationsOf(all) };
  expect(wordsOf(compared)).toBe('only in the form malformed-body');
});

test('and of where such a request went, if it is right elsewhere, though others were under way at once', () => {
  const odd = (kind: 'read' | 'write', status: number) =>
    ({ fault: 'unstated', variation: 'malformed-body', kind, status, sent: 1, answered: 900 }) as const;
  const all = exchanges(
    ...[odd('write', 500), odd('write', 500), odd('write', 500), odd('read', 400)],
    ...Array.from({ length: 40 }, (_, at) => ({ sent: 1000 * (at + 1), answered: 1000 * (at + 1) + 500 })),
  );
  const compared = { wrong: all.slice(0, 3), right: all.slice(3), situations: situationsOf(all) };
  expect(wordsOf(compared)).toBe('only in the form malformed-body on writes');
});

test('what is wrong with some forms of a bad key alone is told of these', () => {
  const forms = ['token', 'basic-user', 'digest', 'basic-password', 'token', 'basic-user', 'digest', 'basic-password'];
  const all = exchanges(
    ...forms.map((variation, index) => ({
      ...{ sent: 1000 * index, fault: 'bad-key' as const, status: 401, variation, credential: 'other-scheme' as const },
    })),
  );
  const isBasic = ({ variation }: { readonly variation: string | null }): boolean =>
    variation?.startsWith('basic') === true;
  const compared = { wrong: all.filter(isBasic), right: all.filter((each) => !isBasic(each)) };
  const situations = situationsOf(all);
  const due = 'only with a key in the forms basic-password and basic-user';
  expect(wordsOf({ ...compared, situations, isPlaced: true })).toBe(due);
  const one = { wrong: all.slice(1, 2), right: all.slice(2) };
  expect(wordsOf({ ...one, situations, isPlaced: true })).toBeNull();
});

test('the status sets wrong headers apart where it is not what is wrong', () => {
  const all = exchanges(...[429, 200, 429, 200, 404].map((status, at) => ({ sent: at, status })));
  const isRefused = ({ status }: { readonly status: number | null }): boolean => status === 429;
  const compared = { wrong: all.filter(isRefused), right: all.filter((each) => !isRefused(each)) };
  expect(wordsOf({ ...compared, situations: situationsOf([]), byStatus: true })).toBe('only on answers 429');
  expect(wordsOf({ ...compared, situations: situationsOf([]) })).not.toBe('only on answers 429');
  const kinds = exchanges(
    ...[429, 429, 200, 200, 429].map((status, at) => ({ sent: at, status, kind: at % 2 ? 'read' : 'write' }) as const),
  );
  const isWrong = ({ status, kind }: Exchange): boolean => status === 429 && kind === 'write';
  const both = { wrong: kinds.filter(isWrong), right: kinds.filter((each) => !isWrong(each)) };
  expect(wordsOf({ ...both, situations: situationsOf([]), byStatus: true })).toBe('only on answers 429 to writes');
});

test('a status that one key alone gets is the status, not the key or its connections', () => {
  const all = exchanges(
    ...[200, 403, 404, 403, 200].map((status, at) => {
      return { sent: at, status, key: status === 403 ? 'restricted' : 'key-1' };
    }),
  );
  const isWrong = ({ status }: { readonly status: number | null }): boolean => status === 403;
  const compared = { wrong: all.filter(isWrong), right: all.filter((each) => !isWrong(each)) };
  expect(wordsOf({ ...compared, situations: situationsOf(all), byStatus: true })).toBe('only on answers 403');
});

test('answers by another scheme are set apart, whatever is said of their operations', () => {
  const ways = ['bearer', 'other-scheme', 'x-api-key', 'other-scheme'] as const;
  const all = exchanges(...ways.map((credential, at) => ({ sent: at, status: 401, credential })));
  const isOther = ({ credential }: { readonly credential: string }): boolean => credential === 'other-scheme';
  const compared = { wrong: all.filter(isOther), right: all.filter((each) => !isOther(each)) };
  expect(wordsOf({ ...compared, situations: situationsOf([]), isPlaced: true })).toBe(
    'only by another scheme than Bearer',
  );
});
