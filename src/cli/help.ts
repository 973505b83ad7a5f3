import { BASE_URL_VARIABLE, KEY_VARIABLES } from '../profile/keys.ts';
import { PROGRAM } from './arguments.ts';
import { COMMAND_NAMES, type CommandName, commandSpec } from './commands.ts';
import { OPTIONS, type OptionName, type OptionSpec } from './options.ts';

/** The help text for one command, or for the program if it is null. Ends in a newline. */
export function helpText(command: CommandName | null): string {
  return command === null ? programHelp() : commandHelp(command);
}

function programHelp(): string {
  return `Conformance tests and load tests for deployments of the Size Chart Service API v1.

Usage: ${PROGRAM} <command> [options]

Commands:
${columns(COMMAND_NAMES.map((name) => [usage(name), commandSpec(name).summary]))}

Options of every command:
${columns([
  ['-h, --help', 'explain the command'],
  ['-V, --version', 'print the version'],
])}

Environment (or a .env file):
${columns([
  [KEY_VARIABLES.full, 'full API keys, comma-separated; four find the most'],
  [KEY_VARIABLES.restricted, 'a key that lacks permission for some operation'],
  [KEY_VARIABLES.revoked, 'a key that is no longer accepted'],
  [BASE_URL_VARIABLE, 'base URL of the deployment'],
])}

Exit codes:
${columns([
  ['0', 'nothing failed, and the suite judged all that the profile lets it test (or the command succeeded)'],
  ['1', 'the target does not conform (or a certificate is refuted)'],
  ['2', 'the command line, the profile or the environment has an error'],
  ['3', 'incomplete or inconclusive'],
])}

Examples:
${examples(['demo', 'init --openapi openapi.yaml', 'certify --profile acme.profile.yaml'])}
`;
}

function commandHelp(command: CommandName): string {
  const { summary, choices, options } = commandSpec(command);
  return `${summary[0]?.toUpperCase()}${summary.slice(1)}.

Usage: ${PROGRAM} ${usage(command)} [options]
${choices ? `\nOne of: ${choices.join(', ')}\n` : ''}
Options:
${optionRows(options, [['-h, --help', 'print this']])}

Examples:
${examples(commandSpec(command).examples)}
`;
}

/** A line for each option, and for the given extra rows. */
export function optionRows(
  options: readonly OptionName[],
  others: readonly (readonly [string, string])[] = [],
): string {
  return columns([...options.map((name): [string, string] => [optionUsage(name), optionText(name)]), ...others]);
}

/** A command with its arguments. */
export function usage(command: CommandName): string {
  const names = commandSpec(command).arguments.map((name) => {
    return name.endsWith('?') ? `[${name.slice(0, -1)}]` : name.endsWith('…') ? `<${name.slice(0, -1)}>…` : `<${name}>`;
  });
  return [command, ...names].join(' ');
}

function optionUsage(name: OptionName): string {
  const spec: OptionSpec = OPTIONS[name];
  if (spec.type === 'flag') return `--${name}`;
  return 'bare' in spec ? `--${name} [${spec.value}]` : `--${name} ${spec.value}`;
}

function optionText(name: OptionName): string {
  const spec: OptionSpec = OPTIONS[name];
  const fallback = 'default' in spec && spec.default !== undefined ? ` (default: ${spec.default})` : '';
  return `${spec.text}${fallback}`;
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

function examples(lines: readonly string[]): string {
  return lines.map((line) => `  ${PROGRAM} ${line}`).join('\n');
}
