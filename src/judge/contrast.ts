import { wayText } from '../deployment/attribute.ts';
import { listed } from '../deployment/operator.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Situation, Situations } from './situations.ts';

/** In what requests that break a requirement may differ from others, as words that follow `only`. */
type Factor = (exchange: Exchange) => string;

/**
 * What requests may have in common: how the key was sent, where they went (the widest that fits), and whose key it was.
 * Each is judged by itself.
 */
const WAY: Factor = ({ credential }) => `by ${wayText(credential)}`;
/** In which header, whatever the case of the scheme and the space after it. */
const HEADER: Factor = (each) => (each.credential.startsWith('bearer-') ? 'by Bearer' : WAY(each));
const STATUS: Factor = ({ status }) => `on answers ${status}`;
const PLACES: readonly Factor[] = [
  ({ kind }) => `on ${kind}s`,
  ({ group }) => `on ${group}`,
  ({ operation }) => `on ${operation}`,
  ({ method }) => `on ${method} requests`,
];
/** How the key was sent and where they went, each with the latter alone. */
const WAY_AND_PLACE = PLACES.map((place): readonly [Factor, Factor] => [
  (each) => `${WAY(each)} ${place(each)}`,
  place,
]);
/** Where the requests went of which these are true. */
const PLACE_OF: ReadonlyMap<Factor, Factor> = new Map([
  ...PLACES.map((place) => [place, place] as const),
  ...WAY_AND_PLACE,
]);
const STATUS_AND_PLACE = PLACES.map(
  (place): Factor =>
    (each) =>
      `${STATUS(each)} ${place(each).replace(/^on /, 'to ')}`,
);
const KEY: Factor = ({ key }) => `with ${key}`;
const VARIATION: Factor = ({ variation }) => `in the form ${variation}`;
const VARIATION_AND_PLACE = PLACES.map(
  (place): Factor =>
    (each) =>
      `${VARIATION(each)} ${place(each)}`,
);

/** Requests that were answered wrongly, and those that were answered as they should be. */
export interface Compared {
  readonly wrong: readonly Exchange[];
  readonly right: readonly Exchange[];
  /** What requests of the run may have found. */
  readonly situations: Situations;
  /** What is said of them says already to which operations they went. */
  readonly isPlaced?: boolean;
  /** Whether their status may set them apart: it is not what is wrong with them. */
  readonly byStatus?: boolean;
}

/** What sets requests that were answered wrongly apart. */
export interface Apart {
  /** As words that can stand in brackets: `only by X-API-Key on writes`. */
  readonly words: string;
  /** The part of the deployment to which they went, if no other answer of it was right: `on writes`. */
  readonly place?: string;
}

/**
 * What sets requests that were answered wrongly apart from those that were answered as they should be: one thing that
 * all of the first have in common and none of the others, or when they were sent. If nothing or several things do, what
 * all of the first found and few of the others, the forms of their keys, or how the key was sent together with where
 * they went; or else an equal request that was answered rightly, if there is one. Null if there is nothing to say.
 */
export function contrast({ wrong, right, situations, isPlaced = false, byStatus = false }: Compared): Apart | null {
  const [first] = wrong;
  if (!first || right.length === 0) return null;
  // What is odd about these requests says more than where they went.
  if (first.fault === 'unstated' && first.variation !== null) {
    const forms = [VARIATION, ...(isPlaced || wrong.length === 1 ? [] : VARIATION_AND_PLACE)];
    const form = forms.find((factor) => separates(factor, wrong, right));
    if (form) return { words: `only ${form(first)}` };
  }
  // One key may be the only one that gets a status.
  const isOfStatus = byStatus && separates(STATUS, wrong, right);
  const factors = [
    [WAY, HEADER],
    ...(isPlaced ? [] : [PLACES, ...(isOfStatus ? [] : [[KEY]])]),
    ...(byStatus ? [[STATUS]] : []),
  ];
  const apart = factors.flatMap((each) => each.find((factor) => separates(factor, wrong, right)) ?? []);
  const [only, ...others] = [...apart.map((factor) => onlyBy(factor, first)), ...inTime(wrong, right)];
  if (only !== undefined && others.length === 0) return only;
  // If those that went elsewhere are right, what is said of their place says all: no chance does that to so many.
  const isOfPlace = isPlaced && wrong.length >= LEAST_IN_TIME && areElsewhere(wrong, right);
  const found = situations.found.filter(
    ({ holds, status }) =>
      (status === undefined || wrong.every((each) => each.status === status)) && isFoundBy(holds, wrong, right),
  );
  const meant = found.find(({ status }) => status !== undefined) ?? (found.length === 1 ? found[0] : undefined);
  if (meant && (meant.status !== undefined || !isOfPlace)) return { words: `only ${meant.words}` };
  if (isOfPlace) return null;
  // Where their key or their place may be the cause as well, nothing shows that other requests are.
  const memory = apart.length === 0 ? lasting(wrong, right, situations) : null;
  if (memory !== null) {
    return { words: `each within ${memory} s after the same operation succeeded with another key; none later` };
  }
  const forms = formsOf(wrong, right);
  if (forms !== null) return { words: `only with a key in ${forms}` };
  if (isPlaced) return null;
  const pairs = [...WAY_AND_PLACE.map(([factor]) => factor), ...(byStatus ? STATUS_AND_PLACE : [])];
  const together = wrong.length > 1 ? pairs.find((factor) => separates(factor, wrong, right)) : undefined;
  if (together) return onlyBy(together, first);
  return byStatus ? null : notAlways(first, right);
}

