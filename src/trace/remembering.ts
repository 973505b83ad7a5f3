/** Bounds what is remembered of a run in which every answer has a value of its own. */
const MOST_REMEMBERED = 10_000;

/** The same reading of a header, done once for each value in turn: a million answers carry a few thousand of them. */
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
