/** A stream on which a line can be redrawn, if it is a terminal. */
export type Screen = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>;

/** Without a known width, the one that terminals have always had. */
const USUAL_COLUMNS = 80;

const CLEAR = '\r\x1b[2K';

/** The last line of a terminal, redrawn in place. */
export interface StatusLine {
  /** Columns of the line; null if the stream is no terminal, and so shows no such line. */
  readonly columns: () => number | null;
  /**
   * Shows this text instead of the last one, cut to the width: a longer one would stay on the screen, line upon line.
   */
  draw(text: string): void;
  /** Prints lines above it. */
  print(text: string): void;
  clear(): void;
}

/** The status line of a stream. If it is no terminal, each text is printed as a line of its own. */
export function statusLine(stream: Screen): StatusLine {
  const columns = (): number | null => (stream.isTTY ? stream.columns || USUAL_COLUMNS : null);
  return {
    columns,
    draw(text) {
      const width = columns();
      stream.write(width === null ? `${text}\n` : `${CLEAR}${cut(text, width - 1)}`);
    },
    print(text) {
      stream.write(stream.isTTY ? `${CLEAR}${text}\n` : `${text}\n`);
    },
    clear() {
      if (stream.isTTY) stream.write(CLEAR);
    },
  };
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}
