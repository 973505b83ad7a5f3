import { expect, test } from 'vitest';
import { DEFECTS } from '../reference/defects.ts';
import { guidanceOn } from './guidance.ts';

const named = DEFECTS.filter(({ diagnosis }) => diagnosis !== undefined);

test('every kind of name is given to some defect', () => {
  const names = new Set(named.map(({ diagnosis = '' }) => diagnosis.replace(/\d+ | of \d+ s/g, '')));
  expect([...names].sort()).toEqual([
    'GCRA',
    'check-then-act race',
    'leaky bucket',
    'lost update',
    'milliseconds to go',
    'no expiry',
    'penalty block',
    'refreshed TTL',
    'seconds to go',
    'shared budget',
    'token bucket',
    'unshared counters',
  ]);
});

test.each(named)('what "$diagnosis" is, is told where it is shown: $name', ({ must, diagnosis = '' }) => {
  const shown = must.includes('HDR-6') ? 'HDR-6' : 'LIMIT-HISTORY';
  const name = diagnosis.replace(/ of \d+ s/, '');
  expect(guidanceOn(shown)?.causes.join('\n')).toContain(`\`${name}\``);
});

test.each(['"Fri, 27 Nov 2026 12:48:22 UTC"', '"2026-11-27T12:48:22Z"'])('a date is told to be one: %s', (value) => {
  const seen = `X-RateLimit-Reset of #1 GET /info is ${value}, which is not an integer in decimal digits`;
  expect(guidanceOn('HDR-2', [seen])?.causes[0]).toMatch(/date/);
  expect(guidanceOn('HDR-2', ['X-RateLimit-Reset of #1 GET /info is "100, 99"'])?.causes[0]).not.toMatch(/date/);
});

test.each(['1,795,910,235', '1.795.910.235', '1 795 910 235'])(
  'digits in groups are told to be formatted: %s',
  (value) => {
    const causes = guidanceOn('HDR-2', [
      `X-RateLimit-Reset "${value}" (2 times in the run; the first is shown)`,
    ])?.causes;
    expect(causes).toHaveLength(1);
    expect(causes?.[0]).toMatch(/separators between thousands/);
  },
);

test.each([
  ['HDR-4', 'X-RateLimit-Remaining is -1, with a limit of 100.'],
  ['HDR-5', 'A 429 has X-RateLimit-Remaining: -1.'],
] as const)('a negative Remaining has its usual cause first: %s', (id, seen) => {
  expect(guidanceOn(id, [seen])?.causes[0]).toMatch(/does not stop at 0/);
  expect(guidanceOn(id, [seen.replace('-1', '7')])?.causes.join()).not.toMatch(/does not stop at 0/);
});

test.each([
  [
    'AUTH-5',
    'case-first 200 case-first only by Bearer',
    /regard to case/,
    /whole keys/,
    /the scheme|empty header|limiter/,
  ],
  ['AUTH-5', 'wrong-scheme 200 wrong-scheme', /scheme word/, /the scheme `Bearer`/, /empty header/],
  ['AUTH-5', 'added-first 200 added-first only on a connection', /remembers on a connection/, /whole keys/, /scheme/],
  ['AUTH-1', 'service 200 only on a connection', /remembers on a connection/, /Attach the check/, /caches/],
  ['STATUS-SET', '503 503 (9 times in the run)', /502, 503/, /failures 500/, /conflict|redirect/],
  ['STATUS-SET', '503 503 only while other requests of its key are under way', /queue is full/, /wait/, /conflict/],
  ['STATUS-SET', '409 409', /409/, /a conflict/, /redirect|failures/],
  ['STATUS-SET', '301 301', /301/, /redirect/, /conflict|failures/],
  ['STATUS-NO5XX', 'list 500 parameters', /cannot be read/, /log/, /queue/],
  ['STATUS-429', 'read no answer (timeout)', /wait in a queue/, /queue/, /status of refusals|close/],
  ['STATUS-429', 'read no answer (reset)', /closes the connection/, /close a/, /status of refusals|queue/],
  ['STATUS-429', 'read 503', /503/, /status of refusals/, /close|queue/],
] as const)('%s: causes and remedies are for what was seen: %s', (id, seen, cause, remedy, none) => {
  const { causes = [], remedies = [] } = guidanceOn(id, [seen, '']) ?? {};
  expect(causes[0]).toMatch(cause);
  expect(remedies.join(' ')).toMatch(remedy);
  expect(remedies.join(' ')).not.toMatch(none);
  expect(guidanceOn(id)?.remedies.length).toBeGreaterThanOrEqual(remedies.length);
});
