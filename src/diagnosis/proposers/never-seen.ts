import type { Deviation } from '../../deployment/operators.ts';
import type { Kind } from '../../trace/exchange.ts';
import { byWindow, type World } from '../world.ts';

/** More nodes than these are not told apart from requests that overwrite each other's count. */
const MOST_NODES = 4;

/**
 * What requests are called that others did not see for seconds, nor ever as far as the run shows: nothing tells that
 * they were counted late. If as many nodes as a proposer tries count apart, no more answers of a window than there are
 * nodes leave the same number, because each node leaves it once. Requests that overwrite each other's count may all
 * leave the same.
 */
export function neverSeen({ histories, window }: World, kind: Kind): Deviation {
  const most = histories.reduce((found, { events, unit }) => {
    const told = events.filter(({ outcome, remaining }) => outcome === 'accepted' && (remaining ?? 0) > 0);
    const windows = byWindow(told, window, unit) ?? [told];
    const alike = windows.flatMap((own) => [...Map.groupBy(own, ({ remaining }) => remaining).values()]);
    return alike.reduce((more, { length }) => Math.max(more, length), found);
  }, 0);
  return most > 1 && most <= MOST_NODES
    ? { operator: 'nodes-apart', parameters: { kinds: [kind], nodes: most, sync: null, routing: 'at random' } }
    : { operator: 'lost-updates', parameters: { kinds: [kind], gap: 0, when: 'always' } };
}
