/** Bounds the memory for a run in which every answer has a different value. */
const MOST_REMEMBERED = 10_000;

/** Remembers the parsed form of each header value: a million answers have only a few thousand different values. */
export function remembering<Value>(read: (lines: readonly string[]) => Value): (lines: readonly string[]) => Value {
  const known = new Map<string, Value>();
  return (lines) => {
    const [line] = lines;
    if (line === undefined || lines.length > 1) return read(lines);
    const before = known.get(line);
    if (before !== undefined) return before;
    if (known.size === MOST_REMEMBERED) known.clear();
    const value = read(lines);
    known.set(line, value);
    return value;
  };
}
