import type { Proved } from '../judge/so-far.ts';
import type { ReportedVerdict } from '../report/report.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Wait } from './wait.ts';

/** What the drive says while it runs. */
export type DriveMessage =
  /** Answers since the last such message. */
  | ({ readonly type: 'answers' } & AnswerCounts)
  /** What a budget is waited with, and until when; `until` null: no longer. */
  | { readonly type: 'waiting'; readonly wait: Wait }
  /** An answer whose status is not what is due, in words. */
  | { readonly type: 'surprise'; readonly text: string }
  /** The failure is in the trace now, and may be shown. */
  | { readonly type: 'shown'; readonly proved: Proved }
  /** The trace is whole; or, where the drive could not do its work, why. */
  | { readonly type: 'ended'; readonly error: string | null };

export interface AnswerCounts {
  readonly requests: number;
  readonly accepted: number;
  readonly refused: number;
}

/** What the drive is told. */
export type HostMessage =
  | { readonly type: 'interrupt'; readonly reason: string }
  | { readonly type: 'proved'; readonly proved: Proved }
  /** What came out in the end; where nothing could, why. */
  | { readonly type: 'concluded'; readonly verdicts: readonly ReportedVerdict[] | { readonly error: string } };

/** One end of the channel. */
export interface RunChannel<Sent> {
  send(message: Sent): void;
  close(): void;
}

/**
 * The drive runs in a worker of the test runner; the terminal, and the judge's thread, belong to the main thread. A broadcast channel named
 * after the trace file joins the two, since the runner itself offers no way to reach a test that is under way.
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

/** Real ms between two messages of answers: each wakes the other thread. */
const TELL_EVERY = 200;

/** Counts answers, and tells of them now and then. */
export function answerCounter(send: (message: DriveMessage) => void): {
  add(exchange: Exchange): void;
  /** Tells of those that were not told yet. */
  flush(): void;
} {
  let counts = { requests: 0, accepted: 0, refused: 0 };
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (counts.requests > 0) send({ type: 'answers', ...counts });
    counts = { requests: 0, accepted: 0, refused: 0 };
  };
  return {
    add({ status }) {
      counts.requests += 1;
      if (status === 429) counts.refused += 1;
      else if (status !== null && status < 300) counts.accepted += 1;
      timer ??= setTimeout(flush, TELL_EVERY);
    },
    flush,
  };
}
