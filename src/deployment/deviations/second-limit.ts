import { LIMITS } from '../../catalogue/limits.ts';
import type { Kind } from '../../trace/exchange.ts';
import { type Attribute, classesText, isPlural, type OperationFacts, requirementOf } from '../attribute.ts';
import { SECOND, WINDOW } from '../deployment.ts';
import { drawKinds, lengthText, limitRequirements, type Operator, pick, plural } from '../operator.ts';

/** A limit besides those of clause 8. */
export interface SecondLimit {
  readonly kinds: readonly Kind[];
  /** The requests that it holds for, of each key; null: all of them together. */
  readonly only: { readonly attribute: Attribute; readonly classes: readonly string[] } | null;
  readonly limit: number;
  /** In µs: fixed windows of this length from the first request. */
  readonly window: number;
  /**
   * Where the headers of these requests tell of it: whether they draw on a budget apart, are counted in that of the others besides, or are refused
   * when so many of all are counted; and whether only those tell of it that it refuses. Left out where no header tells it.
   */
  readonly told?: { readonly counted: 'apart' | 'besides' | 'with all'; readonly by?: 'refusals' };
}

/** Requests that are refused while budget is left. */
export const secondLimit: Operator<'second-limit', SecondLimit> = {
  id: 'second-limit',
  component: 'limit',
  breaks: ({ kinds, only, told }) => [
    ...(told ? [] : (['HDR-5'] as const)),
    ...(only === null ? limitRequirements(kinds) : [requirementOf(only.attribute)]),
  ],
  mayShow: ({ kinds, only }) => (only === null ? [] : limitRequirements(kinds)),
  sentence({ kinds, only, limit, window, told }) {
    const who = only === null ? `All ${plural(kinds)} of a key` : classesText(only.attribute, only.classes);
    const are = only === null || isPlural(only.attribute, only.classes) ? 'are' : 'is';
    return `${who} ${are} limited to ${limit} in ${lengthText(window)} ${HOW[told?.counted ?? 'besides']}.`;
  },
  remedy: ({ told }) =>
    told
      ? 'Usually a route or a group has a limit of its own. Remove it: all requests of a key and kind have one limit.'
      : 'Usually a gateway or a route has a limit of its own, and the headers come from the other limit. Remove it, or make both say the same.',
  draw(random, { operations }) {
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

const HOW = { apart: 'separately', besides: 'in addition', 'with all': 'together with all others' } as const;
