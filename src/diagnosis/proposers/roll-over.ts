import type { Event, History } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { byMarker, changed, unclear, type World, withEvents } from '../world.ts';

/** Bits to say which two of a window's numbers belong together. */
const WHICH_BITS = 2;

/**
 * Windows that are given what the one before has left unused: more than the limit pass, and just so many more. The markers tell which
 * requests are of one window.
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

/** How many requests had the same marker: accepted ones, refused ones, and others, which may have been counted. */
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

/** Whether no window took in more than the limit and what the one before it had left, nor fewer where it refused any. */
function isRolledOver(windows: readonly Counted[], limit: number): boolean {
  return windows.every(({ accepted, refused, others }, index) => {
    const before = windows[index - 1];
    const most = limit + (before ? Math.max(0, limit - before.accepted) : 0);
    const least = limit + (before ? Math.max(0, limit - before.accepted - before.others - before.refused) : 0) - others;
    return accepted <= most && (refused === 0 || accepted >= least);
  });
}
