import { PROGRAM } from '../../src/cli/arguments.ts';
import { COMMAND_NAMES, commandSpec } from '../../src/cli/commands.ts';
import { optionRows, usage } from '../../src/cli/help.ts';
import { OPTIONS, type OptionName } from '../../src/cli/options.ts';
import { sentence } from '../../src/report/wording.ts';
import { code, points } from './markdown.ts';

const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[];

/** All commands with what they do, for the README. */
export function commandList(): string {
  return points(COMMAND_NAMES.map((name) => `[${code(name)}](docs/commands.md#${name}): ${commandSpec(name).summary}`));
}

/** Each command with the options that no other has; those of several come once, before them. */
export function commandReference(): string {
  const specs = COMMAND_NAMES.map((name) => ({ name, ...commandSpec(name) }));
  const shared = new Set(
    OPTION_NAMES.filter((option) => specs.filter(({ options }) => options.includes(option)).length > 1),
  );
  const sections = specs.map(({ name, summary, choices, options, examples }) => {
    const [common, own] = [true, false].map((wanted) => options.filter((option) => shared.has(option) === wanted));
    // A command without arguments shows in its examples how it is used.
    const isPlain = usage(name) === name;
    const parts = [
      ...(isPlain ? [] : [`${PROGRAM} ${usage(name)} [options]${choices ? `\none of: ${choices.join(', ')}` : ''}`]),
      ...(own && own.length > 0 ? [optionRows(own)] : []),
      examples.map((each) => `$ ${PROGRAM} ${each}`).join('\n'),
    ];
    const too = common && common.length > 0 ? `\n\nAlso: ${common.map((each) => code(`--${each}`)).join(', ')}.` : '';
    return `## ${name}\n\n${sentence(summary)}\n\n\`\`\`text\n${parts.join('\n\n')}\n\`\`\`${too}`;
  });
  return [`## Options of several commands\n\n\`\`\`text\n${optionRows([...shared])}\n\`\`\``, ...sections].join('\n\n');
}
