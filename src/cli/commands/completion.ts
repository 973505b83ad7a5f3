import type { Invocation } from '../arguments.ts';
import { completionScript, SHELLS } from '../completion.ts';
import { UsageError } from '../usage-error.ts';

/** Prints the completion script of a shell. */
export async function completionCommand({ positionals: [name] }: Invocation): Promise<number> {
  const shell = SHELLS.find((each) => each === name);
  if (shell === undefined)
    throw new UsageError(`There is no completion for ${name}. Choose one of ${SHELLS.join(', ')}.`);
  process.stdout.write(completionScript(shell));
  return 0;
}
