const LINE_EVERY_MS = 10_000;

/** How far a load run has come, and what is told while it runs. */
export interface LoadDisplay {
  /** How many requests there are so far, in words. */
  count(text: string): void;
  /** Prints a line between those. */
  print(text: string): void;
  end(): void;
}

/** Shows it on one line, redrawn, where there is a terminal, else now and then on a line of its own. */
export function showLoad(stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>): LoadDisplay {
  const clear = stream.isTTY ? '\r\x1b[2K' : '';
  let told = Date.now();
  return {
    count(text) {
      if (stream.isTTY) stream.write(`${clear}${text}`);
      else if (Date.now() - told >= LINE_EVERY_MS) {
        told = Date.now();
        stream.write(`${text}\n`);
      }
    },
    print(text) {
      stream.write(`${clear}${text}\n`);
    },
    end() {
      if (clear !== '') stream.write(clear);
    },
  };
}
