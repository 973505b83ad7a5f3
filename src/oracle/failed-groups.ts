import type { Event, History } from './history.ts';
import type { Choice } from './shapes.ts';

/** All classes of failed requests left open: what is refuted this way is refuted for every way of counting. */
export function anyCounting(groups: readonly string[]): Choice {
  return { failedCounted: new Set(), undecided: new Set(groups), loose: groups.length > 0 };
}

/** The classes of failed requests of some histories, in order. */
export function groupsOf(histories: readonly History[]): readonly string[] {
  const all = new Set<string>();
  for (const { events } of histories) for (const group of groupsIn(events)) all.add(group);
  return [...all].sort();
}

function groupsIn(events: readonly Event[]): ReadonlySet<string> {
  const known = GROUPS.get(events);
  if (known) return known;
  const found = new Set<string>();
  for (const { group } of events) if (group !== '') found.add(group);
  GROUPS.set(events, found);
  return found;
}

const GROUPS = new WeakMap<readonly Event[], ReadonlySet<string>>();
