import type { Exchange } from '../../trace/exchange.ts';

/** µs after a request in which a deployment that counts late may still take something off for it. */
export const AFTERMATH = 5_000_000;

/** What a deployment may count wrongly by: the name of a request's class, by one thing each. */
export const CLASSES: readonly ((exchange: Exchange) => string)[] = [
  ({ status }) => `${status}`,
  ({ operation }) => operation ?? '',
  ({ method }) => method,
  ({ status, method }) => `${status} ${method}`,
  ({ credential }) => credential,
  ({ variation }) => variation ?? '',
  ({ fault }) => fault,
];

/** Those of some requests that belong to a class of which there is none among others. */
export function peculiarTo(own: readonly Exchange[], others: readonly Exchange[]): readonly Exchange[] {
  const known = CLASSES.map((nameOf) => new Set(others.map(nameOf)));
  return own.filter((each) => CLASSES.some((nameOf, index) => !known[index]?.has(nameOf(each))));
}
