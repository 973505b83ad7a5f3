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

/** Every option there is; `commands.ts` says which command takes which. */
export const OPTIONS = {
  profile: {
    type: 'text',
    value: 'FILE',
    text: 'target profile, YAML or JSON',
    default: 'size-chart.profile.yaml',
  },
  'base-url': { type: 'text', value: 'URL', text: 'base URL; overrides SIZE_CHART_BASE_URL and the profile' },
  // Not `--env-file`: Node.js takes that for its own, wherever it stands, and ends with its own message where there is no such file.
  'keys-file': {
    type: 'text',
    value: 'FILE',
    text: 'file with keys that are not in the environment (default: .env)',
  },
  waivers: { type: 'text', value: 'FILE', text: 'known deviations, YAML or JSON, added to those in the profile' },
  out: { type: 'text', value: 'PATH', text: 'where to write the results' },
  only: { type: 'text', value: 'IDS', text: 'select only these requirements, such as HDR-1,LIMIT-*' },
  tags: { type: 'text', value: 'EXPR', text: "select only requirements that match, such as 'HDR-* and not HDR-8'" },
  seed: {
    type: 'integer',
    value: 'N',
    text: 'seed of all random choices, to repeat a run',
    least: 0,
    most: 4_294_967_295,
  },
  'time-scale': {
    type: 'number',
    value: 'N',
    text: 'run N times faster than real time; only a server that does so, too (reference --time-scale N), can conform; such a run never certifies',
    least: 1,
    most: 1000,
    default: 1,
  },
  'max-requests': { type: 'integer', value: 'N', text: 'send at most N requests', least: 1, most: 100_000_000 },
  bail: {
    type: 'integer',
    value: 'N',
    text: 'stop the run after N failures (1 without N); such a run never certifies',
    least: 1,
    most: 1000,
    bare: 1,
  },
  nonce: {
    type: 'text',
    value: 'TEXT',
    text: "a certifier's nonce: it seeds the schedule, and the certificate contains it",
  },
  'dry-run': { type: 'flag', text: 'print the plan and send nothing' },
  json: { type: 'flag', text: 'print JSON' },
  'no-color': { type: 'flag', text: 'print without colours' },
  verbose: {
    type: 'flag',
    text: 'list in the plan what is not tested; show each answer with an unexpected status, with the beginning of its body',
  },
  quiet: { type: 'flag', text: 'print the verdict only' },
  explain: { type: 'text', value: 'ID', text: 'print the argument for the verdict on this requirement' },
  'i-may-load-this-target': { type: 'flag', text: 'confirm that you may load a target on another machine' },
  dashboard: { type: 'flag', text: "also keep the load generator's own page and summary" },
  'same-host': { type: 'flag', text: 'all load generators ran on one machine: their clocks agree' },
  duration: { type: 'duration', value: 'TIME', text: 'how long, such as 90s, 15m or 2h', least: 1, most: 86_400 },
  rate: { type: 'number', value: 'N', text: 'requests per second', least: 0.1, most: 100_000 },
  instances: { type: 'integer', value: 'N', text: 'load generators on this machine', least: 1, most: 64, default: 1 },
  kubernetes: {
    type: 'text',
    value: 'NAMESPACE',
    text: 'write manifests for k6-operator in this namespace, and send nothing',
  },
  seconds: { type: 'integer', value: 'N', text: 'time budget', least: 1, most: 86_400 },
  requests: { type: 'integer', value: 'N', text: 'request budget', least: 1, most: 10_000_000 },
  runs: { type: 'integer', value: 'N', text: 'number of schedules', least: 1, most: 1_000_000 },
  reporter: {
    type: 'words',
    value: 'NAMES',
    text: 'reports to write, comma-separated (default: all): json, html, junit, ctrf, gitlab, markdown, badge, text; github prints annotations',
    words: ['json', 'html', 'junit', 'ctrf', 'gitlab', 'markdown', 'badge', 'text', 'github'],
  },
  'key-file': { type: 'text', value: 'PEM', text: 'private key to sign with' },
  role: {
    type: 'words',
    value: 'ROLE',
    text: 'who signs: vendor (default) or certifier',
    words: ['vendor', 'certifier'],
  },
  key: { type: 'text', value: 'PUB', text: 'public key of the signer' },
  'certifier-key': {
    type: 'text',
    value: 'PUB',
    text: 'instead of --key: public key of the signer, whom you know to be a certifier',
  },
  'access-log': {
    type: 'text',
    value: 'FILE',
    text: "the deployment's access log, to compare with the run: common, combined or JSON lines",
  },
  openapi: {
    type: 'text',
    value: 'FILE|URL',
    text: 'OpenAPI or Swagger 2.0 document, to propose a profile (init), to make odd requests (certify, property), or to compare with the profile (verify)',
  },
  port: { type: 'integer', value: 'N', text: 'port to listen on (default: any free one)', least: 0, most: 65_535 },
  host: { type: 'text', value: 'NAME', text: 'address to listen on', default: '127.0.0.1' },
  variant: { type: 'text', value: 'NAME', text: 'admissible variant to run' },
  defect: { type: 'text', value: 'NAME', text: 'seeded defect to run' },
  coverage: {
    type: 'flag',
    text: 'print for each requirement what is tested, the experiments that test it, and its judge',
  },
  list: { type: 'flag', text: 'print all variants and defects, and exit' },
  jitter: { type: 'text', value: 'MIN-MAX', text: 'latency added to each answer, in ms' },
  resets: { type: 'number', value: 'N', text: 'fraction of requests whose connection is reset', least: 0, most: 1 },
  skew: { type: 'number', value: 'N', text: "seconds that the server's clock is ahead", least: -86_400, most: 86_400 },
  draws: {
    type: 'integer',
    value: 'N',
    text: 'random deployments to judge in virtual time',
    least: 1,
    most: 1_000_000,
    default: 690,
  },
  'write-profile': { type: 'text', value: 'FILE', text: "write the server's target profile to FILE" },
} as const satisfies Readonly<Record<string, OptionSpec>>;

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
 * The values of all options under their names in camel case: the given value, else the default, else null (`false` for a flag, an empty
 * list for words). Durations are in seconds.
 */
export type OptionValues = { readonly [Name in OptionName as Camel<Name>]: Value<(typeof OPTIONS)[Name]> };

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name);
}
