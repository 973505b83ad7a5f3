import { createHash, type Hash } from 'node:crypto';
import { NoPlainFile, piecesOf } from '../plain-file.ts';
import { CHAIN_START, chainOn } from './chain.ts';
import { createDecoder, type LineProblem } from './codec.ts';
import type { Exchange } from './exchange.ts';
import { createLedger } from './ledger.ts';
import { TraceError, type TraceProblem } from './problem.ts';
import type { Intent, NoteLine, Trace, TraceFooter, TraceHeader, TraceLine } from './trace.ts';

/** No line that a recorder writes comes near this many bytes. */
const MAX_LINE_BYTES = 1_000_000;

/** No trace is larger: ten million requests of a load run take less. */
const MAX_TRACE_BYTES = 8 * 2 ** 30;

/** Which files are read as a trace. */
export interface TraceBounds {
  readonly bytes: number;
  /** Whether to follow a symbolic link in the last part of the path: not if the folder may come from anybody. */
  readonly links: 'followed' | 'refused';
}

const USUAL: TraceBounds = { bytes: MAX_TRACE_BYTES, links: 'followed' };

/** A trace, and the digest of its file when it was read. */
export interface SealedTrace {
  readonly trace: Trace;
  /** SHA-256 in hex of exactly the bytes that were read. */
  readonly digest: string;
}

/**
 * Reads a complete trace into memory. A trace that was cut short is read up to its last complete line, and has no
 * footer.
 *
 * @throws TraceError if the file cannot be read, is not a trace, or was damaged or altered
 */
export async function readTrace(file: string): Promise<Trace> {
  return (await readSealedTrace(file)).trace;
}

/** Like `readTrace`, with the digest of the bytes. */
export async function readSealedTrace(file: string): Promise<SealedTrace> {
  const { trace, digest, problems } = await inspectTrace(file);
  const [problem] = problems;
  if (problem) throw new TraceError(problem, file);
  return { trace, digest };
}

/**
 * Reads as much of a trace as possible, and says what is wrong with it. The digest covers all its bytes, even if some
 * are wrong.
 *
 * @throws TraceError if there is not even a header
 */
export async function inspectTrace(
  file: string,
  bounds: TraceBounds = USUAL,
): Promise<SealedTrace & { readonly problems: readonly TraceProblem[] }> {
  const hash = createHash('sha256');
  const problems: TraceProblem[] = [];
  const exchanges: Exchange[] = [];
  const notes: NoteLine[] = [];
  let header: TraceHeader | null = null;
  let ledger = createLedger('');
  let footer: TraceFooter | null = null;
  for await (const batch of batches(file, bounds, hash, (problem) => problems.push(problem))) {
    for (const { number, line } of batch) {
      let problem: LineProblem | null = null;
      if (line.type === 'header') {
        header = line;
        ledger = createLedger(line.command);
      } else if (line.type === 'footer') footer = line;
      else if (line.type === 'note') notes.push(line);
      else if (line.type === 'intent') problem = ledger.announce(line.exchanges);
      else {
        problem = ledger.answer(line);
        exchanges.push(line);
      }
      if (problem) problems.push({ line: number, ...problem });
    }
  }
  if (!header) throw new TraceError(problems[0] ?? { line: 0, code: 'empty', message: EMPTY }, file);
  const problem = ledger.end(footer);
  if (problem) problems.push({ line: 0, ...problem });
  exchanges.sort(bySending);
  const unanswered = [...ledger.unanswered()].sort(bySending);
  return { trace: { header, exchanges, unanswered, notes, footer }, digest: hash.digest('hex'), problems };
}

/**
 * Reads a trace line by line in bounded memory, in the order of the file.
 *
 * @throws TraceError like `readTrace`, except for missing or repeated requests: to find these takes memory
 */
export async function* streamTrace(file: string): AsyncGenerator<TraceLine, void, undefined> {
  let found: TraceProblem | null = null;
  const report = (problem: TraceProblem): void => {
    found ??= problem;
  };
  for await (const batch of batches(file, USUAL, null, report)) {
    for (const { line } of batch) yield line;
    if (found) break;
  }
  if (found) throw new TraceError(found, file);
}

