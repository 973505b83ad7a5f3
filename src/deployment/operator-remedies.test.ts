import { describe, expect, test } from 'vitest';
import { type Deviation, remedy } from './operators.ts';

describe('a cause fits the requests that the sentence names', () => {
  const kinds = ['read', 'write'] as const;
  const besides = { kinds, limit: 10, window: 1e6 };
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
  ])('%j', (deviation, said) => {
    expect(remedy(deviation)).toMatch(said);
  });
});
