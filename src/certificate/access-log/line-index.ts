import { below } from '../../oracle/ascending.ts';
import type { LogEntry } from './entry.ts';

/** What a line must have, and between which times (ms since the Unix epoch). */
export interface Wanted {
  readonly seq: number;
  readonly method: string;
  /** The end of the path in the log, which may have more before it; null: any. */
  readonly path: string | null;
  /** Null: any. */
  readonly status: number | null;
  readonly time: readonly [number, number];
}

/** Gives the lines that fit a request, the earliest first. */
export type LinesFor = (wanted: Wanted) => Generator<LogEntry>;

/** Sorts lines by what requests ask for, so that a search reads only those that are near in time. */
export function indexLines(entries: readonly LogEntry[], asked: readonly Wanted[]): LinesFor {
  const ends = new Set(asked.map(({ path }) => path));
  const lines = new Map<string, LogEntry[]>();
  for (const entry of entries.toSorted((one, other) => one.time - other.time)) {
    for (const end of [null, ...endsOf(entry.path)]) {
      if (end !== null && !ends.has(end)) continue;
      for (const status of [entry.status, null]) {
        const name = nameOf(entry.method, status, end);
        const known = lines.get(name);
        if (known) known.push(entry);
        else lines.set(name, [entry]);
      }
    }
  }
  const times = new Map([...lines].map(([name, known]) => [name, Float64Array.from(known, ({ time }) => time)]));
  return function* ({ method, path, status, time: [from, to] }) {
    // An end that begins within a segment is rare, and has no lines of its own.
    const name = nameOf(method, status, path?.startsWith('/') ? path : null);
    const known = lines.get(name) ?? [];
    for (let at = below(times.get(name) ?? NONE, from); at < known.length; at += 1) {
      const entry = known[at];
      if (!entry || entry.time > to) return;
      if (path === null || entry.path.endsWith(path)) yield entry;
    }
  };
}

const NONE = new Float64Array();

function nameOf(method: string, status: number | null, end: string | null): string {
  return JSON.stringify([method, status, end]);
}

/** Each end of a path that begins with a slash. */
function endsOf(path: string): readonly string[] {
  const ends: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) ends.push(path.slice(at));
  return ends;
}
