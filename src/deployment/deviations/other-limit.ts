import { LIMITS } from '../../catalogue/limits.ts';
import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Kind } from '../../trace/exchange.ts';
import { SECOND, WINDOW } from '../deployment.ts';
import { modulo } from '../modulo.ts';
import { lengthText, limitRequirements, type Operator, pick, plural } from '../operator.ts';

/** Another number than the limit that clause 8 states. */
export interface OtherLimit {
  readonly kind: Kind;
  /** Requests that are let through in a window; null: all. */
  readonly limit: number | null;
  /** What `X-RateLimit-Limit` says. */
  readonly limitHeader: number;
  /** What `X-RateLimit-Remaining` counts down from; it stays 0 where it would fall below. */
  readonly remainingFrom: number;
  /** Whether it never exceeds the stated limit; left out: no. */
  readonly clamped?: true;
  /**
   * The windows of a budget that are meant: all, the first one, or all but the first; or some time. The rest has the
   * limit of clause 8.
   */
  readonly from: 'always' | 'first window' | 'later windows' | Stretches;
}

/** Some time, or one stretch of it or more, in µs. */
export interface Stretches {
  /** When one begins, after the start of the run. */
  readonly at: number;
  /** How long each is; left out: it does not end. */
  readonly lasts?: number;
  /** After which time the next one begins, as others did before; left out: there is one. */
  readonly every?: number;
}

/** Whether a moment, in µs after the start of the run, lies in one of these stretches. */
export function isWithin({ at, lasts = Number.POSITIVE_INFINITY, every }: Stretches, moment: number): boolean {
  const since = every === undefined ? moment - at : modulo(moment - at, every);
  return since >= 0 && since < lasts;
}

const WHEN = {
  always: '',
  'first window': ' in the first window of a budget',
  'later windows': ' in all windows of a budget but the first',
} as const;

/** A limit that is another, told or not. */
export const otherLimit: Operator<'other-limit', OtherLimit> = {
  id: 'other-limit',
  component: 'limit',
  breaks: ({ kind, limit, limitHeader }) => {
    const told: RequirementId[] = limitHeader === LIMITS[kind] ? [] : ['HDR-3'];
    return limit === LIMITS[kind] ? told : [...limitRequirements([kind]), ...told];
  },
  mayShow: ({ limit, limitHeader, remainingFrom, clamped }) => {
    if (clamped || limit === null || remainingFrom > limit) return ['HDR-4', 'HDR-5'];
    return remainingFrom < limit || remainingFrom > limitHeader ? ['HDR-4'] : [];
  },
  sentence({ kind, limit, limitHeader, from }) {
    const when = typeof from === 'object' ? ` ${stretchesText(from)}` : WHEN[from];
    const told = limitHeader === LIMITS[kind] ? '' : `, and the headers say ${limitHeader}`;
    if (limit === null) return `The number of ${plural([kind])} is not limited${when}${told}.`;
    return `The number of ${plural([kind])} in a window is limited to ${limit}, not ${LIMITS[kind]}${when && `,${when}`}${told}.`;
  },
  remedy: ({ kind, limit, from }) => {
    if (typeof from === 'object')
      return from.every === undefined
        ? 'Usually another configuration was loaded during the run, by a deployment or a reload. Configure the limit of clause 8 in both.'
        : 'Usually a schedule sets another limit. Configure the limit of clause 8 at all times.';
    return limit !== null && Math.abs(limit - LIMITS[kind]) === 1
      ? 'Usually the comparison before the increment uses ≤ instead of <, or the other way round, or a new window starts at 0 although its first request counts. Let exactly the limit through.'
      : 'Usually a plan, an override or a default of the library replaces the stated limit. Configure the limit of clause 8.';
  },
  mayBeOfSome: ({ kind, limit, from }) => from === 'always' && Math.abs((limit ?? 0) - LIMITS[kind]) > 1,
  draw(random) {
    const kind = pick(random, ['read', 'write'] as const);
    const stated = LIMITS[kind];
    const limit = pick(random, [
      stated - 1,
      stated + 1,
      stated + 2,
      stated + Math.ceil(stated / 10),
      Math.floor(stated * 0.9),
      Math.round(stated / 2),
      stated * 2,
    ]);
    const from = pick(random, ['always', 'always', 'always', 'later windows', 'first window', 'a moment'] as const);
    if (from === 'a moment') {
      const at = (35 + Math.floor(60 * random())) * SECOND;
      const again = random() < 0.3 ? { lasts: WINDOW, every: pick(random, [2, 3]) * WINDOW } : {};
      return { kind, limit, limitHeader: pick(random, [stated, limit]), remainingFrom: limit, from: { at, ...again } };
    }
    if (from !== 'always')
      return { kind, limit, limitHeader: stated, remainingFrom: pick(random, [stated, limit]), from };
    const limitHeader = pick(random, [stated, limit]);
    const remainingFrom = limitHeader === limit ? limit : pick(random, [stated, limit]);
    return { kind, limit, limitHeader, remainingFrom, from };
  },
};

/** When: `from 75 s after the start of the run on`. */
function stretchesText({ at, lasts, every }: Stretches): string {
  if (lasts === undefined) return `from ${lengthText(at)} after the start of the run on`;
  if (every === undefined && at <= 0) return `in the first ${lengthText(at + lasts)} of the run`;
  if (every === undefined) return `from ${lengthText(at)} to ${lengthText(at + lasts)} after the start of the run`;
  return `for ${lengthText(lasts)} in every ${lengthText(every)}, as from ${lengthText(at)} after the start of the run`;
}
