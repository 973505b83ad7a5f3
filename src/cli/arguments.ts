import { parseArgs } from 'node:util';
import { isRequirementId } from '../catalogue/catalogue.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { asQuestion, nearest, suggestion } from '../profile/nearest.ts';
import { COMMAND_NAMES, type CommandName, commandSpec, isCommandName } from './commands.ts';
import { readOption } from './option-value.ts';
import { isOptionName, OPTIONS, type OptionName, type OptionSpec, type OptionValues } from './options.ts';
import { selectRequirements } from './selection.ts';
import { UsageError } from './usage-error.ts';

/** What a command line asks for. */
export interface Invocation {
  readonly command: CommandName;
  readonly positionals: readonly string[];
  readonly options: OptionValues;
  /** Options that were given, as opposed to defaulted. */
  readonly given: ReadonlySet<OptionName>;
  /** Requirements selected by `--only` and `--tags`; all without them. */
  readonly selection: readonly RequirementId[];
}

/**
 * Reads a command line (without interpreter and script). `--help` gives the command `help`, `--version` the command
 * `version`. Returns (does not throw) a `UsageError` that names every mistake, one per line.
 */
export function parseCommandLine(argv: readonly string[]): Invocation | UsageError {
  const { tokens } = parseArgs({ args: withBareValues(argv), options: PARSER_OPTIONS, strict: false, tokens: true });
  // A word after an unknown option is probably its value, and might be a key, so the message does not show it.
  const strays = new Set(tokens.flatMap((token) => (isUnknown(token) ? [token.index + 1] : [])));
  const words = tokens.flatMap((token) =>
    token.kind === 'positional' && !strays.has(token.index) ? [token.value] : [],
  );
  const flags = tokens.flatMap((token) => (token.kind === 'option' ? [token] : []));
  if (flags.some(({ name }) => name === 'version' || name === 'V')) return invocation('version', []);
  const [name, ...positionals] = words;
  if (flags.some(({ name: flag }) => flag === 'help' || flag === 'h'))
    return help(name === 'help' ? positionals : words);
  if (name === undefined) return noCommand(flags);
  if (name === 'help') return help(positionals);
  if (!isCommandName(name)) return unknownCommand(name);
  return parseCommand(name, positionals, flags, wordAfterBare(argv));
}

function noCommand(flags: readonly Flag[]): UsageError {
  const unknown = flags.find((flag) => !isOptionName(flag.name));
  const option = unknown ? `${optionShown(unknown)} is not an option, and ` : '';
  return new UsageError(
    `${option}no command is given. Choose one of ${COMMAND_NAMES.join(', ')}; --help explains them.`,
  );
}

/** The word after an option that is complete without a value, which reads it only if it is a number. */
function wordAfterBare(argv: readonly string[]): { readonly word: string; readonly option: OptionName } | null {
  for (const [index, each] of argv.entries()) {
    const name = each.slice(2);
    const word = argv[index + 1];
    if (!each.startsWith('--') || !isOptionName(name) || word === undefined) continue;
    const spec: OptionSpec = OPTIONS[name];
    if ('bare' in spec && !/^\d+$/.test(word) && !word.startsWith('-')) return { word, option: name };
  }
  return null;
}

function isUnknown(token: {
  readonly kind: string;
  readonly name?: string;
  readonly inlineValue?: boolean | undefined;
}): boolean {
  if (token.kind !== 'option' || token.inlineValue === true) return false;
  return !Object.hasOwn(PARSER_OPTIONS, token.name ?? '') && (token.name ?? '').length > 1;
}

/** Some options need no value: the next word is their value only if it is a number. */
function withBareValues(argv: readonly string[]): string[] {
  return argv.map((word, index) => {
    const name = word.slice(2);
    if (!word.startsWith('--') || !isOptionName(name) || /^\d+$/.test(argv[index + 1] ?? '')) return word;
    const spec: OptionSpec = OPTIONS[name];
    return 'bare' in spec ? `${word}=${spec.bare}` : word;
  });
}

