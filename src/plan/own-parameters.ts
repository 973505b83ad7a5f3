import type { Operation } from '../profile/profile.ts';

/** A query parameter of an operation of the profile, with another value. */
export interface OwnParameter {
  readonly operation: Operation;
  readonly name: string;
  readonly value: string;
}

/**
 * What parsers and databases fail at, the likeliest first: a number that 32 bits hold, but not when it is multiplied by
 * the size of a page; nothing; a word; a negative number; a number that 64 bits do not hold.
 */
const VALUES = ['999999999', '', 'word', '-1', '99999999999999999999'];

/**
 * Each query parameter of the operations with values that are not its own. If not all of them fit in, every parameter
 * gets the likelier values before any gets the others.
 */
export function ownParameters(operations: readonly Operation[], most: number): readonly OwnParameter[] {
  const all = operations.flatMap((operation) => namesOf(operation).map((name) => ({ operation, name })));
  // A key in a query would stay in access logs.
  const harmless = all.filter(({ name }) => !/key|token|auth/i.test(name));
  return VALUES.flatMap((value) => harmless.map((each) => ({ ...each, value }))).slice(0, most);
}

/** The names in the query of an operation: a profile writes them in its path or beside it. */
function namesOf({ path, query }: Operation): readonly string[] {
  const [, inPath = ''] = path.split('?');
  const written = inPath.split('&').map((each) => each.split('=')[0] ?? '');
  return [...new Set([...written, ...Object.keys(query)])].filter((name) => name !== '');
}
