import { LIMITS } from '../../deployment/deployment.ts';
import type { OtherLimit } from '../../deployment/deviations/other-limit.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Kind } from '../../trace/exchange.ts';
import { type Defect, deviating } from './defect.ts';

const KINDS: readonly Kind[] = ['read', 'write'];

/** Another limit on these kinds, as what this makes of the one that is stated. */
function limits(
  make: (stated: number) => Partial<OtherLimit> & { readonly limit: number | null },
  kinds: readonly Kind[] = KINDS,
): Deviation[] {
  return kinds.map((kind) => {
    const stated = LIMITS[kind];
    const parameters = { limitHeader: stated, remainingFrom: stated, from: 'always', ...make(stated), kind } as const;
    return { operator: 'other-limit', parameters };
  });
}

function sporadic(oneIn: number, weight: number): Deviation {
  return { operator: 'sporadic-weight', parameters: { kinds: KINDS, oneIn, weight } };
}

function cost(attribute: 'method' | 'status', name: string, weight: number, kinds: readonly Kind[] = KINDS): Deviation {
  return { operator: 'class-weight', parameters: { kinds, attribute, classes: [name], weight } };
}

/** Limits that are wrong, and requests that are counted wrongly, one at a time. */
export const LIMIT_DEFECTS: readonly Defect[] = [
  deviating(
    'limit-plus-one',
    1,
    limits((stated) => ({ limit: stated + 1 })),
    {
      description: 'one request more than the limit is let through, with 0 left twice',
    },
  ),
  deviating(
    'limit-minus-one',
    2,
    limits((stated) => ({ limit: stated - 1 })),
    {
      description: 'the last request that the headers promise is refused',
    },
  ),
  deviating(
    'one-more-counted-down',
    null,
    limits((stated) => ({ limit: stated + 1, remainingFrom: stated + 1 })),
    {
      description: 'one request more than the limit is let through, and Remaining counts down from there',
    },
  ),
  deviating(
    'short-second-window',
    3,
    limits((stated) => ({ limit: stated - 1, remainingFrom: stated - 1, from: 'later windows' })),
    { description: 'from the second window on, one request less is let through', variant: 'anchored' },
  ),
  deviating(
    'first-request-free',
    4,
    { operator: 'free-first-request', parameters: { kinds: KINDS } },
    { variant: 'anchored' },
  ),
  deviating('get-counted-twice', 7, cost('method', 'GET', 2, ['read']), { may: ['LIMIT-SCOPE'] }),
  deviating('some-counted-twice', 8, sporadic(50, 2)),
  deviating('some-forgotten', null, sporadic(20, 0)),
  deviating('delete-gives-back', null, cost('method', 'DELETE', -1, ['write']), { may: ['LIMIT-SCOPE'] }),
  deviating('refusal-refunds', 51, cost('status', '429', -1), {
    description: 'a refused request takes one off the count',
    variant: 'anchored',
  }),
  deviating(
    'per-second-limit',
    9,
    [
      { operator: 'window-length', parameters: { kinds: KINDS, length: 1e6, told: 1e6, from: 'always' } },
      ...limits((stated) => ({ limit: Math.ceil(stated / 60) })),
    ],
    { description: 'a limit per second, told as if it were the minute’s' },
  ),
  deviating(
    'never-refuses',
    70,
    limits(() => ({ limit: null })),
    {
      description: 'everything is counted and nothing refused',
      may: ['LIMIT-SCOPE', 'LIMIT-EVADE', 'LIMIT-HEADER'],
    },
  ),
  deviating('fails-open', null, { operator: 'sporadic-admission', parameters: { kinds: KINDS, oneIn: 10 } }),
  deviating(
    'bursts-above-limit',
    null,
    limits((stated) => ({ limit: stated * 1.1 })),
    {
      description: 'a tenth more than the limit is let through, with 0 left for all of it',
    },
  ),
  deviating(
    'same-limit-for-writes',
    null,
    limits(() => ({ limit: LIMITS.read, limitHeader: LIMITS.read, remainingFrom: LIMITS.read }), ['write']),
    {
      description: 'writes have the limit of reads, and say so',
    },
  ),
  deviating('half-in-five-seconds', null, {
    operator: 'second-limit',
    parameters: { kinds: ['read'], only: null, limit: 50, window: 5e6 },
  }),
];
