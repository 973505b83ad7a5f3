import { type Attribute, classOf, type RequestClass } from '../../deployment/attribute.ts';
import type { Event, History } from '../../oracle/history.ts';
import { together } from '../../oracle/together.ts';

/** Attributes of the requests that one handler serves. */
const ATTRIBUTES: readonly Attribute[] = ['method', 'group', 'operation'];

/**
 * The classes of requests one of which succeeded each time before more was left in a window again: such requests may
 * have cleared its count. None if this never happened.
 */
export function clearingClasses(histories: readonly History[]): readonly RequestClass[] {
  const before = histories.flatMap(beforeRises);
  if (before.length === 0) return [];
  return ATTRIBUTES.flatMap((attribute) => {
    const nameOf = ({ exchange }: Event): string => classOf(attribute, exchange);
    const all = new Set(histories.flatMap(({ events }) => events.map(nameOf)));
    const [first = [], ...rest] = before.map((events) => new Set(events.map(nameOf)));
    // Where all requests are of one class, each of them would clear the count.
    const common = all.size < 2 ? [] : [...first].filter((name) => rest.every((names) => names.has(name)));
    return common.map((name) => ({ attribute, classes: [name] }));
  });
}

/** For each time at which more was left in a window than before: the requests that had succeeded since then. */
function beforeRises({ events, offset }: History): readonly (readonly Event[])[] {
  const before: Event[][] = [];
  let since: Event[] = [];
  let least: Event | null = null;
  for (const crowd of together(events)) {
    const told = crowd.filter(({ outcome, remaining }) => outcome === 'accepted' && remaining !== null);
    const [lowest, highest] = [told.reduce(lower, null), told.reduce(higher, null)];
    if (lowest && highest) {
      const isOpen = least !== null && least.reset !== null && highest.to + offset.high < least.reset;
      const rises = isOpen && left(highest) > left(least);
      if (rises) before.push(since);
      if (!isOpen || rises || left(lowest) <= left(least)) {
        least = lowest;
        since = [];
      }
    }
    since.push(...crowd.filter(hasSucceeded));
  }
  return before;
}

/** Whether it was answered 200, even if it is open whether it was counted. */
export function hasSucceeded({ exchange }: Event): boolean {
  return exchange.status === 200;
}

function left(event: Event | null): number {
  return event?.remaining ?? Number.POSITIVE_INFINITY;
}

function lower(one: Event | null, other: Event): Event {
  return one && left(one) <= left(other) ? one : other;
}

function higher(one: Event | null, other: Event): Event {
  return one && left(one) >= left(other) ? one : other;
}
