import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { type Invocation, parseCommandLine } from './arguments.ts';
import { COMMAND_NAMES, commandSpec } from './commands.ts';
import { OPTIONS, type OptionSpec } from './options.ts';
import { UsageError } from './usage-error.ts';

function parse(...argv: readonly string[]): Invocation {
  const result = parseCommandLine(argv);
  if (result instanceof UsageError) throw result;
  return result;
}

describe('a command line', () => {
  test('gives the values of its options, and defaults for the others', () => {
    const { command, options, given, selection, positionals } = parse(
      '--base-url=http://127.0.0.1:80/api/v1',
      'certify',
      '--seed',
      '7',
      '--json',
    );
    expect(command).toBe('certify');
    expect(positionals).toEqual([]);
    expect(options).toMatchObject({
      baseUrl: 'http://127.0.0.1:80/api/v1',
      seed: 7,
      json: true,
      quiet: false,
      profile: 'size-chart.profile.yaml',
      timeScale: 1,
      out: null,
      maxRequests: null,
      reporter: [],
      iMayLoadThisTarget: false,
    });
    expect(given).toEqual(new Set(['base-url', 'seed', 'json']));
    expect(selection).toEqual(REQUIREMENTS.map(({ id }) => id));
  });

  test('selects requirements by --only and --tags together', () => {
    expect(parse('list', '--only', 'HDR-*,LIMIT-R', '--tags', 'not HDR-8').selection).toEqual([
      'HDR-1',
      'HDR-2',
      'HDR-3',
      'HDR-4',
      'HDR-5',
      'HDR-6',
      'HDR-7',
      'LIMIT-R',
    ]);
  });

  test.each([
    ['90', 90],
    ['90s', 90],
    ['1.5m', 90],
    ['2h', 7200],
  ])('takes %s for a duration of %i seconds', (text, seconds) => {
    expect(parse('load', 'soak', '--duration', text).options.duration).toBe(seconds);
  });

  test('takes several formats, and several files', () => {
    expect(parse('report', 'run', '--reporter', 'html, junit,html').options.reporter).toEqual(['html', 'junit']);
    expect(parse('merge', 'a', 'b', 'c').positionals).toEqual(['a', 'b', 'c']);
    expect(parse('judge', '--', '--odd-name').positionals).toEqual(['--odd-name']);
  });

  test.each([
    [['--help'], 'help', []],
    [['-h'], 'help', []],
    [['help'], 'help', []],
    [['help', 'load'], 'help', ['load']],
    [['load', '--help', '--bogus'], 'help', ['load']],
    [['load', 'contention', '-h'], 'help', ['load']],
    [['--version'], 'version', []],
    [['certify', '-V'], 'version', []],
    [['version'], 'version', []],
  ])('%j is the command %s', (argv, command, positionals) => {
    expect(parse(...argv)).toMatchObject({ command, positionals });
  });

  test.each(COMMAND_NAMES.flatMap((name) => commandSpec(name).examples.map((example) => [example])))(
    'of the help can be read: %s',
    (example) => {
      const words = [...example.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
      expect(COMMAND_NAMES).toContain(parse(...words).command);
    },
  );
});

const ALL = COMMAND_NAMES.join(', ');
const SCENARIOS =
  'demo, quota-read, quota-write, contention, boundary, isolation, kinds, sustained, stampede, soak, ramp';

describe('a bad command line names', () => {
  test.each<[argv: readonly string[], ...messages: string[]]>([
    [[], `no command is given. Choose one of ${ALL}; --help explains them.`],
    [['--json'], `no command is given. Choose one of ${ALL}; --help explains them.`],
    [['--foo'], `--foo is not an option, and no command is given. Choose one of ${ALL}; --help explains them.`],
    [['certify', '--bail', 'x'], '--bail must be a whole number, or stand alone, and "x" is none.'],
    [['accuracy', 'foo'], '"foo" is not a part. Choose one of seeded, random.'],
    [['certfy'], `"certfy" is not a command. Did you mean "certify"? Choose one of ${ALL}; --help explains them.`],
    [['frobnicate'], `"frobnicate" is not a command. Choose one of ${ALL}; --help explains them.`],
    [['toString'], `"toString" is not a command. Choose one of ${ALL}; --help explains them.`],
    [['help', 'laod'], `"laod" is not a command. Did you mean "load"? Choose one of ${ALL}; --help explains them.`],
    [['certify', '--profil', 'x'], '--profil is not an option of certify. Did you mean "--profile"?'],
    [['certify', '--bogus=1'], '--bogus is not an option of certify.'],
    [['certify', '-x'], '-x is not an option of certify.'],
    [['certify', '--constructor'], '--constructor is not an option of certify.'],
    [['certify', '--rate', '5'], '--rate is not an option of certify. It belongs to load.'],
    [['check', '--nonce', 'x'], '--nonce is not an option of check. It belongs to certify, plan, verify.'],
    [
      ['certify', '--api-key', 's3cret'],
      '--api-key is not an option of certify. Keys come from the environment or .env only: set SIZE_CHART_KEYS.',
    ],
    [
      ['certify', '--keys=s3cret'],
      '--keys is not an option of certify. Keys come from the environment or .env only: set SIZE_CHART_KEYS.',
    ],
    [['certify', '--profile'], '--profile needs a value: --profile FILE.'],
    [['certify', '--profile='], '--profile needs a value: --profile FILE.'],
    [['certify', '--profile', '--json'], '--profile needs a value: --profile FILE.'],
    [['certify', '--json=yes'], '--json takes no value.'],
    [['certify', '--seed', '1', '--seed', '2'], '--seed is given twice. Give it once.'],
    [['certify', '--seed', 'x'], '--seed must be a whole number from 0 to 4294967295, not "x".'],
    [['certify', '--seed', '-1'], '--seed must be a whole number from 0 to 4294967295, not "-1".'],
    [['certify', '--seed', '1.5'], '--seed must be a whole number from 0 to 4294967295, not "1.5".'],
    [['certify', '--time-scale', '0'], '--time-scale must be a number from 1 to 1000, not "0".'],
    [['certify', '--time-scale', '0x10'], '--time-scale must be a number from 1 to 1000, not "0x10".'],
    [['certify', '--max-requests', '1e9'], '--max-requests must be a whole number from 1 to 100000000, not "1e9".'],
    [
      ['load', 'soak', '--duration', '3w'],
      '--duration must be a time from 1 to 86400 seconds, such as 90s, 15m or 2h, not "3w".',
    ],
    [['load', 'soak', '--instances', '65'], '--instances must be a whole number from 1 to 64, not "65".'],
    [['reference', '--port', '65536'], '--port must be a whole number from 0 to 65535, not "65536".'],
    [
      ['report', 'run', '--reporter', 'html,pfd'],
      '--reporter has no "pfd". Choose one of json, html, junit, ctrf, gitlab, markdown, badge, text, github.',
    ],
    [
      ['report', 'run', '--reporter', 'junt'],
      '--reporter has no "junt". Did you mean "junit"? Choose one of json, html, junit, ctrf, gitlab, markdown, badge, text, github.',
    ],
    [['certify', 'now'], 'certify takes no argument "now".'],
    [['certify', 'http://127.0.0.1:8080'], 'certify takes no argument "…". To give a target, use --base-url URL.'],
    [['list', 'HDR-1'], 'list takes no argument "HDR-1". To name requirements, use --only HDR-1.'],
    [['validate', 'HDR-1'], 'validate takes no argument "HDR-1".'],
    [['judge'], 'judge needs <trace>.'],
    [['compare', 'a'], 'compare needs <after>.'],
    [['compare'], 'compare needs <before>.', 'compare needs <after>.'],
    [['merge'], 'merge needs <records>.'],
    [['load'], `load needs <scenario>. Choose one of ${SCENARIOS}.`],
    [['load', 'contension'], `"contension" is not a scenario. Did you mean "contention"? Choose one of ${SCENARIOS}.`],
    [
      ['judge', 't', '--explain', 'HDR-9'],
      '--explain: there is no requirement "HDR-9". Did you mean "HDR-1"? Run "list" to see all IDs.',
    ],
    [
      ['certify', '--only', 'LIMIT-X'],
      '--only: there is no requirement "LIMIT-X". Did you mean "LIMIT-R"? Run "list" to see all IDs.',
    ],
    [
      ['certify', 'now', '--rate', '5', '--seed', 'x', '--tags', 'HDR-1 or'],
      'certify takes no argument "now".',
      '--rate is not an option of certify. It belongs to load.',
      '--seed must be a whole number from 0 to 4294967295, not "x".',
      '--tags: a requirement is missing at the end.',
    ],
  ])('%j', (argv: readonly string[], ...messages: readonly string[]) => {
    const result = parseCommandLine(argv);
    expect(result).toBeInstanceOf(UsageError);
    const [command = ''] = argv;
    const more = commandNamed(command) ? [`See size-chart-conformance ${command} --help.`] : [];
    expect(result instanceof UsageError && result.message).toBe([...messages, ...more].join('\n'));
  });
});

test('no command line makes it throw, and every error ends in a full stop', () => {
  const word = fc.oneof(
    fc.constantFrom<string>(...COMMAND_NAMES),
    fc.constantFrom(...Object.keys(OPTIONS).map((name) => `--${name}`)),
    fc.constantFrom(
      '--',
      '-',
      '-abc',
      '--=',
      '--x=',
      '__proto__',
      '--__proto__',
      '--toString',
      '-h',
      'HDR-1',
      '7',
      '-7',
      '',
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (argv) => {
      const result = parseCommandLine(argv);
      if (result instanceof UsageError) expect(result.message).toMatch(/\.$/);
      else expect(COMMAND_NAMES).toContain(result.command);
    }),
    { numRuns: 2000 },
  );
});

test('every option belongs to a command, and each that takes a value names it', () => {
  const used = new Set<string>(COMMAND_NAMES.flatMap((name) => commandSpec(name).options));
  expect(Object.keys(OPTIONS).filter((name) => !used.has(name))).toEqual([]);
  const unnamed = Object.entries<OptionSpec>(OPTIONS).filter(([, spec]) => spec.type !== 'flag' && !spec.value);
  expect(unnamed).toEqual([]);
});

function commandNamed(name: string): boolean {
  return COMMAND_NAMES.some((each) => each === name && each !== 'help');
}
