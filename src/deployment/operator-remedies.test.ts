import { describe, expect, test } from 'vitest';
import type { MarkerHeader } from './deviations/marker-header.ts';
import { type Deviation, remedy } from './operators.ts';

describe('a cause fits the requests that the sentence names', () => {
  const kinds = ['read', 'write'] as const;
  const besides = { kinds, limit: 10, window: 1e6 };
  const marked = (change: MarkerHeader['change']): Deviation => {
    return { operator: 'marker-header', parameters: { kinds, change, only: 'all' } };
  };
  const race = { operator: 'lost-updates', parameters: { kinds, gap: 0, when: 'always' } } as const;
  const labels = { attribute: 'group', classes: ['labels'] } as const;
  const exempt = { kinds, blocks: [], others: 'together', exemptHeaders: 'unused' } as const;
  test.each<readonly [Deviation, RegExp]>([
    [
      { operator: 'second-limit', parameters: { ...besides, only: null, told: { counted: 'besides' } } },
      /^Usually a gateway or a second limiter, as one against bursts, has a limit of its own\. Remove it: /,
    ],
    [
      { operator: 'second-limit', parameters: { ...besides, only: null } },
      /^Usually a gateway or a second limiter, .*, and the headers come from the other limit\./,
    ],
    [
      { operator: 'second-limit', parameters: { ...besides, only: labels, told: { counted: 'apart' } } },
      /^Usually a gateway, a route or a group has a limit of its own\. Remove it: /,
    ],
    [
      { operator: 'finer-scope', parameters: { ...exempt, attribute: 'group', exempt: ['labels'] } },
      /^Usually these routes are registered before the limiter/,
    ],
    [
      { operator: 'finer-scope', parameters: { ...exempt, attribute: 'method', exempt: ['HEAD'] } },
      /^Usually the limiter has an exception for these requests/,
    ],
    [
      marked({ ahead: 60e6 }),
      /^Usually the header is computed from the time of the answer instead of the window’s end\./,
    ],
    [
      marked({ wobble: 7e6 }),
      /^Usually several nodes answer, each by a clock of its own, or the header is computed from the time of/,
    ],
    [marked({ offset: 7200e6 }), /^Usually the header is in local time instead of UTC/],
    [marked({ offset: -19_800e6 }), /^Usually the header is in local time instead of UTC/],
    [marked({ offset: -60e6 }), /^Usually the header is that of another window/],
    [marked({ offset: 5e6 }), /^Usually the header is computed from another clock or another length/],
    [marked('first end'), /^Usually the header is filled once/],
    [marked('no rule'), /or in another unit or time zone\./],
    [race, /^Usually the limit is checked in one step and the request counted in a later one, such as when its answer/],
    [{ ...race, parameters: { ...race.parameters, gap: 3e5 } }, /^Usually the count is read from a copy/],
  ])('%j', (deviation, said) => {
    expect(remedy(deviation)).toMatch(said);
  });
});

test('another limit of some keys has one cause: what treats these keys otherwise', () => {
  const stated = { kind: 'read', limitHeader: 100, remainingFrom: 100, from: 'always' } as const;
  const ofKey = (limit: number | null): string =>
    remedy({ operator: 'other-limit', parameters: { ...stated, limit }, keys: ['key-2'] });
  for (const limit of [null, 50])
    expect(ofKey(limit)).toBe(
      'Usually a plan, a tier or an allow-list treats these keys otherwise, or their requests come to another node. Treat all keys alike.',
    );
  // One more or less than stated is a mistake in the comparison, also where only some keys have it.
  expect(ofKey(99)).toMatch(/Treat all keys alike\. Usually the comparison before the increment/);
});
