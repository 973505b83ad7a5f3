import { LIMITS } from '../../catalogue/limits.ts';
import type { OtherLimit } from '../../deployment/deviations/other-limit.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { KINDS, type Kind } from '../../trace/exchange.ts';
import { type Defect, deviating, deviation, EVASION } from './defect.ts';

const ANCHORED = { variant: 'anchored' } as const;

/** Another limit. Headers state the limit of clause 8 unless `but` says otherwise. */
function limit(kind: Kind, most: number | null, but: Partial<OtherLimit> = {}): Deviation {
  const stated = LIMITS[kind];
  const told = { limitHeader: stated, remainingFrom: stated, from: 'always' } as const;
  return { operator: 'other-limit', parameters: { ...told, ...but, kind, limit: most } };
}

/**
 * Limits of both kinds that are higher by `more`. Remaining counts down from a number that is higher by `remaining`.
 */
function limits(more: number, { remaining = 0, from = 'always' as OtherLimit['from'] } = {}): Deviation[] {
  return KINDS.map((kind) => limit(kind, LIMITS[kind] + more, { remainingFrom: LIMITS[kind] + remaining, from }));
}

function cost(attribute: 'method' | 'status', name: string, weight: number, kinds: readonly Kind[] = KINDS): Deviation {
  return deviation('class-weight', { kinds, attribute, classes: [name], weight });
}

/** Wrong limits, and requests that are counted wrongly one at a time. */
export const LIMIT_DEFECTS: readonly Defect[] = [
  deviating('limit-plus-one', 1, limits(1)),
  deviating('limit-minus-one', 2, limits(-1)),
  deviating('one-more-counted-down', null, limits(1, { remaining: 1 })),
  deviating('short-second-window', 3, limits(-1, { remaining: -1, from: 'later windows' }), ANCHORED),
  deviating('first-request-free', 4, deviation('free-first-request', {}), ANCHORED),
  deviating('get-counted-twice', 7, cost('method', 'GET', 2, ['read']), { may: ['LIMIT-SCOPE'] }),
  deviating('some-counted-twice', 8, deviation('sporadic-weight', { oneIn: 50, weight: 2 })),
  deviating('some-forgotten', null, deviation('sporadic-weight', { oneIn: 20, weight: 0 })),
  deviating('delete-gives-back', null, cost('method', 'DELETE', -1, ['write']), { may: ['LIMIT-SCOPE'] }),
  deviating('refusal-refunds', 51, cost('status', '429', -1), ANCHORED),
  deviating('per-second-limit', 9, [
    deviation('window-length', { length: 1e6, told: 1e6, from: 'always' }),
    ...KINDS.map((kind) => limit(kind, Math.ceil(LIMITS[kind] / 60))),
  ]),
  deviating('never-refuses', 70, [limit('read', null), limit('write', null)], { may: EVASION }),
  deviating('fails-open', null, deviation('sporadic-admission', { oneIn: 10, which: 'over the limit' })),
  deviating('bursts-above-limit', null, [limit('read', 110), limit('write', 33)]),
  deviating('same-limit-for-writes', null, limit('write', 100, { limitHeader: 100, remainingFrom: 100 })),
  deviating(
    'half-in-five-seconds',
    null,
    deviation('second-limit', { kinds: ['read'], only: null, limit: 50, window: 5e6 }),
  ),
];
