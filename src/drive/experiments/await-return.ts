import { WINDOW_S } from '../../catalogue/limits.ts';
import { DENSE_FROM_S, DENSE_TO_S, GIVE_UP_AFTER_S, LATE_S, WATCHED_S } from '../../plan/roles.ts';
import type { PollStep } from '../../random/seeded-schedule.ts';
import { isAccepted } from '../budget-state.ts';
import type { TrackContext } from './track.ts';

const SECOND = 1e6;

/**
 * How a spent budget is waited for: in silence; with a request now and then, until one is accepted; or with requests up
 * to the expected end whether they are accepted or not, since a sliding counter gives slots back one by one, and shows
 * its window only over the whole of it; or in silence until well past the end, so that a limiter that forgets only when
 * asked has to show it.
 */
export type Watch = 'silent' | 'polling' | 'watching' | 'late';

/**
 * Waits for a spent budget to come back, and looks densely where it should: at the marker, and a window after its first
 * request (a sliding log's marker may say something else). The return then lies between a refusal and an acceptance
 * that are close together. Returns whether it came back in time.
 */
export async function awaitReturn(context: TrackContext, watch: Watch): Promise<boolean> {
  const now = context.now();
  const ends = [context.end(), context.opened() + WINDOW_S * SECOND];
  // A marker may show the next free slot, so the drive watches a whole window from now.
  if (watch === 'watching') ends.push(now + WINDOW_S * SECOND);
  const due = ends.filter((time) => time > now).sort((a, b) => a - b);
  const last = due.at(-1) ?? now;
  if (watch === 'late') {
    await context.until(last + LATE_S * SECOND);
    if (isAccepted(await context.one('look'))) return true;
    return pollUntil(context, last + (LATE_S + GIVE_UP_AFTER_S) * SECOND, 'poll-late');
  }
  const latest = watch === 'watching' ? context.started() + WATCHED_S * SECOND : Number.POSITIVE_INFINITY;
  for (const [at, time] of due.entries()) {
    const dense = time - DENSE_FROM_S * SECOND;
    if (dense > latest) {
      while (await pollUntil(context, latest, 'poll'));
      return true;
    }
    if (watch === 'polling' && (await pollUntil(context, dense, 'poll'))) return true;
    while (watch === 'watching' && (await pollUntil(context, dense, 'poll')));
    await context.until(dense);
    const back = await pollUntil(context, time + DENSE_TO_S * SECOND, 'poll-dense');
    const slotOnly = watch === 'watching' && time !== last && context.left() < context.limit / 2;
    if (back && !slotOnly) return true;
    // The next marker may be that of a window in which it comes back late.
    const next = (due[at + 1] ?? time) - DENSE_FROM_S * SECOND;
    const late = Math.min(time + GIVE_UP_AFTER_S * SECOND, next);
    if (watch === 'silent' && (await pollUntil(context, late, 'poll-late'))) return true;
  }
  if (await pollUntil(context, last + GIVE_UP_AFTER_S * SECOND, 'poll-late')) return true;
  await seeReturn(context, last);
  return false;
}

/**
 * Shows when a budget comes back that is not back when it should be: with requests now and then, until two windows
 * after the track began, and densely at a later end that refusals state. Somebody else who keeps it spent would have to
 * send again and again, so the longer it stays away, the less it can be that.
 */
async function seeReturn(context: TrackContext, last: number): Promise<void> {
  const until = context.started() + 2 * WINDOW_S * SECOND;
  const end = context.end();
  if (end > last && end <= until) {
    if (await pollUntil(context, end - DENSE_FROM_S * SECOND, 'poll')) return;
    await context.until(end - DENSE_FROM_S * SECOND);
    if (await pollUntil(context, end + DENSE_TO_S * SECOND, 'poll-dense')) return;
  }
  await pollUntil(context, until, 'poll');
}

/** Sends a request from time to time, as the step says, until one is accepted (true) or `time` has come (false). */
async function pollUntil(context: TrackContext, time: number, step: PollStep): Promise<boolean> {
  for (;;) {
    const next = context.now() + context.pause(step) * SECOND;
    if (next > time) return false;
    await context.until(next);
    if (isAccepted(await context.one(step))) return true;
  }
}