const EMPTY = 'the file is empty, or its first line is cut off: it holds no trace';

function bySending(a: Intent, b: Intent): number {
  return a.sent - b.sent || a.seq - b.seq;
}

interface NumberedLine {
  readonly number: number;
  readonly line: TraceLine;
}

/**
 * The complete lines of a file as they are read. It ends at a problem after which nothing is surely a line; the rest of
 * a trace that had a header still goes into the digest.
 */
async function* batches(
  file: string,
  { bytes: limit, links }: TraceBounds,
  hash: Hash | null,
  report: (problem: TraceProblem) => void,
): AsyncGenerator<readonly NumberedLine[], void, undefined> {
  const checker = createChecker(report);
  let rest: Buffer = Buffer.alloc(0);
  let going = true;
  try {
    for (const piece of piecesOf(file, limit, links)) {
      hash?.update(piece);
      if (!going && checker.lines() > 1) continue;
      if (!going) return;
      // The next piece overwrites this one, so the rest is copied.
      const bytes = Buffer.concat([rest, piece]);
      const batch: NumberedLine[] = [];
      let start = 0;
      for (let end = bytes.indexOf(10); going && end >= 0; end = bytes.indexOf(10, start)) {
        going = checker.take(bytes.subarray(start, end), batch);
        start = end + 1;
      }
      rest = bytes.subarray(start);
      yield batch;
      if (going && rest.length > MAX_LINE_BYTES) going = checker.oversize();
    }
  } catch (error) {
    if (!(error instanceof NoPlainFile)) throw error;
    throw new TraceError({ line: 0, code: 'unreadable', message: error.message }, file);
  }
}

/** Checks lines one after another: each by itself, their order, and the footer against all of them. */
function createChecker(report: (problem: TraceProblem) => void) {
  const decoder = createDecoder();
  let number = 0;
  let chain = CHAIN_START;
  let exchanges = 0;
  let intents = 0;
  let ended = false;

  function stop(problem: LineProblem): false {
    report({ line: number, ...problem });
    return false;
  }

  function checkFooter(footer: TraceFooter): void {
    ended = true;
    if (footer.exchanges !== exchanges || footer.intents !== intents) {
      stop({
        code: 'counts',
        message: `the footer counts ${footer.exchanges} exchanges and ${footer.intents} intents, but there are ${exchanges} and ${intents}: the trace was altered`,
      });
    }
    if (footer.chain !== chain) {
      stop({ code: 'chain', message: 'the hash chain does not match the preceding lines: the trace was altered' });
    }
  }

  const NO_TRACE: LineProblem = {
    code: 'not-json',
    message: 'this is not a trace, or its beginning is damaged. Give the folder of a run, or its trace.ndjson',
  };
  const OVERSIZE: LineProblem = { code: 'oversize', message: 'the line exceeds 1 MB: this is not a trace' };

  return {
    /** Adds a line to the batch; returns false if reading must end. */
    take(bytes: Buffer, batch: NumberedLine[]): boolean {
      number += 1;
      if (bytes.length > MAX_LINE_BYTES) return stop(OVERSIZE);
      if (ended)
        return stop({ code: 'after-footer', message: 'there are lines after the footer: the trace was altered' });
      const text = bytes.toString('utf8');
      const decoded = decoder.decode(text);
      if ('problem' in decoded)
        return stop(number === 1 && decoded.problem.code === 'not-json' ? NO_TRACE : decoded.problem);
      const { line } = decoded;
      if ((line.type === 'header') !== (number === 1)) {
        return stop({ code: 'order', message: 'a trace has one header, as its first line' });
      }
      if (line.type === 'footer') checkFooter(line);
      if (line.type === 'exchange') exchanges += 1;
      if (line.type === 'intent') intents += line.exchanges.length;
      chain = chainOn(chain, text);
      batch.push({ number, line });
      return true;
    },
    oversize(): false {
      number += 1;
      return stop(OVERSIZE);
    },
    /** How many lines were read, including the one that ended it. */
    lines: () => number,
  };
}
