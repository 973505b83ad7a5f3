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
  return function* ({ method, path, status, time: [from, to] }) {
    // An end that begins within a segment is rare, and has no lines of its own.
    const end = path?.startsWith('/') ? path : null;
    const known = lines.get(nameOf(method, status, end)) ?? [];
    for (let at = firstFrom(known, from); at < known.length; at += 1) {
      const entry = known[at];
      if (!entry || entry.time > to) return;
      if (path === null || entry.path.endsWith(path)) yield entry;
    }
  };
}

function nameOf(method: string, status: number | null, end: string | null): string {
  return JSON.stringify([method, status, end]);
}

/** Each end of a path that begins with a slash. */
function endsOf(path: string): readonly string[] {
  const ends: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) ends.push(path.slice(at));
  return ends;
}

/** The index of the first line that is not before a time. */
function firstFrom(lines: readonly LogEntry[], time: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.time ?? time) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
