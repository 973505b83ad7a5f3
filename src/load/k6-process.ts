import { type ChildProcess, spawn } from 'node:child_process';

/** How one k6 process ended. */
export interface K6Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of its standard error. */
  readonly said: string;
}

export interface K6Process {
  /** Undefined if it could not be started. */
  readonly pid: number | undefined;
  readonly ended: Promise<K6Exit>;
  /**
   * Asks k6 to end in order: it gives up iterations under way, and the records stay. If it does not end, it is killed.
   */
  stop(): void;
}

export interface K6Start {
  readonly k6: string;
  readonly script: string;
  /** Where the records go: printed by the script line by line, unbuffered, so that not even a killed k6 loses one. */
  readonly records: string;
  /** Which of how many instances this is, from 0: k6's own execution segments share the lanes or arrivals out. */
  readonly instance: number;
  readonly instances: number;
  /** Secrets and the path of the specification; nothing secret is ever an argument, which any user could list. */
  readonly env: NodeJS.ProcessEnv;
  /** Where k6 writes its own dashboard and its own summary; null: it writes none. */
  readonly own: { readonly dashboard: string; readonly summary: string } | null;
}

/** k6's exit code after a signal. What it says then is only that it gave up what was under way. */
const INTERRUPTED = 105;

const MOST_SAID = 16_384;
/** ms that k6 has to end in order. */
const GRACE_MS = 3_000;

export function startK6(start: K6Start): K6Process {
  const child = spawn(start.k6, k6Arguments(start), {
    // k6 takes these from the environment only.
    env: {
      ...start.env,
      ...(start.own && {
        K6_WEB_DASHBOARD: 'true',
        K6_WEB_DASHBOARD_PORT: '-1',
        K6_WEB_DASHBOARD_PERIOD: '1s',
        K6_WEB_DASHBOARD_EXPORT: start.own.dashboard,
      }),
    },
    // k6 prints its progress each second. Once this process has ended, even by SIGKILL, nobody holds the other end of
    // that pipe, so the next line ends k6 (SIGPIPE).
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own process group: the suite passes on a Ctrl-C once.
    detached: true,
  });
  child.stdout.resume();
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = exitOf(child).finally(() => process.off('exit', kill));
  return {
    pid: child.pid,
    ended,
    stop() {
      child.kill('SIGINT');
      const timer = setTimeout(kill, GRACE_MS);
      void ended.finally(() => clearTimeout(timer));
    },
  };
}

/** The command line of one instance. It holds neither keys nor anything else secret. */
export function k6Arguments({ script, records, instance, instances, own }: Omit<K6Start, 'env' | 'k6'>): string[] {
  // Not `--quiet`: its progress is what ends it together with the suite.
  const telling = ['--no-usage-report', '--no-color', '--summary-mode', own === null ? 'disabled' : 'compact'];
  const recording = ['--log-format', 'raw', '--console-output', records];
  const { segment, sequence } = segments(instance, instances);
  const share = instances === 1 ? [] : ['--execution-segment', segment, '--execution-segment-sequence', sequence];
  const summary = own === null ? [] : ['--summary-export', own.summary];
  return ['run', ...telling, ...recording, ...summary, ...share, script];
}

/**
 * The execution segment of an instance, and the sequence of all of them, in k6's notation (`1/4:2/4`;
 * `0,1/4,2/4,3/4,1`).
 */
export function segments(instance: number, instances: number): { segment: string; sequence: string } {
  const edge = (i: number): string => (i === 0 ? '0' : i === instances ? '1' : `${i}/${instances}`);
  const sequence = Array.from({ length: instances + 1 }, (_, i) => edge(i)).join(',');
  return { segment: `${edge(instance)}:${edge(instance + 1)}`, sequence };
}

function exitOf(child: ChildProcess): Promise<K6Exit> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    // From the beginning of a line.
    if (said.length > MOST_SAID) said = said.slice(said.indexOf('\n', said.length - MOST_SAID) + 1);
  });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, signal: null, said: error.message }));
    child.on('close', (code, signal) => resolve({ code, signal, said }));
  });
}

/**
 * What k6's exit codes mean that these scripts can end with (measured with 2.2.0; 0 only means that k6 got to the end).
 */
const MEANINGS: Readonly<Record<number, string>> = {
  104: 'k6 refused its configuration',
  107: 'the script did not load, or threw while it was starting',
  108: 'the script ended the run',
  109: 'k6 itself panicked',
};

/** The sentence for an exit; null if k6 finished without an error. */
export function explainExit({ code, signal, said }: K6Exit): string | null {
  const words = said.trim() === '' ? '' : `: ${said.trim().split('\n').slice(0, 6).join(' / ')}`;
  if (code === 0) return said.includes('Uncaught') ? `k6 exited with 0, but the script threw an error${words}` : null;
  if (code === INTERRUPTED) return 'k6 was interrupted';
  if (signal !== null) return `k6 was killed (${signal})`;
  if (code === null) return `k6 could not be started${words}`;
  return `k6 exited with ${code}, ${MEANINGS[code] ?? 'which its documentation explains'}${words}`;
}
