import type { RequirementId } from '../catalogue/requirement.ts';
import { type Exchange, type Group, KINDS, type Kind } from '../trace/exchange.ts';
import { listed } from './operator.ts';

/** The attributes by which a limiter can distinguish requests of one key and kind. */
export type Attribute =
  | 'operation'
  | 'group'
  | 'method'
  | 'path'
  | 'credential'
  | 'connection'
  | 'query-string'
  | ChangedAttribute;

/**
 * Attributes for which a run only knows whether the request was plain or changed; the names are those of the trace's
 * variations.
 */
export type ChangedAttribute =
  | 'forwarded-for'
  | 'internal-address'
  | 'forwarded'
  | 'real-ip'
  | 'user-agent'
  | 'path-case'
  | 'trailing-slash'
  | 'key-spaces'
  | 'both-headers'
  | 'scheme-case';

/** The properties by which a limiter can distinguish operations. */
export interface OperationFacts {
  readonly id: string;
  readonly group: Group;
  readonly kind: Kind;
  readonly method: string;
  readonly path: string;
}

/** The fields of a request that determine its class. An exchange of a trace has them. */
export type RequestFacts = Pick<Exchange, 'method' | 'target' | 'credential' | 'connection' | 'variation'> & {
  readonly operation: string | null;
  readonly group: string | null;
};

/** Requests that have something in common: their classes under an attribute. */
export interface RequestClass {
  readonly attribute: Attribute;
  readonly classes: readonly string[];
}

/** The classes of an attribute that is either plain or changed. */
export const PLAIN = 'plain';
export const CHANGED = 'changed';

/**
 * Every attribute, from the most usual to the rarest: the name of a request's class, the requirement that a scope by it
 * breaks, and its name in a sentence.
 */
const ATTRIBUTES: Readonly<
  Record<
    Attribute,
    {
      readonly requirement: RequirementId;
      readonly noun: string;
      readonly change?: string;
      of(request: RequestFacts): string;
    }
  >
> = {
  operation: {
    requirement: 'LIMIT-SCOPE',
    noun: 'operation',
    of: ({ operation, method, target }) => operation ?? `${method} ${pathOf(target)}`,
  },
  group: { requirement: 'LIMIT-SCOPE', noun: 'resource group', of: ({ group }) => group ?? 'none' },
  method: { requirement: 'LIMIT-SCOPE', noun: 'HTTP method', of: ({ method }) => method },
  path: { requirement: 'LIMIT-SCOPE', noun: 'path', of: ({ target }) => pathOf(target) },
  credential: {
    requirement: 'LIMIT-HEADER',
    noun: 'way of sending the key',
    // However `Bearer` is written, it is the same header.
    of: ({ credential }) => (credential.startsWith('bearer') ? 'bearer' : credential),
  },
  connection: { requirement: 'LIMIT-EVADE', noun: 'connection', of: ({ connection }) => `${connection}` },
  'query-string': {
    requirement: 'LIMIT-EVADE',
    noun: 'query string',
    of: ({ target }) => target.split('?', 2)[1] ?? '',
  },
  'forwarded-for': {
    ...changed('forwarded-for', 'X-Forwarded-For'),
    of: ({ variation }) => (variation === 'forwarded-for' || variation === 'internal-address' ? CHANGED : PLAIN),
  },
  'internal-address': changed(
    'internal-address',
    'internal address in X-Forwarded-For',
    'an internal address in X-Forwarded-For',
  ),
  forwarded: changed('forwarded', 'Forwarded header'),
  'real-ip': changed('real-ip', 'X-Real-IP'),
  'user-agent': changed('user-agent', 'User-Agent'),
  'path-case': changed('path-case', 'spelling of the path', 'the path in another case'),
  'trailing-slash': changed('trailing-slash', 'spelling of the path', 'a trailing slash'),
  'key-spaces': changed('key-spaces', 'spelling of the key', 'spaces around the key'),
  'both-headers': changed('both-headers', 'way of sending the key', 'the key in both headers'),
  'scheme-case': changed('scheme-case', 'spelling of the key', '`Bearer` in another case'),
};

