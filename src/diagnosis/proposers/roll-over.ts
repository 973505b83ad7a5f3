import type { Event, History } from '../../oracle/history.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { byMarker, leftOpen, type World } from '../world.ts';

/** Bits to state which two numbers of a window belong together. */
const WHICH_BITS = 2;

/**
 * Windows that get what the window before left unused: they accept more than the limit, by exactly that number. The
 * markers show which requests belong to one window.
 */
export function* proposeRollOver(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const windows = world.histories.map(windowsOf);
  const limits = world.histories.map(({ limit }) => limit);
  const over = windows.flatMap((own, index) => own.map(({ accepted }) => accepted - (limits[index] ?? 0)));
  const beyond = Math.max(...over);
  if (beyond <= 0) return;
  const isCarried = (most: number): boolean =>
    windows.every((own, index) => isRolledOver(own, limits[index] ?? 0, most));
  const isAll = isCarried(Number.POSITIVE_INFINITY);
  if (!isAll && !isCarried(beyond)) return;
  yield {
    deviations: [
      { operator: 'carried-over', parameters: { kinds: [kind], what: 'unused', ...(isAll ? {} : { most: beyond }) } },
    ],
    bits: DEVIATION_BITS + WHICH_BITS + (isAll ? 0 : bitsOfNumber(beyond)),
    world: leftOpen(world, isBeyond),
  };
}

/**
 * Whether a request may be one of those that are carried over: no more than the limit is left, and no fewer than none.
 */
function isBeyond({ outcome, remaining }: Event, { shown }: History): boolean {
  return outcome !== 'refused' && (remaining === 0 || remaining === shown);
}

/** How many requests had the same marker: accepted, refused, and others, which may have been counted. */
interface Counted {
  accepted: number;
  refused: number;
  others: number;
  /** Whether some answer shows that requests are counted at all. */
  readonly isSeen: boolean;
}

function windowsOf({ events, shown }: History): readonly Counted[] {
  return [...byMarker(events)]
    .sort(([one], [other]) => one - other)
    .map(([, own]) => {
      const count = (is: (event: Event) => boolean): number => own.filter(is).length;
      return {
        accepted: count(({ outcome }) => outcome === 'accepted'),
        refused: count(({ outcome }) => outcome === 'refused'),
        others: count(({ outcome }) => outcome !== 'accepted' && outcome !== 'refused'),
        isSeen: own.some(({ remaining }) => remaining === null || remaining < shown),
      };
    });
}

/**
 * Whether no window accepted more than the limit and what the one before left, and every window that refused accepted
 * exactly that.
 *
 * @param upTo the most that is carried over
 */
function isRolledOver(windows: readonly Counted[], limit: number, upTo: number): boolean {
  return windows.every(({ accepted, refused, others, isSeen }, index) => {
    if (accepted > limit && !isSeen) return false;
    const before = windows[index - 1];
    const carried = (unused: number): number => Math.min(upTo, Math.max(0, unused));
    const most = limit + (before ? carried(limit - before.accepted) : 0);
    const least = limit + (before ? carried(limit - before.accepted - before.others - before.refused) : 0) - others;
    return accepted <= most && (refused === 0 || accepted >= least);
  });
}
