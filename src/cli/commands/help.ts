import type { Invocation } from '../arguments.ts';
import { isCommandName } from '../commands.ts';
import { helpText } from '../help.ts';
import { suiteIdentity } from '../suite-identity.ts';

export async function helpCommand({ positionals: [name] }: Invocation): Promise<number> {
  process.stdout.write(helpText(name !== undefined && isCommandName(name) ? name : null));
  return 0;
}

export async function versionCommand(): Promise<number> {
  process.stdout.write(`${suiteIdentity().version}\n`);
  return 0;
}
