import type { Proved } from '../judge/so-far.ts';
import type { ReportedVerdict } from '../report/report.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Wait } from './wait.ts';

/** What the drive says while it runs. */
export type DriveMessage =
  | { readonly type: 'exchange'; readonly experiment: string; readonly status: number | null }
  /** What a budget is waited with, and until when; `until` null: no longer. */
  | { readonly type: 'waiting'; readonly wait: Wait }
  /** An answer whose status is not what is due, in words. */
  | { readonly type: 'surprise'; readonly text: string }
  /** The failure is in the trace now, and may be shown. */
  | { readonly type: 'shown'; readonly proved: Proved }
  /** The trace is whole; or, where the drive could not do its work, why. */
  | { readonly type: 'ended'; readonly error: string | null };

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

/** What a progress line needs of an exchange. */
export function progressOf({ experiment, status }: Exchange): DriveMessage {
  return { type: 'exchange', experiment, status };
}
