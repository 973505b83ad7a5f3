import type { Track } from '../../plan/tracks.ts';
import type { Carrier } from '../../plan/windows.ts';
import type { Session } from '../session.ts';

/**
 * The planned requests that spend this window, without those that were tried and never succeeded, because a request
 * that fails for another reason spends nothing. If none is left, nothing is dealt.
 */
export function usable(
  session: Pick<Session, 'hasControl' | 'wasTried'>,
  { loads }: Pick<Track, 'loads'>,
  window: number,
): readonly Carrier[] {
  const carriers = loads[window]?.carriers ?? [];
  return carriers.filter(
    ({ operation, way }) =>
      session.hasControl(operation, way) || (operation.prepare.length === 0 && !session.wasTried(operation, way)),
  );
}

/** Distributes a burst over its carriers in turn, each up to its maximum in one burst. */
export function deal(carriers: readonly Carrier[], count: number): readonly Carrier[] {
  const dealt: Carrier[] = [];
  for (let round = 0; dealt.length < count; round += 1) {
    const willing = carriers.filter(({ most }) => round < most);
    if (willing.length === 0) break;
    dealt.push(...willing.slice(0, count - dealt.length));
  }
  return dealt;
}