function onlyBy(factor: Factor, exchange: Exchange): Apart {
  const place = PLACE_OF.get(factor)?.(exchange);
  return { words: `only ${factor(exchange)}`, ...(place !== undefined && { place }) };
}

/**
 * That an equal request was answered rightly, by its status: the one that was sent most alike, and how it was sent
 * otherwise.
 */
function notAlways(first: Exchange, right: readonly Exchange[]): Apart | null {
  const equal = right.filter(
    ({ operation, target, variation, status }) =>
      operation === first.operation &&
      target === first.target &&
      variation === first.variation &&
      status !== first.status,
  );
  const unlike = (each: Exchange): readonly string[] =>
    [WAY, KEY].filter((factor) => factor(each) !== factor(first)).map((factor) => factor(each));
  const [nearest] = equal.toSorted((one, other) => unlike(one).length - unlike(other).length);
  if (!nearest) return null;
  const how = unlike(nearest).join(' ');
  return { words: `not always: #${nearest.seq}${how && `, ${how},`} was answered ${nearest.status}` };
}

/**
 * The forms of the bad keys that were all answered wrongly, if no other answer was; null: it is otherwise, or they are
 * too many to be named.
 */
function formsOf(wrong: readonly Exchange[], right: readonly Exchange[]): string | null {
  const forms = new Set(wrong.map(({ fault, variation }) => (fault === 'bad-key' ? variation : null)));
  if (forms.has(null) || forms.size > MOST_FORMS || wrong.length < LEAST_IN_TIME) return null;
  if (right.some(({ variation }) => forms.has(variation))) return null;
  const names = [...forms].flatMap((form) => form ?? []).sort();
  return `the ${names.length === 1 ? 'form' : 'forms'} ${listed(names)}`;
}

/** More forms than this are a list that nobody reads. */
const MOST_FORMS = 3;

/** Whether these went to none of the operations to which the others went. */
function areElsewhere(some: readonly Exchange[], others: readonly Exchange[]): boolean {
  const operations = new Set(some.map(({ operation }) => operation));
  return !others.some(({ operation }) => operations.has(operation));
}

/** A chance of one in a thousand is none. */
const LEAST_LIKELY = 1e-3;

/** Whether all wrong answers found this, and so few of the right ones with the same status that it is no chance. */
function isFoundBy(holds: Situation['holds'], wrong: readonly Exchange[], right: readonly Exchange[]): boolean {
  if (!wrong.every(holds)) return false;
  const statuses = new Set(wrong.map(({ status }) => status));
  const alike = right.filter(({ status }) => statuses.has(status));
  const others = alike.length > 0 ? alike : right;
  return (others.filter(holds).length / others.length) ** wrong.length < LEAST_LIKELY;
}

/**
 * For how long (s) something seems to be remembered: all wrong answers came sooner after what is, and all right ones
 * later; else null.
 */
function lasting(wrong: readonly Exchange[], right: readonly Exchange[], { sinceOthers }: Situations): number | null {
  if (wrong.length < LEAST_IN_TIME || right.length < LEAST_LATER) return null;
  const longest = wrong.reduce((most, each) => Math.max(most, sinceOthers(each)), 0);
  return right.every((each) => sinceOthers(each) > longest) ? Math.ceil(longest / 1e6) : null;
}

/** Fewest right answers that show that it was forgotten: of four and two, one order in 15 has these last. */
const LEAST_LATER = 2;

function separates(factor: Factor, wrong: readonly Exchange[], right: readonly Exchange[]): boolean {
  const [value, ...others] = new Set(wrong.map(factor));
  return others.length === 0 && right.every((each) => factor(each) !== value);
}

/**
 * Fewest requests of each sort that show by when they were sent that something changed in the run: of four and four,
 * one order in 35 has all wrong answers first or last.
 */
const LEAST_IN_TIME = 4;

/** Whether all wrong answers came after the right ones, or before them. */
function inTime(wrong: readonly Exchange[], right: readonly Exchange[]): readonly Apart[] {
  if (wrong.length < LEAST_IN_TIME || right.length < LEAST_IN_TIME) return [];
  const [bad, good] = [inOrder(wrong), inOrder(right)];
  const isBefore = (one: readonly Exchange[], other: readonly Exchange[]): boolean =>
    (one.at(-1)?.sent ?? 0) < (other[0]?.sent ?? 0);
  if (isBefore(good, bad)) return [{ words: `from #${bad[0]?.seq} on` }];
  return isBefore(bad, good) ? [{ words: `until #${bad.at(-1)?.seq}` }] : [];
}

function inOrder(exchanges: readonly Exchange[]): readonly Exchange[] {
  return [...exchanges].sort((one, other) => one.sent - other.sent);
}
