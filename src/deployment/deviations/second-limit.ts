import { LIMITS } from '../../catalogue/limits.ts';
import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Random } from '../../random/random.ts';
import type { Kind } from '../../trace/exchange.ts';
import { classesText, isPlural, type OperationFacts, type RequestClass, requirementOf } from '../attribute.ts';
import { HOUR, SECOND, WINDOW } from '../deployment.ts';
import { BOTH, drawKinds, lengthText, limitRequirements, type Operator, pick, plural } from '../operator.ts';

/** A limit besides those of clause 8. */
export interface SecondLimit {
  readonly kinds: readonly Kind[];
  /** The requests that it holds for, of each key; null: all of them together. */
  readonly only: RequestClass | null;
  readonly limit: number;
  /** In µs: fixed windows of this length from the first request. */
  readonly window: number;
  /**
   * Which budgets have it together: those of all keys, both kinds of each key, or all of both, perhaps with the
   * requests that have no accepted key (`anyone`). Left out: each has its own.
   */
  readonly across?: 'keys' | 'kinds' | 'both' | 'anyone';
  /**
   * Where the headers of these requests tell of it: whether they draw on a budget apart, are counted in that of the
   * others besides, or are refused when so many of all are counted; and whether only those tell of it that it refuses.
   * Left out where no header tells it.
   */
  readonly told?: { readonly counted: 'apart' | 'besides' | 'with all'; readonly by?: 'refusals' };
}

/** Requests that are refused while budget is left. */
export const secondLimit: Operator<'second-limit', SecondLimit> = {
  id: 'second-limit',
  component: 'limit',
  breaks: ({ kinds, only, told, across, limit, window }) => [
    ...(across ? SHARING[across].breaks : []),
    ...(only !== null
      ? [requirementOf(only.attribute)]
      : across
        ? []
        : limitRequirements(kinds).filter(isOther(limit, window))),
    ...(told ? [] : (['HDR-5'] as const)),
  ],
  // Its refusals may state it, too.
  mayShow: ({ kinds, only, across, told }) => [
    ...(told?.by === 'refusals' ? (['HDR-3'] as const) : []),
    ...(only === null && !across ? [] : limitRequirements(kinds)),
    ...(across === 'anyone' ? (['AUTH-5', 'STATUS-401'] as const) : []),
  ],
  sentence({ kinds, only, limit, window, told, across }) {
    const who = only === null ? `All ${plural(kinds)}` : classesText(only.attribute, only.classes);
    const whose = across ? SHARING[across].whose : only === null ? ' of a key' : '';
    // All keys may share a limit for reads, and another one for writes.
    const each = across === 'keys' && kinds.length > 1 ? ', reads and writes apart,' : '';
    if (only === null && !across && limitRequirements(kinds).every((id) => !isOther(limit, window)(id)))
      return `A second limiter lets ${limit} ${plural(kinds)} of a key through in ${lengthText(window)}, in windows of its own.`;
    const are = only === null || isPlural(only.attribute, only.classes) ? 'are' : 'is';
    return `${who}${whose}${each} ${are} limited to ${limit} ${window < HOUR ? `in ${lengthText(window)}` : 'in the whole run'} ${HOW[told?.counted ?? 'besides']}.`;
  },
  remedy({ told, across, only }) {
    if (across) return SHARED_REMEDY;
    const cause = `Usually ${only === null ? 'a gateway or a second limiter, as one against bursts,' : 'a gateway, a route or a group'} has a limit of its own`;
    return told
      ? `${cause}. Remove it: all requests of a key and kind have one limit.`
      : `${cause}, and the headers come from the other limit. Remove it, or make both say the same.`;
  },
  draw(random, { operations, keys }) {
    if (random() < 0.4) return drawShared(random, keys.length);
    const kinds = drawKinds(random);
    const least = Math.min(...kinds.map((kind) => LIMITS[kind]));
    if (random() < 0.4) {
      const window = pick(random, [SECOND, 5 * SECOND, 10 * SECOND]);
      const limit = Math.round(least * pick(random, [0.3, 0.5, 0.7]));
      const told = random() < 0.3 ? { told: { counted: 'besides', by: 'refusals' } as const } : {};
      return { kinds, only: null, limit, window, ...told };
    }
    const own = operations.filter(({ kind }) => kinds.includes(kind));
    if (own.length < 2) return null;
    const attribute = pick(random, ['group', 'operation', 'method'] as const);
    const classIn = ({ id, group, method }: OperationFacts): string => ({ operation: id, group, method })[attribute];
    const name = classIn(pick(random, own));
    const held = kinds.filter((kind) => own.some((each) => each.kind === kind && classIn(each) === name));
    // What holds for all requests of its kinds is the limit of these kinds.
    if (own.every((each) => !held.includes(each.kind) || classIn(each) === name)) return null;
    const only = { attribute, classes: [name] };
    return { kinds: held, only, limit: Math.round(least * pick(random, [0.1, 0.3, 0.5])), window: WINDOW };
  },
};

/** Whether requests that are limited to so many in this time are not limited as clause 8 states, by its requirement. */
function isOther(limit: number, window: number): (id: RequirementId) => boolean {
  return (id) => window !== WINDOW || limit !== LIMITS[id === 'LIMIT-R' ? 'read' : 'write'];
}

/**
 * A limit that budgets have together, low enough that the requests of a few keys reach it. Null where one key cannot
 * share it.
 */
function drawShared(random: Random, keys: number): SecondLimit | null {
  const across = pick(random, ['keys', 'kinds', 'both', 'anyone'] as const);
  if (across !== 'kinds' && keys < 2) return null;
  const kinds = across === 'keys' ? [pick(random, BOTH)] : BOTH;
  const window = pick(random, [SECOND, 5 * SECOND, 10 * SECOND, WINDOW]);
  const own = kinds.reduce((sum, kind) => sum + LIMITS[kind], 0);
  // A run spends single budgets at once, and about two of a kind in one minute.
  const most = across === 'kinds' || window < WINDOW ? own : 2 * own;
  const share = pick(random, window < WINDOW ? [0.2, 0.4, 0.6] : [0.5, 0.7, 0.9]);
  return { kinds, only: null, limit: Math.round(most * share), window, across };
}

/** What a limit breaks that these budgets have together, and whose requests it counts. */
const SHARING = {
  keys: { breaks: ['LIMIT-KEY'], whose: ' of all keys together' },
  kinds: { breaks: ['LIMIT-RW'], whose: ' of a key, reads and writes together,' },
  both: { breaks: ['LIMIT-KEY', 'LIMIT-RW'], whose: ' of all keys, reads and writes together,' },
  anyone: { breaks: ['LIMIT-KEY', 'LIMIT-RW', 'LIMIT-ANON'], whose: ', with any key or none, together' },
} as const;

const SHARED_REMEDY =
  'Usually a gateway, an account or the service as a whole has a limit of its own for what is counted apart here. Remove it, or let no client reach it: each key has a limit for reads and one for writes.';

const HOW = {
  apart: 'separately',
  besides: 'besides the stated limits',
  'with all': 'together with all others',
} as const;
