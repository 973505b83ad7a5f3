import type { Proved } from '../judge/so-far.ts';
import type { ReportedVerdict } from '../report/report.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Wait } from './wait.ts';

/** Messages of the drive during a run. */
export type DriveMessage =
  /** The test runner is up, and the first request goes out. */
  | { readonly type: 'begun' }
  /** Counts of answers since the last such message. */
  | ({ readonly type: 'answers' } & AnswerCounts)
  /** What a budget is waiting for, and until when; `until` null: it waits no longer. */
  | { readonly type: 'waiting'; readonly wait: Wait }
  /** An answer with another status than is due, in words. */
  | { readonly type: 'surprise'; readonly text: string }
  /** The failure is recorded in the trace now, so it may be shown. */
  | { readonly type: 'shown'; readonly proved: Proved }
  /** The trace is complete. If the drive failed, `error` says why. */
  | { readonly type: 'ended'; readonly error: string | null };

export interface AnswerCounts {
  readonly requests: number;
  readonly accepted: number;
  readonly refused: number;
  /** With a fault on purpose, and so answered 400, 401, 403 or another 4xx than 429. */
  readonly rejected: number;
}

/** Messages to the drive. */
export type HostMessage =
  | { readonly type: 'interrupt'; readonly reason: string }
  | { readonly type: 'proved'; readonly proved: Proved }
  /** The final verdicts, or the reason why there are none. */
  | { readonly type: 'concluded'; readonly verdicts: readonly ReportedVerdict[] | { readonly error: string } };

/** One end of the channel. */
export interface RunChannel<Sent> {
  send(message: Sent): void;
  close(): void;
}

/**
 * The drive runs in a worker of the test runner; the terminal and the judge's thread belong to the main thread. A
 * broadcast channel named after the trace file connects them, since the runner offers no way to reach a running test.
 */
function open<Sent, Received>(run: string, onMessage: (message: Received) => void): RunChannel<Sent> {
  const channel = new BroadcastChannel(`run ${run}`);
  channel.onmessage = ({ data }: { data: Received }) => onMessage(data);
  return { send: (message) => channel.postMessage(message), close: () => channel.close() };
}

/** The drive's end of the channel. */
export function openDriveChannel(run: string, onMessage: (message: HostMessage) => void): RunChannel<DriveMessage> {
  return open(run, onMessage);
}

/** The main thread's end. */
export function openHostChannel(run: string, onMessage: (message: DriveMessage) => void): RunChannel<HostMessage> {
  return open(run, onMessage);
}

/** Real ms between two messages about answers, because each wakes the other thread. */
const TELL_EVERY = 200;

/** Counts answers, and reports them at intervals. */
export function answerCounter(send: (message: DriveMessage) => void): {
  add(exchange: Exchange): void;
  /** Reports the remaining ones. */
  flush(): void;
} {
  let counts = { requests: 0, accepted: 0, refused: 0, rejected: 0 };
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (counts.requests > 0) send({ type: 'answers', ...counts });
    counts = { requests: 0, accepted: 0, refused: 0, rejected: 0 };
  };
  return {
    add({ status, fault }) {
      counts.requests += 1;
      if (status === 429) counts.refused += 1;
      else if (status !== null && status < 300) counts.accepted += 1;
      else if (status !== null && status >= 400 && status < 500 && fault !== 'none') counts.rejected += 1;
      timer ??= setTimeout(flush, TELL_EVERY);
    },
    flush,
  };
}
