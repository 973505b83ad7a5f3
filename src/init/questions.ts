import { createInterface } from 'node:readline/promises';
import { InitError } from './init-error.ts';

/** Asks one question and gives the answer without surrounding spaces; empty where there was none. */
export type Ask = (question: string) => Promise<string>;

/** What `init` needs to know; null: not known. */
export interface Answers {
  readonly openapi: string | null;
  readonly baseUrl: string | null;
  readonly name: string | null;
}

/** Asks for what was not given by options, in as few questions as there are gaps. */
export async function askMissing(known: Answers, ask: Ask): Promise<Answers> {
  const answer = async (value: string | null, question: string): Promise<string | null> =>
    value ?? ((await ask(question)) || null);
  return {
    openapi: await answer(known.openapi, 'OpenAPI document of the service, file or URL (Enter: none): '),
    baseUrl: await answer(known.baseUrl, 'Base URL, such as https://api.example.com/api/v1 (Enter: decide later): '),
    name: await answer(known.name, 'Name of the deployment for the reports (Enter: none): '),
  };
}

/** Runs `use` with a way to ask on the terminal. The questions go to standard error; what is typed ahead is not lost. */
export async function atTerminal<Result>(use: (ask: Ask) => Promise<Result>): Promise<Result> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const lines = terminal[Symbol.asyncIterator]();
  try {
    return await use(async (question) => {
      terminal.setPrompt(question);
      terminal.prompt();
      const line = await lines.next();
      if (line.done) {
        process.stderr.write('\n');
        throw new InitError('Ended before all was answered: nothing was written.');
      }
      return line.value.trim();
    });
  } finally {
    terminal.close();
  }
}
