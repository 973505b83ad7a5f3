const LINE_EVERY_MS = 10_000;

/** Shows the progress of a load run and prints lines meanwhile. */
export interface LoadDisplay {
  /** The number of requests so far, in words. */
  count(text: string): void;
  /** Prints a line between those. */
  print(text: string): void;
  end(): void;
}

/** Redraws one line on a terminal; otherwise prints a line now and then. */
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
