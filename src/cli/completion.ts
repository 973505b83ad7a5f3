import { PROGRAM } from './arguments.ts';
import { COMMAND_NAMES, type CommandName, commandSpec } from './commands.ts';
import { OPTIONS, type OptionName, type OptionSpec } from './options.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The completion script for a shell, made from the same table as the help. The shell completes file names as usual. */
export function completionScript(shell: Shell): string {
  return { bash: bash(), zsh: zsh(), fish: fish() }[shell];
}

/** The possible arguments of a command, if they are known. */
function choicesOf(name: CommandName): readonly string[] | undefined {
  return name === 'help' ? COMMAND_NAMES : commandSpec(name).choices;
}

/** Words that may follow a command: its options and its possible arguments. */
function wordsOf(name: CommandName): string {
  const { options } = commandSpec(name);
  return [...(choicesOf(name) ?? []), ...options.map((option) => `--${option}`), '--help'].join(' ');
}

function bash(): string {
  const words = COMMAND_NAMES.map((name) => `    ${name}) words='${wordsOf(name)}' ;;`).join('\n');
  return `_size_chart_conformance() {
  local words current=\${COMP_WORDS[COMP_CWORD]}
  case \${COMP_WORDS[1]} in
${words}
    *) words='' ;;
  esac
  [ "$COMP_CWORD" -gt 1 ] || words='${COMMAND_NAMES.join(' ')} --help --version'
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _size_chart_conformance ${PROGRAM}
`;
}

function zsh(): string {
  const commands = COMMAND_NAMES.map((name) => `    ${single(`${name}:${commandSpec(name).summary}`)}`).join('\n');
  const cases = COMMAND_NAMES.map((name) => {
    const { options } = commandSpec(name);
    const choices = choicesOf(name);
    const specs = options.map((option) => `      ${single(zshOption(option))}`);
    const argument = choices ? `'*: :(${choices.join(' ')})'` : "'*: :_files'";
    return `    ${name}) _arguments \\\n${[...specs, `      ${argument}`].join(' \\\n')} ;;`;
  }).join('\n');
  return `#compdef ${PROGRAM}
local -a commands
commands=(
${commands}
)
if (( CURRENT == 2 )); then
  _describe command commands
else
  shift words
  (( CURRENT-- ))
  case $words[1] in
${cases}
  esac
fi
`;
}

function zshOption(name: OptionName): string {
  const spec: OptionSpec = OPTIONS[name];
  const text = spec.text.replace(/[[\]:]/g, '\\$&');
  const value =
    spec.type === 'words' ? `:value:(${spec.words.join(' ')})` : spec.type === 'flag' ? '' : ':value:_files';
  return `--${name}[${text}]${value}`;
}

function fish(): string {
  const commands = COMMAND_NAMES.map(
    (name) => `complete -c ${PROGRAM} -n __fish_use_subcommand -f -a ${name} -d ${single(commandSpec(name).summary)}`,
  );
  const options = COMMAND_NAMES.flatMap((name) => {
    const { options } = commandSpec(name);
    const choices = choicesOf(name);
    const line = `complete -c ${PROGRAM} -n '__fish_seen_subcommand_from ${name}'`;
    return [
      ...(choices ? [`${line} -f -a '${choices.join(' ')}'`] : []),
      ...options.map((option) => `${line} -l ${option}${fishValue(option)} -d ${single(OPTIONS[option].text)}`),
    ];
  });
  return `${[...commands, ...options].join('\n')}\n`;
}

function fishValue(name: OptionName): string {
  const spec: OptionSpec = OPTIONS[name];
  if (spec.type === 'flag') return '';
  return spec.type === 'words' ? ` -x -a '${spec.words.join(' ')}'` : ' -r';
}

/**
 * In single quotes, which all three shells read alike. None of them allows a single quote inside, so it becomes a
 * typographic one.
 */
function single(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}
