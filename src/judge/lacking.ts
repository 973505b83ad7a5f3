import { listed } from '../deployment/operator.ts';
import { FIELDS } from './fields.ts';
import { count, type Finding, groupBy, type Said, setApart, unique } from './parts.ts';
import type { Answered } from './view.ts';

export const ALL_NAMES = FIELDS.map(({ name }) => name).join(', ');

/** Names of missing headers for a summary, where all three may be named again and again. */
export function inShort(names: string): string {
  return names === ALL_NAMES ? 'the three headers' : names.replace(', ', ' and ');
}

/** Names of the headers that it lacks, joined; empty where it lacks none. */
export function missing(exchange: Answered): string {
  const { limit, remaining, reset } = exchange.headers;
  if (limit.length > 0 && remaining.length > 0 && reset.length > 0) return '';
  return FIELDS.filter(({ field }) => exchange.headers[field].length === 0)
    .map(({ name }) => name)
    .join(', ');
}

/**
 * Which answers with a status lack which headers: of how many and to which operations, where others with this status
 * lack none. A number of answers is that of one status, so only what holds for all is said of several together.
 *
 * @param lacking those of the answers that lack any
 */
export function lackingWith(
  code: string,
  lacking: readonly Answered[],
  answers: readonly Answered[],
): (names: string) => string {
  const said = sentences(lacking, answers);
  const isOfAll = said.every(({ some }) => some === '');
  return (names) => joined(said, `answers with status ${isOfAll ? names : code}`);
}

/** More statuses than this are not told one by one: one sentence is about the answers with any of them. */
const MOST_STATUSES = 2;

/**
 * Which answers lack which headers, where so many statuses each lack them otherwise, or where all that lack any are
 * those to some operations: a status that no other operation was answered with seems to be the cause by itself. Null
 * where neither is so.
 */
export function lackingAnyhow(failed: readonly Finding[], answers: readonly Answered[]): Said | null {
  const statuses = new Set(failed.map(({ name }) => name));
  const any = answers.filter(({ status }) => statuses.has(`${status}`));
  const lacking = any.filter((each) => missing(each) !== '');
  const said = sentences(lacking, any);
  const isOfOperations = said.length === 1 && said.every(({ some, to }) => some === '' && to !== '');
  const isFew = unique(failed.map(({ failure }) => failure?.(''))).length <= MOST_STATUSES;
  if (isFew && !isOfOperations) return null;
  return setApart(joined(said, `answers with status ${listed([...statuses])}`), failed);
}

/**
 * What is wrong where some operations lack the same headers whatever they answer, and no other operation lacks any;
 * null where it is otherwise.
 */
export function lackingOperations(answers: readonly Answered[]): Said | null {
  const lacking = answers.filter((each) => missing(each) !== '');
  const [what, ...others] = unique(lacking.map(missing));
  const operations = new Set(lacking.map(({ operation }) => operation));
  const theirs = count(answers, ({ operation }) => operations.has(operation));
  if (what === undefined || others.length > 0 || theirs > lacking.length || theirs === answers.length) return null;
  const groups = unique(lacking.map(({ group }) => group));
  const whole = answers.every(({ group, operation }) => !groups.includes(group) || operations.has(operation));
  const names = whole ? listed(groups.map((group) => `operations of ${group}`)) : operationNames(operations);
  return { summary: `answers to ${names} lack ${inShort(what)}`, place: null };
}

/** Which headers some answers lack. */
interface Lack {
  /** `3 of 10 `; empty: all answers to these operations. */
  readonly some: string;
  /** ` to get-label and put-label`; empty: to all. */
  readonly to: string;
  /** `lack X-RateLimit-Limit`. */
  readonly what: string;
}

/** Where more headers, or sets of them, are missing, nobody reads where each is. */
const MOST_KINDS = 2;

function sentences(lacking: readonly Answered[], answers: readonly Answered[]): readonly Lack[] {
  const all = new Set(answers.map(({ operation }) => operation));
  const kinds = groupBy(lacking, (each) => inShort(missing(each)));
  const told = kinds.size > MOST_KINDS ? [['some of the three headers', lacking] as const] : [...kinds];
  return told.map(([what, own]) => {
    const operations = new Set(own.map(({ operation }) => operation));
    const theirs = count(answers, ({ operation }) => operations.has(operation));
    return {
      some: own.length === theirs ? '' : `${own.length} of ${theirs} `,
      to: operations.size === all.size ? '' : ` to ${operationNames(operations)}`,
      what: `${own.length === 1 && theirs > 1 ? 'lacks' : 'lack'} ${what}`,
    };
  });
}

function joined(said: readonly Lack[], which: string): string {
  return listed(said.map(({ some, to, what }) => `${some}${which}${to} ${what}`));
}

/** More operations than this are counted and not named. */
const MOST_NAMED = 5;

/** Operations by name, where there are few; of more, the first ones, and how many others there are. */
export function operationNames(operations: ReadonlySet<string | null>): string {
  const names = [...operations].map((each) => each ?? 'no operation of the profile');
  const more = names.length - MOST_NAMED;
  return listed(more > 0 ? [...names.slice(0, MOST_NAMED), `${more} more operation${more === 1 ? '' : 's'}`] : names);
}
