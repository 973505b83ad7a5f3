import type { Random } from '../../random/random.ts';
import type { Kind } from '../../trace/exchange.ts';
import {
  ATTRIBUTE_NAMES,
  type Attribute,
  classesText,
  classesWithin,
  classOf,
  isPlural,
  nounOf,
  type OperationFacts,
  requirementOf,
} from '../attribute.ts';
import { drawKinds, limitRequirements, type Operator, onlyFor, pick, plural, type Surface } from '../operator.ts';

/** A partition of a key's requests by one attribute. */
export interface FinerScope {
  readonly kinds: readonly Kind[];
  readonly attribute: Attribute;
  /** Blocks of classes that share a budget. Each class is in at most one block. */
  readonly blocks: readonly (readonly string[])[];
  /** Classes that are neither counted nor refused. */
  readonly exempt: readonly string[];
  /** All other classes: each has its own budget, or all of them share one; or there are none. */
  readonly others: 'apart' | 'together' | 'none';
  /**
   * The headers of exempt requests: the state of the others' budget, that of an unused one, or those of an earlier
   * answer to the same URL, as a cache has them. A cache counts those requests that it cannot answer itself.
   */
  readonly exemptHeaders: 'of the others' | 'unused' | 'repeated';
}

/** What tells routes apart, and not the requests to one route. */
const ROUTES: readonly Attribute[] = ['operation', 'group', 'path'];

/** Budgets that are finer than key and kind, or requests that the limiter ignores. */
export const finerScope: Operator<'finer-scope', FinerScope> = {
  id: 'finer-scope',
  component: 'scope',
  breaks({ kinds, attribute, others, exemptHeaders }) {
    const own = others === 'none' ? limitRequirements(kinds) : [requirementOf(attribute)];
    return exemptHeaders === 'repeated' ? [...own, 'HDR-4'] : own;
  },
  mayShow: ({ attribute, exemptHeaders }) => [
    ...(exemptHeaders === 'repeated' ? (['HDR-5', 'HDR-7', 'HDR-8'] as const) : []),
    // Another way to write a path is another path.
    ...(attribute === 'path' ? (['LIMIT-EVADE'] as const) : []),
  ],
  sentence({ kinds, attribute, blocks, exempt, others, exemptHeaders }) {
    const parts: string[] = [];
    if (exempt.length > 0 && exemptHeaders === 'repeated')
      parts.push(
        `Answers to ${others === 'none' ? plural(kinds) : classesWithin(attribute, exempt)} are repeated from a cache in front of the limiter, which does not count these requests`,
      );
    else if (exempt.length > 0)
      parts.push(`${classesText(attribute, exempt)} ${isPlural(attribute, exempt) ? 'are' : 'is'} not limited`);
    if (others === 'apart' && blocks.length === 0)
      parts.push(`${exempt.length > 0 ? 'each other' : 'Each'} ${nounOf(attribute)} has a budget of its own`);
    else if (blocks.length > 0) {
      const text = parts.length === 0 ? classesText : classesWithin;
      const [only = []] = blocks;
      if (blocks.length === 1)
        parts.push(`${text(attribute, only)} ${isPlural(attribute, only) ? 'have' : 'has'} a budget apart`);
      else if (blocks.every((block) => block.length === 1))
        parts.push(`${text(attribute, blocks.flat())} have a budget each`);
      else
        parts.push(
          `${parts.length === 0 ? 'There' : 'there'} is ${budgetsFor(blocks.map((block) => classesWithin(attribute, block)))}`,
        );
      if (others === 'apart') parts.push(`each other ${nounOf(attribute)} has one of its own`);
    }
    return `${parts.join('; ')}${others === 'none' ? '' : onlyFor(kinds)}.`;
  },
  remedy: ({ attribute, exempt, blocks, others, exemptHeaders }) => {
    if (exemptHeaders === 'repeated')
      return 'Usually a response cache stands in front of the limiter. Put the limiter in front of the cache, and do not cache its headers.';
    if (exempt.length > 0 && blocks.length === 0 && others === 'together')
      return ROUTES.includes(attribute)
        ? 'Usually these routes are registered before the limiter, or are on its list of exceptions. Put the limiter in front of all routes of the API.'
        : 'Usually the limiter has an exception for these requests, or does not recognise them. Let it count every request that is answered.';
    return blocks.length > 0 && others === 'together'
      ? 'Usually what has a budget apart has a limiter, a store or a prefix of its own. Let all requests of a key and kind share one count.'
      : `Usually the ${nounOf(attribute)} is part of the counter’s name. Count by the key and the kind alone.`;
  },
  draw(random, surface) {
    const attribute = pick(random, ATTRIBUTE_NAMES);
    const kinds = drawKinds(random);
    const plain = {
      kinds,
      attribute,
      blocks: [],
      exempt: [],
      others: 'apart',
      exemptHeaders: 'of the others',
    } as const;
    const classes = classesIn(attribute, kinds, surface);
    if (classes === null) return plain;
    if (classes.length < 2) return null;
    const chance = random();
    if (chance < 0.4) return plain;
    const shuffled = shuffle(random, classes);
    const some = shuffled.slice(0, 1 + Math.floor(random() * Math.min(3, classes.length - 1)));
    if (chance < 0.6) {
      const { operations } = surface;
      const isRepeatable =
        attribute === 'operation' &&
        operations.every(({ id, method }) => !some.includes(id) || isRepeatedByCaches(method));
      const shown = ['of the others', 'unused', ...(isRepeatable ? ['repeated' as const] : [])] as const;
      return { ...plain, exempt: some, others: 'together', exemptHeaders: pick(random, shown) };
    }
    return { ...plain, blocks: [some], others: 'together' };
  },
};

/**
 * Whether a shared cache repeats answers to this method. It must write an unsafe request through to the origin server
 * (RFC 9111, section 4). Of the safe methods (RFC 9110, 9.2.1), only GET and HEAD ask for something that may be kept.
 */
export function isRepeatedByCaches(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * The classes of an attribute on a surface; null if they are not known before the run; empty if there are none to
 * distinguish.
 */
function classesIn(attribute: Attribute, kinds: readonly Kind[], { operations }: Surface): readonly string[] | null {
  const own = operations.filter(({ kind }) => kinds.includes(kind));
  if (attribute === 'credential') return ['x-api-key', 'bearer'];
  if (attribute !== 'operation' && attribute !== 'group' && attribute !== 'method') return null;
  return [...new Set(own.map((each) => classOf(attribute, factsOf(each))))].sort();
}

function factsOf({ id, group, method, path }: OperationFacts): Parameters<typeof classOf>[1] {
  return { operation: id, group, method, target: path, credential: 'x-api-key', connection: 0, variation: null };
}

function shuffle(random: Random, values: readonly string[]): readonly string[] {
  return values
    .map((value) => ({ value, order: random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ value }) => value);
}

/** A budget for each of these, which are lists with words like `and` themselves. */
function budgetsFor(owners: readonly string[]): string {
  const each = owners.map((owner, at) => `${at === 0 ? 'one budget' : 'another'} for ${owner}`);
  const [last = '', ...others] = each.toReversed();
  return others.length === 0 ? last : `${others.reverse().join(', ')}, and ${last}`;
}
