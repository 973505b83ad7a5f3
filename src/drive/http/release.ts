import type { Clock } from '../../clock/clock.ts';
import { type Cause, CauseError, causeOf } from './failure.ts';
import type { Reply } from './reply.ts';

/**
 * Connections are opened this many real ms before the release: enough for slow handshakes, and short enough that no
 * server closes a silent connection.
 */
export const LEAD = 1500;

/** Waits until the connections for a burst at `at` should be opened. */
export async function leadUp(clock: Clock, at: number, signal?: AbortSignal): Promise<void> {
  await clock.sleepUntil(at - LEAD * 1000 * clock.scale, signal);
}

/** Aborts these replies when the signal says so. Call `forget` once all have ended. */
export function abortOn(signal: AbortSignal | undefined, replies: readonly Reply[]) {
  const now = (): void => {
    for (const reply of replies) reply.abort(causeOf(abortedError()));
  };
  signal?.addEventListener('abort', now, { once: true });
  return { now, forget: () => signal?.removeEventListener('abort', now) };
}

/** Why requests were not sent: the end of the run, or else this error. */
export function causeOfEnd(error: unknown, signal: AbortSignal | undefined): Cause {
  return causeOf(signal?.aborted ? abortedError() : error);
}

export function abortedError(): CauseError {
  return new CauseError('aborted', 'the run was ended');
}
