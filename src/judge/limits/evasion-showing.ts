import { type Attribute, classOf, requirementOf } from '../../deployment/attribute.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Event, History } from '../../oracle/history.ts';
import { statedRemaining } from '../../oracle/make-history.ts';
import { isSuccess } from '../../trace/exchange.ts';
import { MOST_COMPARED } from './own-showings.ts';
import type { Shown } from './window-counts.ts';
import { furthestBeforeEnd } from './window-showings.ts';

/** Whether two requests differ as a proof needs it. */
export type Differ = (one: Event, other: Event) => boolean;

/** What two requests for one operation may still differ in, each with the attributes that it comes with. */
const APART: readonly (readonly [Attribute, ...(readonly Attribute[])])[] = [
  ['path', 'path-case', 'trailing-slash'],
  ['query-string'],
  ['credential', 'both-headers'],
];

/**
 * Whether two requests differ in what tells budgets apart and in nothing else that a client chooses: two that differ in
 * their path as well do not show that the query matters. Null if budgets are not told apart by what a client chooses.
 */
export function differingAlone(deviation: Deviation | null): Differ | null {
  if (deviation?.operator !== 'finer-scope') return null;
  const { attribute } = deviation.parameters;
  if (requirementOf(attribute) === 'LIMIT-SCOPE') return null;
  const alike: readonly Attribute[] = ['operation', ...APART.flatMap((own) => (own.includes(attribute) ? [] : own[0]))];
  const isEqual = (each: Attribute, one: Event, other: Event): boolean =>
    classOf(each, one.exchange) === classOf(each, other.exchange);
  return (one, other) => !isEqual(attribute, one, other) && alike.every((each) => isEqual(each, one, other));
}

/**
 * An answer, and one to a request that differs as is said, which finds the whole budget before the end that the former
 * states: of all such, the one furthest from that end. Whether the second is counted may be left open, as it is of a
 * query that no operation has: it shows what a client can do.
 */
export function wholeElsewhere(history: History, differ: Differ): Shown | null {
  const { events, shown } = history;
  const pairs = events.flatMap((later, at) => {
    if (!isSuccess(later.exchange.status) || later.exchange.fault === 'bad-key') return [];
    if (statedRemaining(later.exchange) !== shown - 1) return [];
    const earlier = events
      .slice(Math.max(0, at - MOST_COMPARED), at)
      .findLast(
        (each) =>
          each.outcome === 'accepted' &&
          (each.remaining ?? shown) < shown - 1 &&
          each.to < later.from &&
          differ(each, later),
      );
    return earlier ? [{ earlier, later }] : [];
  });
  return furthestBeforeEnd(history, pairs, (time) => `, sent with the same key at least ${time} before that time,`);
}
