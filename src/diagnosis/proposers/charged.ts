import { ascending, below, numbersOf, upTo } from '../../oracle/ascending.ts';
import type { Event, History } from '../../oracle/history.ts';
import { isSuccess } from '../../trace/exchange.ts';
import { inOrder, unclear } from '../world.ts';

/** A request that uses this budget, certainly or possibly, and about which nothing else is judged. */
export function chargedHere(event: Event, certain: boolean): Event {
  return certain ? { ...unclear(event), outcome: 'foreign' } : unclear(event);
}

/**
 * The budget with the requests that were charged to it as well. They were certainly counted while something was
 * certainly left: if the latest answer left more than all requests that may have been decided since. The others may
 * have been counted.
 */
export function alsoCharged(history: History, foreign: readonly Event[]): History {
  if (foreign.length === 0) return history;
  const events = inOrder([...history.events, ...foreign]);
  const starts = numbersOf(events, ({ from }) => from);
  const ends = ascending(numbersOf(events, ({ to }) => to));
  const told = history.events.filter(({ outcome, remaining }) => outcome === 'refused' || remaining !== null);
  const byAnswer = told.toSorted((one, other) => one.to - other.to);
  let at = 0;
  let last: Event | null = null;
  const isSure = ({ from, to }: Event): boolean => {
    for (let next = byAnswer[at]; next && next.to < from; next = byAnswer[++at]) {
      if (!last || next.from > last.from) last = next;
    }
    const left = last === null ? history.limit : last.outcome === 'refused' ? 0 : (last.remaining ?? 0);
    const since = upTo(starts, to) - (last === null ? 0 : below(ends, last.from) + 1);
    return left >= since;
  };
  return {
    ...history,
    events: events.map((event) => (event.outcome !== 'foreign' || isSure(event) ? event : perhaps(event))),
  };
}

/** A request that may have been counted here, too. Only one that failed may be given back. */
function perhaps(event: Event): Event {
  return isSuccess(event.exchange.status) ? { ...event, outcome: 'extra' } : unclear(event);
}
