import { closeSync, openSync, readSync } from 'node:fs';
import { createDecoder } from './codec.ts';
import type { Exchange } from './exchange.ts';
import type { Intent, NoteLine, Trace, TraceHeader } from './trace.ts';

const CHUNK_BYTES = 256 * 1024;

/** The part so far of a trace that is still being written. */
export interface FollowedTrace {
  /** Reads the new lines, and returns their exchanges and intents. */
  read(): { readonly exchanges: readonly Exchange[]; readonly intents: readonly (readonly Intent[])[] };
  /** The trace read so far; null until there is a header. */
  soFar(): Trace | null;
  /**
   * The latest moment (µs of the run's clock) up to which everything is known: before the first request that is still
   * under way, and not after the last answer. Later lines belong to later moments, so the complete trace shows the same
   * at this moment.
   */
  known(): number;
  close(): void;
}

/**
 * Follows a trace file while another thread writes it. It does not check the hash chain: everything reported during a
 * run is judged again from the complete trace.
 */
export function followTrace(file: string): FollowedTrace {
  const decoder = createDecoder();
  const exchanges: Exchange[] = [];
  const underWay = new Map<number, Intent>();
  const notes: NoteLine[] = [];
  let header: TraceHeader | null = null;
  let descriptor: number | null = null;
  let rest: Buffer = Buffer.alloc(0);
  let latest = 0;

  function newLines(): string[] {
    try {
      descriptor ??= openSync(file, 'r');
    } catch {
      // Not yet there.
      return [];
    }
    const lines: string[] = [];
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (;;) {
      const length = readSync(descriptor, chunk, 0, CHUNK_BYTES, null);
      if (length === 0) return lines;
      const bytes = Buffer.concat([rest, chunk.subarray(0, length)]);
      const end = bytes.lastIndexOf(10);
      rest = bytes.subarray(end + 1);
      if (end > 0) lines.push(...bytes.toString('utf8', 0, end).split('\n'));
    }
  }

  return {
    read() {
      const added: Exchange[] = [];
      const intents: (readonly Intent[])[] = [];
      for (const text of newLines()) {
        const decoded = decoder.decode(text);
        if ('problem' in decoded) continue;
        const { line } = decoded;
        if (line.type === 'header') header = line;
        else if (line.type === 'note') notes.push(line);
        else if (line.type === 'intent') {
          intents.push(line.exchanges);
          for (const intent of line.exchanges) underWay.set(intent.seq, intent);
        } else if (line.type === 'exchange') {
          underWay.delete(line.seq);
          latest = Math.max(latest, line.answered ?? line.sent);
          added.push(line);
        }
      }
      exchanges.push(...added);
      return { exchanges: added, intents };
    },
    soFar: () => header && { header, exchanges, unanswered: [...underWay.values()], notes, footer: null },
    known: () => Math.min(latest, ...[...underWay.values()].map(({ sent }) => sent - 1)),
    close() {
      if (descriptor !== null) closeSync(descriptor);
    },
  };
}
