import { LIMITS, WINDOW_S } from '../catalogue/limits.ts';
import { mostPolls } from '../random/seeded-schedule.ts';
import {
  BOUNDARY_EVERY_S,
  BOUNDARY_S,
  COLD,
  DENSE_FROM_S,
  DENSE_TO_S,
  IDLE_S,
  INSISTED,
  LATE_S,
  OVERSHOOT,
  ROOM_S,
  SECOND_BURST_AFTER_S,
  SHARED_AFTER_S,
  SPEND_AFTER_S,
  type StepsNamed,
  UNLIKE,
  WITNESSES,
} from './roles.ts';

/** Polls around one expected end. A sliding log has two of them: its marker, and a window after its first request. */
const DENSE = mostPolls('poll-dense', DENSE_FROM_S + DENSE_TO_S);

/** Polls of a window that is watched after it is spent, and of one that is watched from beginning to end. */
const POLLING = mostPolls('poll', WINDOW_S - SPEND_AFTER_S) + DENSE;
const WATCHING = mostPolls('poll', WINDOW_S) + 2 * DENSE;

/**
 * At most this many requests where the first window is a whole one and the target counts each request, and about this
 * many seconds from the track's start. A window costs what is spent and what is beyond that, in however many bursts,
 * since each sends what the answers before it said to be left; and a few requests alone, before a burst, after it, and
 * when the budget is back.
 */
export function cost(
  {
    role,
    kind,
    isSpentAgain,
    asksBeside,
  }: Pick<StepsNamed, 'role' | 'kind' | 'isSpentAgain'> & { readonly asksBeside: boolean },
  variants: number,
): { requests: number; seconds: number } {
  const limit = LIMITS[kind];
  const spend = limit + OVERSHOOT;
  const isAsked = asksBeside && (variants > 0 || role === 'polled' || role === 'silent');
  const aside = variants + WITNESSES + INSISTED + UNLIKE + Number(isAsked);
  switch (role) {
    case 'polled':
      return { requests: 2 * spend + 4 + POLLING + WATCHING + aside, seconds: 2 * WINDOW_S + 4 };
    case 'silent': {
      const seconds = 2 * WINDOW_S + SECOND_BURST_AFTER_S + LATE_S + 0.5;
      return { requests: (isSpentAgain ? 3 : 2) * spend + 5 + DENSE + aside, seconds };
    }
    case 'boundary': {
      const boundary = Math.ceil(BOUNDARY_S / BOUNDARY_EVERY_S);
      return { requests: limit + spend + 2 + boundary + DENSE + aside, seconds: 2 * WINDOW_S + 4 };
    }
    case 'idle':
      return { requests: COLD[kind] + spend + 4 + aside, seconds: IDLE_S + 5 };
    case 'brief':
      return { requests: spend + 4 + aside, seconds: SHARED_AFTER_S + ROOM_S };
  }
}
