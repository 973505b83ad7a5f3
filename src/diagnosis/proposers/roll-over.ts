import type { Event, History } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { byMarker, changed, unclear, type World, withEvents } from '../world.ts';

/** Bits to state which two numbers of a window belong together. */
const WHICH_BITS = 2;

/**
 * Windows that get what the window before left unused: they accept more than the limit, by exactly that number. The
 * markers show which requests belong to one window.
 */
export function* proposeRollOver(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const windows = world.histories.map(windowsOf);
  if (!windows.some((own, index) => own.some((each) => each.accepted > (world.histories[index]?.limit ?? 0)))) return;
  if (!windows.every((own, index) => isRolledOver(own, world.histories[index]?.limit ?? 0))) return;
  yield {
    deviations: [{ operator: 'carried-over', parameters: { kinds: [kind], what: 'unused' } }],
    bits: DEVIATION_BITS + WHICH_BITS,
    world: changed(world, (history) =>
      withEvents(history, (event) => (event.outcome !== 'refused' && event.remaining === 0 ? unclear(event) : event)),
    ),
  };
}

/** How many requests had the same marker: accepted, refused, and others, which may have been counted. */
interface Counted {
  accepted: number;
  refused: number;
  others: number;
}

function windowsOf({ events }: History): readonly Counted[] {
  return [...byMarker(events)]
    .sort(([one], [other]) => one - other)
    .map(([, own]) => {
      const count = (is: (event: Event) => boolean): number => own.filter(is).length;
      return {
        accepted: count(({ outcome }) => outcome === 'accepted'),
        refused: count(({ outcome }) => outcome === 'refused'),
        others: count(({ outcome }) => outcome !== 'accepted' && outcome !== 'refused'),
      };
    });
}

/**
 * Whether no window accepted more than the limit and what the one before left, and every window that refused accepted
 * exactly that.
 */
function isRolledOver(windows: readonly Counted[], limit: number): boolean {
  return windows.every(({ accepted, refused, others }, index) => {
    const before = windows[index - 1];
    const most = limit + (before ? Math.max(0, limit - before.accepted) : 0);
    const least = limit + (before ? Math.max(0, limit - before.accepted - before.others - before.refused) : 0) - others;
    return accepted <= most && (refused === 0 || accepted >= least);
  });
}
