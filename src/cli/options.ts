/** How the value of an option is read. */
export type OptionSpec = {
  /** The value in help texts, such as FILE. */
  readonly value?: string;
  /** One line, in the form "what it does". */
  readonly text: string;
} & (
  | { readonly type: 'flag' }
  | { readonly type: 'text'; readonly default?: string }
  | {
      readonly type: 'number' | 'integer';
      readonly least: number;
      readonly most: number;
      readonly default?: number;
      /** The value if the option is given without one. */
      readonly bare?: number;
    }
  /** Seconds, or with a unit: 90, 90s, 15m, 2h. Read as seconds. */
  | { readonly type: 'duration'; readonly least: number; readonly most: number; readonly default?: number }
  /** Comma-separated words out of a set. */
  | { readonly type: 'words'; readonly words: readonly string[] }
);

interface Text {
  readonly type: 'text';
  readonly value: string;
  readonly text: string;
}

function text(value: string, text: string): Text;
function text(value: string, text: string, preset: string): Text & { readonly default: string };
function text(value: string, text: string, preset?: string): Text {
  return { type: 'text', value, text, ...(preset === undefined ? {} : { default: preset }) };
}

const flag = (text: string) => ({ type: 'flag', text }) as const;
const words = (value: string, text: string, words: readonly string[]) =>
  ({ type: 'words', value, text, words }) as const;

/** Makes options of a type: what they do, the least and the most, and what they are where they are not given. */
function numbers<Type extends 'number' | 'integer' | 'duration'>(type: Type, value: string) {
  return <Preset extends { readonly default?: number; readonly bare?: number } = object>(
    text: string,
    [least, most]: readonly [number, number],
    preset: Preset = {} as Preset,
  ) => ({ type, value, text, least, most, ...preset });
}

const number = numbers('number', 'N');
const integer = numbers('integer', 'N');
const duration = numbers('duration', 'TIME');

/** Every option there is; `commands.ts` says which command takes which. */
export const OPTIONS = {
  profile: text('FILE', 'target profile, YAML or JSON', 'size-chart.profile.yaml'),
  'base-url': text('URL', 'base URL; overrides SIZE_CHART_BASE_URL and the profile'),
  // Not `--env-file`: Node.js takes that for its own, wherever it stands, and ends with its own message where there is
  // no such file.
  'keys-file': text('FILE', 'file with keys that are not in the environment (default: .env)'),
  waivers: text('FILE', 'known deviations, YAML or JSON, added to those in the profile'),
  out: text('PATH', 'where to write the results'),
  only: text('IDS', 'select only these requirements, such as HDR-1,LIMIT-*'),
  tags: text('EXPR', "select only requirements that match, such as 'HDR-* and not HDR-8'"),
  seed: integer('seed of all random choices, to repeat a run', [0, 4_294_967_295]),
  'time-scale': number(
    'run N times faster than real time: a rehearsal, which certifies nothing and needs a server as fast (reference --time-scale N)',
    [1, 1000],
    { default: 1 },
  ),
  'max-requests': integer('send at most N requests', [1, 100_000_000]),
  bail: integer('stop the run after N failures (1 without N); such a run never certifies', [1, 1000], { bare: 1 }),
  nonce: text('TEXT', "a certifier's nonce: it seeds the schedule, and the certificate contains it"),
  'dry-run': flag('print the plan and send nothing'),
  json: flag('print JSON'),
  'no-color': flag('print without colours'),
  verbose: flag(
    'list in the plan what is not tested; show each answer with an unexpected status, with the beginning of its body',
  ),
  quiet: flag('print the verdict only'),
  explain: text('ID', 'print the argument for the verdict on this requirement'),
  'i-may-load-this-target': flag('confirm that you may load a target on another machine'),
  dashboard: flag("also keep the load generator's own page and summary"),
  'same-host': flag('all load generators ran on one machine: their clocks agree'),
  duration: duration('how long, such as 90s, 15m or 2h', [1, 86_400]),
  rate: number('requests per second', [0.1, 100_000]),
  instances: integer('load generators on this machine', [1, 64], { default: 1 }),
  kubernetes: text('NAMESPACE', 'write manifests for k6-operator in this namespace, and send nothing'),
  seconds: integer('how long', [1, 86_400], { default: 150 }),
  requests: integer('most requests', [1, 10_000_000], { default: 1000 }),
  runs: integer('random schedules', [1, 1_000_000], { default: 3 }),
  reporter: words(
    'NAMES',
    'reports to write, comma-separated (default: all): json, html, junit, ctrf, gitlab, markdown, badge, text; github prints annotations',
    ['json', 'html', 'junit', 'ctrf', 'gitlab', 'markdown', 'badge', 'text', 'github'],
  ),
  'key-file': text('PEM', 'private key to sign with'),
  role: words('ROLE', 'who signs: vendor (default) or certifier', ['vendor', 'certifier']),
  key: text('PUB', 'public key of the signer'),
  'certifier-key': text('PUB', 'instead of --key: public key of the signer, whom you know to be a certifier'),
  'access-log': text('FILE', "the deployment's access log, to compare with the run: common, combined or JSON lines"),
  openapi: text(
    'FILE|URL',
    'OpenAPI or Swagger 2.0 document, to propose a profile (init), to make odd requests (certify, property), or to compare with the profile (verify)',
  ),
  port: integer('port to listen on (default: any free one)', [0, 65_535]),
  host: text('NAME', 'address to listen on', '127.0.0.1'),
  variant: text('NAME', 'admissible variant to run'),
  defect: text('NAME', 'seeded defect to run'),
  coverage: flag('print for each requirement what is tested, the experiments that test it, and its judge'),
  list: flag('print all variants and defects, and exit'),
  jitter: text('MIN-MAX', 'latency added to each answer, in ms'),
  resets: number('fraction of requests whose connection is reset', [0, 1]),
  skew: number("seconds that the server's clock is ahead", [-86_400, 86_400]),
  draws: integer('random deployments to judge in virtual time', [1, 1_000_000], { default: 690 }),
  'write-profile': text('FILE', "write the server's target profile to FILE"),
} satisfies Readonly<Record<string, OptionSpec>>;

export type OptionName = keyof typeof OPTIONS;

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

type Value<Spec> = Spec extends { type: 'flag' }
  ? boolean
  : Spec extends { type: 'words' }
    ? readonly string[]
    : (Spec extends { type: 'text' } ? string : number) | (Spec extends { default: string | number } ? never : null);

/**
 * The values of all options under their names in camel case: the given value, else the default, else null (`false` for
 * a flag, an empty list for words). Durations are in seconds.
 */
export type OptionValues = { readonly [Name in OptionName as Camel<Name>]: Value<(typeof OPTIONS)[Name]> };

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name);
}
