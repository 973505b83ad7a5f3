import { type Screen, statusLine } from './status-line.ts';

const LINE_EVERY_MS = 10_000;

/** Shows the progress of a load run and prints lines meanwhile. */
export interface LoadDisplay {
  /** The number of requests so far, in words. */
  count(text: string): void;
  /** Prints a line between those. */
  print(text: string): void;
  /** Ends it, with the last number where only a line now and then was printed. */
  end(): void;
}

/** Redraws one line on a terminal; otherwise prints a line now and then, if it says something new. */
export function showLoad(stream: Screen): LoadDisplay {
  const line = statusLine(stream);
  let told = Date.now();
  let last = '';
  let latest = '';
  return {
    count(text) {
      latest = text;
      if (!stream.isTTY && (text === last || Date.now() - told < LINE_EVERY_MS)) return;
      told = Date.now();
      last = text;
      line.draw(text);
    },
    print: line.print,
    end() {
      if (!stream.isTTY && latest !== last) line.draw(latest);
      last = latest;
      line.clear();
    },
  };
}