/** An option as Node's parser returns it. */
interface Flag {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function parseCommand(
  command: CommandName,
  positionals: readonly string[],
  flags: readonly Flag[],
  afterBare: ReturnType<typeof wordAfterBare>,
): Invocation | UsageError {
  const errors: string[] = [...positionalErrors(command, positionals, afterBare)];
  const values: Partial<Record<OptionName, unknown>> = {};
  for (const flag of flags) {
    const { name } = flag;
    if (!isOptionName(name) || !flag.rawName.startsWith('--') || !commandSpec(command).options.includes(name)) {
      errors.push(notAnOption(command, flag));
    } else if (name in values) {
      errors.push(`--${name} is given twice. Give it once.`);
    } else {
      const read = readOption(name, OPTIONS[name], flag.value, flag.inlineValue === true);
      values[name] = 'value' in read ? read.value : undefined;
      if ('error' in read) errors.push(read.error);
    }
  }
  const given = new Set(Object.keys(values).filter(isOptionName));
  errors.push(...explainErrors(textOf(values.explain)));
  const selected = selectRequirements(textOf(values.only), textOf(values.tags));
  if ('errors' in selected) errors.push(...selected.errors);
  if (errors.length > 0 || 'errors' in selected) {
    return new UsageError([...errors, `See ${PROGRAM} ${command} --help.`].join('\n'));
  }
  return { command, positionals, options: withDefaults(values), given, selection: selected.ids };
}

/** The name of the program in usage lines. */
export const PROGRAM = 'size-chart-conformance';

const PARSER_OPTIONS = Object.fromEntries([
  ...Object.entries<OptionSpec>(OPTIONS).map(([name, { type }]) => [
    name,
    { type: type === 'flag' ? ('boolean' as const) : ('string' as const) },
  ]),
  ['help', { type: 'boolean' as const, short: 'h' }],
  ['version', { type: 'boolean' as const, short: 'V' }],
]);

function help(topics: readonly string[]): Invocation | UsageError {
  const [topic] = topics;
  if (topic !== undefined && !isCommandName(topic)) return unknownCommand(topic);
  return invocation('help', topic === undefined ? [] : [topic]);
}

function invocation(command: CommandName, positionals: readonly string[]): Invocation {
  const all = selectRequirements(null, null);
  const selection = 'ids' in all ? all.ids : [];
  return { command, positionals, options: withDefaults({}), given: new Set(), selection };
}

function unknownCommand(name: string): UsageError {
  return new UsageError(
    `${shown(name)} is not a command.${suggestion(name, COMMAND_NAMES)} Choose one of ${COMMAND_NAMES.join(', ')}; --help explains them.`,
  );
}

/**
 * An unexpected word may be a key that the suite does not know, so the message repeats it only if it is the ID of a
 * requirement, or looks like an ordinary word.
 */
function shown(word: string): string {
  const isPlain = isRequirementId(word) || (/^-{0,2}[a-z]+(-[a-z]+){0,3}$/i.test(word) && word.length <= 24);
  return isPlain ? JSON.stringify(word) : '"…"';
}

/** A hint for somebody who gave a URL, or the ID of a requirement, as an argument. */
function insteadOf(word: string, command: CommandName): string {
  const { options } = commandSpec(command);
  if (isRequirementId(word) && options.includes('only')) return ` To name requirements, use --only ${word}.`;
  const isUrl = /^https?:\/\//i.test(word) && options.includes('base-url');
  return isUrl ? ' To give a target, use --base-url URL.' : '';
}

function notAnOption(command: CommandName, { name, rawName }: Flag): string {
  if (isOptionName(name) && rawName.startsWith('--')) {
    const owners = COMMAND_NAMES.filter((each) => commandSpec(each).options.includes(name));
    return `${rawName} is not an option of ${command}. It belongs to ${owners.join(', ')}.`;
  }
  if (/^(api-?)?(keys?|token|secret)$/i.test(name)) {
    return `${rawName} is not an option of ${command}. Keys come from the environment or .env only: set SIZE_CHART_KEYS.`;
  }
  const near = nearest(name, commandSpec(command).options);
  return `${optionShown({ rawName })} is not an option of ${command}.${asQuestion(near && `--${near}`)}`;
}

function optionShown({ rawName }: Pick<Flag, 'rawName'>): string {
  return /^-\w$/.test(rawName) ? rawName : shown(rawName).slice(1, -1);
}

function positionalErrors(
  command: CommandName,
  positionals: readonly string[],
  afterBare: ReturnType<typeof wordAfterBare>,
): readonly string[] {
  const { arguments: names, choices } = commandSpec(command);
  const open = names.at(-1)?.endsWith('…') ?? false;
  const missing = names.slice(positionals.length).filter((name) => !name.endsWith('?'));
  const unexpected = open ? [] : positionals.slice(names.length);
  const [first] = positionals;
  const errors = [
    ...missing.map(
      (name) => `${command} needs <${nameOf(name)}>.${choices ? ` Choose one of ${choices.join(', ')}.` : ''}`,
    ),
    ...unexpected.map((word) =>
      word === afterBare?.word
        ? `--${afterBare.option} must be a whole number, or stand alone, and ${shown(word)} is none.`
        : `${command} takes no argument ${shown(word)}.${insteadOf(word, command)}`,
    ),
  ];
  if (choices && first !== undefined && !choices.includes(first)) {
    errors.push(
      `${shown(first)} is not a ${nameOf(names[0] ?? '')}.${suggestion(first, choices)} Choose one of ${choices.join(', ')}.`,
    );
  }
  return errors;
}

/** The name of an argument without the marks of one that is optional or may be repeated. */
function nameOf(argument: string): string {
  return argument.replace(/[?…]/g, '');
}

function explainErrors(id: string | null): readonly string[] {
  if (id === null || isRequirementId(id)) return [];
  const ids = REQUIREMENTS.map((each) => each.id);
  return [`--explain: there is no requirement ${JSON.stringify(id)}.${suggestion(id, ids)} Run "list" to see all IDs.`];
}

function withDefaults(values: Partial<Record<OptionName, unknown>>): OptionValues {
  const all = Object.entries<OptionSpec>(OPTIONS).map(([name, spec]) => [
    name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    (isOptionName(name) ? values[name] : undefined) ?? defaultOf(spec),
  ]);
  return Object.fromEntries(all) as OptionValues;
}

function defaultOf(spec: OptionSpec): unknown {
  if (spec.type === 'flag') return false;
  if (spec.type === 'words') return [];
  return spec.default ?? null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
