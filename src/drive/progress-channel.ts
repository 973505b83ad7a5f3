import type { Exchange } from '../trace/exchange.ts';

/** What the drive says while it runs: enough for a progress line, nothing to judge by. */
export interface ProgressMessage {
  readonly type: 'exchange';
  readonly experiment: string;
  readonly status: number | null;
}

interface InterruptMessage {
  readonly type: 'interrupt';
}

/**
 * The drive runs in a worker of the test runner, and the terminal belongs to the main thread: a broadcast channel named after the trace
 * file joins the two, since the runner itself offers no way to reach a test that is under way.
 */
export interface ProgressChannel {
  /** Aborted when the main thread asks for the end of the run. */
  readonly interrupted: AbortSignal;
  readonly report: (exchange: Exchange) => void;
  close(): void;
}

/** The drive's end of the channel. */
export function openProgressChannel(run: string): ProgressChannel {
  const channel = new BroadcastChannel(`run ${run}`);
  const controller = new AbortController();
  channel.onmessage = ({ data }: { data: InterruptMessage }) => {
    if (data.type === 'interrupt') controller.abort(new Error('interrupted'));
  };
  return {
    interrupted: controller.signal,
    report: ({ experiment, status }) => {
      channel.postMessage({ type: 'exchange', experiment, status } satisfies ProgressMessage);
    },
    close: () => channel.close(),
  };
}

/** The main thread's end: hears of progress, and can end the run in order. */
export interface RunWatch {
  interrupt(): void;
  close(): void;
}

/** Real ms between two requests to end the run: one that comes before the drive listens is not heard. */
const INTERRUPT_EVERY = 50;

export function watchRun(run: string, onMessage: (message: ProgressMessage) => void): RunWatch {
  const channel = new BroadcastChannel(`run ${run}`);
  channel.onmessage = ({ data }: { data: ProgressMessage }) => onMessage(data);
  const ask = (): void => channel.postMessage({ type: 'interrupt' } satisfies InterruptMessage);
  let timer: NodeJS.Timeout | null = null;
  return {
    interrupt() {
      ask();
      timer ??= setInterval(ask, INTERRUPT_EVERY);
    },
    close() {
      if (timer) clearInterval(timer);
      channel.close();
    },
  };
}
