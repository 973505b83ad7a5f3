import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { codeOf } from '../caught.ts';
import type { Clock } from '../clock/clock.ts';
import { CHAIN_START, chainOn } from './chain.ts';
import { encodeExchange, encodeLine } from './codec.ts';
import type { Exchange } from './exchange.ts';
import { TraceError } from './problem.ts';
import type { Intent, NoteLine, TraceFooter, TraceHeader, TraceLine } from './trace.ts';

/** Writes the trace of a run while it happens. */
export interface Recorder {
  /** On disk when this returns, so call it before the requests leave. */
  intend(intents: readonly Intent[]): void;
  /** On disk within a few ms: a write must not come between the answers of a burst. */
  record(exchange: Exchange): void;
  /** @param time µs of the run's clock to which it refers; default: now */
  note(code: NoteLine['code'], experiment: string | null, text: string, time?: number): void;
  /** Writes the waiting lines. */
  flush(): void;
  /** Writes the footer. It records nothing afterwards; a second call does nothing. */
  close(outcome: TraceFooter['outcome']): void;
}

/** How long an exchange may wait in memory, in real ms. */
const FLUSH_AFTER = 4;
/** The number of lines that are written at once. */
const FLUSH_AT = 1000;

/**
 * Creates a trace file, which must not exist, and writes the header. If the process ends by anything but a SIGKILL, all
 * recorded lines are written. A SIGKILL loses the last few ms, but the intents on disk show the requests.
 *
 * Every function throws a TraceError once the file cannot be written (a full disk, say). The file stays readable up to
 * its last complete line.
 */
export function createTrace(file: string, header: TraceHeader, clock: Clock): Recorder {
  const descriptor = create(file);
  const waiting: (Exclude<TraceLine, { readonly type: 'exchange' }> | Exchange)[] = [];
  let timer: NodeJS.Timeout | null = null;
  let chain = CHAIN_START;
  let exchanges = 0;
  let intents = 0;
  let failure: TraceError | null = null;
  let closed = false;

  function flush(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (failure) throw failure;
    if (waiting.length === 0) return;
    let text = '';
    for (const line of waiting) {
      const encoded = 'type' in line ? encodeLine(line) : encodeExchange(line);
      chain = chainOn(chain, encoded);
      text += `${encoded}\n`;
    }
    waiting.length = 0;
    try {
      writeAll(descriptor, Buffer.from(text));
    } catch (error) {
      failure = unwritable(file, error);
      throw failure;
    }
  }

  function flushLater(): void {
    timer = null;
    try {
      flush();
    } catch {
      // Kept in `failure`: the next call that can be answered throws it.
    }
  }

  function add(line: (typeof waiting)[number]): void {
    if (failure) throw failure;
    if (closed) throw new TraceError({ line: 0, code: 'unwritable', message: 'the trace has been closed' }, file);
    waiting.push(line);
  }

  const flushAtExit = (): void => flushLater();
  process.on('exit', flushAtExit);
  add(header);
  flush();

  return {
    intend(list) {
      add({ type: 'intent', exchanges: list });
      intents += list.length;
      flush();
    },
    record(exchange) {
      add(exchange);
      exchanges += 1;
      if (waiting.length >= FLUSH_AT) flush();
      else timer ??= setTimeout(flushLater, FLUSH_AFTER);
    },
    note(code, experiment, text, time = clock.now()) {
      add({ type: 'note', time, code, experiment, text });
      flush();
    },
    flush,
    close(outcome) {
      if (closed) return;
      closed = true;
      process.off('exit', flushAtExit);
      try {
        flush();
        // Everything else is written now, so the chain covers all preceding lines.
        const footer: TraceFooter = { type: 'footer', exchanges, intents, outcome, ended: clock.now(), chain };
        waiting.push(footer);
        flush();
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    },
  };
}

function create(file: string): number {
  try {
    return openSync(file, 'wx', 0o644);
  } catch (error) {
    throw unwritable(file, error);
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

const REMEDIES: Readonly<Record<string, string>> = {
  EEXIST: 'a trace already exists, and the suite never overwrites one: choose another folder with --out',
  ENOENT: 'its folder does not exist: create it, or choose another with --out',
  EACCES: 'writing there is not allowed: choose another folder with --out',
  EPERM: 'writing there is not allowed: choose another folder with --out',
  EROFS: 'the file system is read-only: choose another folder with --out',
  ENOSPC: 'the disk is full: make room, or choose another folder with --out; the recording so far is kept',
  EDQUOT: 'the disk quota is spent: make room, or choose another folder with --out; the recording so far is kept',
};

function unwritable(file: string, error: unknown): TraceError {
  const code = codeOf(error) ?? 'unknown';
  const remedy = Object.hasOwn(REMEDIES, code) ? REMEDIES[code] : undefined;
  const message = `the trace cannot be written: ${remedy ?? `the system says ${code}`}`;
  return new TraceError({ line: 0, code: 'unwritable', message }, file);
}