export const ATTRIBUTE_NAMES = Object.keys(ATTRIBUTES) as readonly Attribute[];

/** The class of a request under an attribute, as a limiter that uses this attribute sees it. */
export function classOf(attribute: Attribute, request: RequestFacts): string {
  return ATTRIBUTES[attribute].of(request);
}

/**
 * The requests that share a property of an operation, and their kinds; null if they are all requests of these kinds.
 */
export function likeOperation(
  attribute: 'operation' | 'group' | 'method',
  operation: OperationFacts,
  operations: readonly OperationFacts[],
): (RequestClass & { readonly kinds: readonly Kind[] }) | null {
  const property = attribute === 'operation' ? 'id' : attribute;
  const isLike = (each: OperationFacts): boolean => each[property] === operation[property];
  const kinds = KINDS.filter((kind) => operations.some((each) => each.kind === kind && isLike(each)));
  const isAll = operations.every((each) => !kinds.includes(each.kind) || isLike(each));
  return isAll ? null : { kinds, attribute, classes: [operation[property]] };
}

/** Whether a request is one of these. */
export function isOfClass({ attribute, classes }: RequestClass, request: RequestFacts): boolean {
  return classes.includes(classOf(attribute, request));
}

/** The requirement that a deployment breaks if it counts requests separately by this attribute. */
export function requirementOf(attribute: Attribute): RequirementId {
  return ATTRIBUTES[attribute].requirement;
}

/** The attribute in words: `operation`, `way of sending the key`. */
export function nounOf(attribute: Attribute): string {
  return ATTRIBUTES[attribute].noun;
}

const WAYS: Readonly<Record<string, string>> = {
  'x-api-key': 'X-API-Key',
  bearer: 'Bearer',
  'other-scheme': 'another scheme than Bearer',
};

/** A way of sending the key in words: `X-API-Key`. */
export function wayText(credential: string): string {
  return WAYS[credential] ?? credential;
}

/** Some classes of an attribute in words, as the subject of a sentence: `Labels`, `Requests with the key by Bearer`. */
export function classesText(attribute: Attribute, classes: readonly string[]): string {
  const names = listed(classes);
  switch (attribute) {
    case 'operation':
      return classes.length === 1 ? `The operation ${names}` : `The operations ${names}`;
    case 'group':
      // Without the word, it reads as the whole API.
      return `Requests to ${listed(classes.map((group) => (group === 'service' ? 'the group service' : group)))}`;
    case 'credential':
      return `Requests with the key by ${listed(classes.map(wayText))}`;
    case 'method':
      return `${names} requests`;
    case 'path':
      return `Requests to ${names}`;
    case 'query-string':
      return classes.length === 1 && names === '' ? 'Requests without a query' : `Requests with the query ${names}`;
    case 'connection':
      return `Requests over connection ${names}`;
    default:
      return `Requests ${names === PLAIN ? 'without' : 'with'} ${ATTRIBUTES[attribute].change}`;
  }
}

/** The same within a sentence: `requests to labels`, `DELETE requests`. */
export function classesWithin(attribute: Attribute, classes: readonly string[]): string {
  return classesText(attribute, classes).replace(/^(The|Requests)\b/, (word) => word.toLowerCase());
}

/** Whether the subject that `classesText` makes is a plural. */
export function isPlural(attribute: Attribute, classes: readonly string[]): boolean {
  return classes.length !== 1 || attribute !== 'operation';
}

function changed(name: ChangedAttribute, noun: string, change = `another ${noun}`): (typeof ATTRIBUTES)[Attribute] {
  return { requirement: 'LIMIT-EVADE', noun, change, of: ({ variation }) => (variation === name ? CHANGED : PLAIN) };
}

function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? '';
}
