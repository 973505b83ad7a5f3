import { createInterface } from 'node:readline/promises';
import { InitError } from './init-error.ts';

/** A way to ask the user. */
export interface Dialogue {
  /** Asks one question and returns the answer without surrounding spaces; empty if there was none. */
  readonly ask: (question: string) => Promise<string>;
  readonly say: (text: string) => void;
}

/**
 * Asks until the answer can be used: if `read` throws an `InitError`, it prints the message and asks again. Null: no
 * answer.
 */
export async function askUntil<Value>(
  { ask, say }: Dialogue,
  question: string,
  read: (answer: string) => Value | Promise<Value>,
): Promise<Value | null> {
  for (;;) {
    const answer = await ask(question);
    if (answer === '') return null;
    try {
      return await read(answer);
    } catch (error) {
      if (!(error instanceof InitError)) throw error;
      say(error.message);
    }
  }
}

/**
 * Runs `use` with a way to ask on the terminal. Questions go to standard error; input that is typed ahead is not lost.
 */
export async function atTerminal<Result>(use: (dialogue: Dialogue) => Promise<Result>): Promise<Result> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const lines = terminal[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    terminal.setPrompt(question);
    terminal.prompt();
    const line = await lines.next();
    if (!line.done) return line.value.trim();
    process.stderr.write('\n');
    throw new InitError('The input ended before all questions were answered, so nothing was written. Run init again.');
  };
  try {
    return await use({ ask, say: (text) => process.stderr.write(`${text}\n`) });
  } finally {
    terminal.close();
  }
}
