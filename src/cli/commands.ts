import { SCENARIO_NAMES } from '../load/load-spec.ts';
import type { OptionName } from './options.ts';

/** What a command accepts; the parser and the help both use it. */
export interface CommandSpec {
  readonly summary: string;
  /** Names of its positional arguments, in order; the last may end in `…` for one or more. */
  readonly arguments: readonly string[];
  /** The words that its first argument may be; absent: anything. */
  readonly choices?: readonly string[];
  readonly options: readonly OptionName[];
  readonly examples: readonly string[];
}

/** As written below: most commands take no arguments. */
type Stated = Omit<CommandSpec, 'arguments'> & Partial<Pick<CommandSpec, 'arguments'>>;

const TARGET = ['profile', 'base-url', 'keys-file'] as const;
const SELECTION = ['only', 'tags'] as const;
const TEXT = ['json', 'no-color'] as const;
/** For what ends with a verdict. */
const SCREEN = [...TEXT, 'quiet'] as const;
const RUN = [
  ...TARGET,
  'waivers',
  ...SELECTION,
  'out',
  'seed',
  'time-scale',
  'max-requests',
  'dry-run',
  'reporter',
  'bail',
  'verbose',
  ...SCREEN,
] as const;

/** Every command, in the order of the help, without the options that all commands have (`--help`). */
const COMMANDS = {
  certify: {
    summary: 'test a deployment against every requirement; takes minutes and spends the budgets of its keys',
    options: [...RUN, 'openapi', 'nonce'],
    examples: [
      'certify --profile acme.profile.yaml',
      'certify --waivers waivers.yaml',
      'certify --base-url https://api.example.com/api/v1 --out reports/acme',
      "certify --tags 'AUTH-* or STATUS-*'",
      'certify --openapi openapi.yaml',
      'certify --bail',
    ],
  },
  check: {
    summary: 'test, in seconds, the requirements that need no exhausted budget',
    options: [...RUN],
    examples: ['check', 'check --profile acme.profile.yaml --json'],
  },
  demo: {
    summary: 'certify the reference server on this machine, to see the suite work',
    options: ['out', 'time-scale', 'seed', 'reporter', ...SCREEN],
    examples: ['demo'],
  },
  init: {
    summary: 'write a commented profile and .env.example; never overwrites',
    options: ['openapi', 'base-url', 'profile', ...SCREEN],
    examples: ['init', 'init --openapi openapi.yaml'],
  },
  validate: {
    summary: 'check the profile and the keys; sends nothing',
    options: [...TARGET, 'waivers', ...TEXT],
    examples: ['validate --profile acme.profile.yaml'],
  },
  doctor: {
    summary: 'send a few requests to check what can be tested, and say what to add',
    options: [...TARGET, ...SELECTION, 'time-scale', ...SCREEN],
    examples: ['doctor --profile acme.profile.yaml'],
  },
  plan: {
    summary: 'print what certify would send, on which keys and for how long; sends nothing',
    options: [...TARGET, 'waivers', ...SELECTION, 'seed', 'nonce', 'max-requests', 'verbose', ...TEXT],
    examples: ['plan', 'plan --only LIMIT-R,LIMIT-W', 'plan --verbose'],
  },
  list: {
    summary: 'print the requirements',
    options: [...SELECTION, 'coverage', 'profile', 'json', 'no-color'],
    examples: ['list', "list --tags 'HDR-*' --json", 'list --coverage --only AUTH-5'],
  },
  judge: {
    summary: 'judge a recorded trace again, offline',
    arguments: ['trace'],
    options: ['explain', 'out', 'reporter', ...SCREEN],
    examples: ['judge reports/acme/trace.ndjson', 'judge reports/acme/trace.ndjson --explain LIMIT-HISTORY'],
  },
  property: {
    summary: 'send random schedules and odd requests to the target, and judge the answers',
    options: [...TARGET, 'openapi', 'seconds', 'requests', 'runs', 'seed', 'time-scale', 'out', 'reporter', ...SCREEN],
    examples: ['property --seconds 600 --requests 2000', 'property --seed 7 --runs 1'],
  },
  load: {
    summary: 'load the target with a scenario and judge its limits under load',
    arguments: ['scenario'],
    choices: SCENARIO_NAMES,
    options: [
      ...TARGET,
      'waivers',
      ...SELECTION,
      'duration',
      'rate',
      'instances',
      'kubernetes',
      'max-requests',
      'seed',
      'time-scale',
      'out',
      'i-may-load-this-target',
      'dashboard',
      'dry-run',
      'reporter',
      ...SCREEN,
    ],
    examples: ['load contention', 'load soak --duration 15m --rate 20 --i-may-load-this-target'],
  },
  merge: {
    summary: 'join the records of all load generators of one run, and judge the whole',
    arguments: ['records…'],
    options: ['profile', 'base-url', ...SELECTION, 'same-host', 'out', 'seed', 'reporter', ...SCREEN],
    examples: ['merge a/records.ndjson b/records.ndjson --out reports/load'],
  },
  report: {
    summary: 'make the reports of a recorded run again',
    arguments: ['run'],
    options: ['reporter', 'out', ...SCREEN],
    examples: ['report reports/acme --reporter html,junit'],
  },
  replay: {
    summary: 'send again the shortest sequence that shows a failure, and say whether it still fails',
    arguments: ['run', 'requirement'],
    options: [...TARGET, 'out', 'no-color', 'quiet'],
    examples: ['replay reports/acme LIMIT-R'],
  },
  compare: {
    summary: 'show what changed between two runs',
    arguments: ['before', 'after'],
    options: [...SCREEN],
    examples: ['compare reports/monday reports/tuesday'],
  },
  keygen: {
    summary: 'make a key pair for certificates',
    options: ['out', ...TEXT],
    examples: ['keygen --out acme'],
  },
  attest: {
    summary: 'sign a run as a certificate',
    arguments: ['run'],
    options: ['key-file', 'role', ...TEXT],
    examples: ['attest reports/acme --key-file acme.key.pem'],
  },
  verify: {
    summary: 'check a certificate: its signature, its digests, and its verdicts by judging the trace again',
    arguments: ['run'],
    options: ['key', 'certifier-key', 'nonce', 'access-log', 'openapi', ...SCREEN],
    examples: [
      'verify reports/acme --key acme.pub',
      'verify reports/acme --key acme.pub --nonce 2026-11-acme-7f3a --access-log access.log',
    ],
  },
  reference: {
    summary: 'run a server that conforms, or has one seeded defect',
    options: [
      'port',
      'host',
      'variant',
      'defect',
      'list',
      'time-scale',
      'jitter',
      'resets',
      'skew',
      'seed',
      'write-profile',
    ],
    examples: ['reference --port 8080', 'reference --defect limit-minus-one --time-scale 30'],
  },
  accuracy: {
    summary: "run the suite against the reference server's variants and defects, and random deployments",
    arguments: ['part?'],
    choices: ['seeded', 'random'],
    options: ['time-scale', 'draws', 'seed', 'out', ...SCREEN],
    examples: ['accuracy --time-scale 30', 'accuracy random --draws 1000'],
  },
  completion: {
    summary: 'print the completion script for a shell',
    arguments: ['shell'],
    choices: ['bash', 'zsh', 'fish'],
    options: [],
    examples: ['completion bash', 'completion zsh', 'completion fish'],
  },
  help: { summary: 'explain a command', arguments: ['command?'], options: [], examples: ['help certify'] },
  version: { summary: 'print the version', options: [], examples: ['version'] },
} as const satisfies Readonly<Record<string, Stated>>;

export type CommandName = keyof typeof COMMANDS;

export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[];

export function commandSpec(name: CommandName): CommandSpec {
  return { arguments: [], ...COMMANDS[name] };
}

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
