import { PROGRAM } from '../../src/cli/arguments.ts';
import { COMMAND_NAMES, commandSpec } from '../../src/cli/commands.ts';
import { helpText } from '../../src/cli/help.ts';
import { code, table } from './markdown.ts';

/** All commands with what they do, for the README. */
export function commandList(): string {
  return table(
    ['Command', 'What it does'],
    COMMAND_NAMES.map((name) => [`[${code(name)}](docs/commands.md#${name})`, commandSpec(name).summary]),
  );
}

/** Each command as its own help explains it. */
export function commandReference(): string {
  return COMMAND_NAMES.map(
    (name) => `## ${name}\n\n\`\`\`text\n$ ${PROGRAM} help ${name}\n${helpText(name)}\`\`\``,
  ).join('\n\n');
}
