import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseCommandLine } from '../../src/cli/arguments.ts';
import { UsageError } from '../../src/cli/usage-error.ts';
import { readProfile } from '../../src/profile/read-profile.ts';
import { libraryExample } from './library.ts';
import { type CodeBlock, readPage } from './page-source.test-support.ts';
import { documentationPages } from './pages.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BLOCKS = documentationPages(ROOT).flatMap((path) =>
  readPage(readFileSync(join(ROOT, path), 'utf8')).blocks.map((block) => ({ path, ...block })),
);
const SCRIPTS = Object.keys(
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts,
);

/** How examples name the program. */
const PROGRAM = /^(?:npx|node suite\/bin\/|docker run .*) ?size-chart-conformance(?:\.js)? /;

const of = (language: string) => BLOCKS.filter((block) => block.language === language);

test('no block is in a language that nothing checks', () => {
  expect([...new Set(BLOCKS.map(({ language }) => language))].toSorted()).toEqual(['sh', 'text', 'ts', 'yaml']);
});

test('TypeScript is the example that is type-checked and run', () => {
  for (const { text } of of('ts')) expect(libraryExample()).toContain(text);
});

describe('shell', () => {
  test.each(of('sh'))('$path, line $line: is shell', ({ text }) => {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  const lines = of('sh').flatMap(commandsOf);

  test.each(lines)('$path: $command', ({ command }) => {
    const words = wordsOf(command.replace(PROGRAM, ''));
    const parsed = parseCommandLine(words);
    expect(parsed instanceof UsageError ? parsed.message : null).toBeNull();
  });

  test('there are some of each kind', () => {
    expect(lines.length).toBeGreaterThan(20);
  });

  const scripts = of('sh').flatMap(({ text, path }) =>
    [...text.matchAll(/\bnpm (?:run )?([a-z-]+)/g)].map(([, name = '']) => ({ path, name })),
  );
  test.each(scripts.filter(({ name }) => !['ci', 'i'].includes(name)))('$path: npm $name is a script', ({ name }) => {
    expect(SCRIPTS).toContain(name);
  });
});

describe('YAML', () => {
  test.each(of('yaml'))('$path, line $line: is YAML', ({ text }) => {
    expect(() => parse(text)).not.toThrow();
  });

  const profiles = of('yaml').filter(({ text }) => /^operations:/m.test(text));
  test.each(profiles)('$path, line $line: is a profile with nothing to complain of', ({ text, path }) => {
    expect(readProfile(text, { file: path })).toMatchObject({ warnings: [] });
  });

  test('there is a complete profile', () => {
    expect(profiles.length).toBeGreaterThan(0);
  });

  test.each(of('yaml').flatMap(commandsOf))('$path: $command', ({ command }) => {
    const parsed = parseCommandLine(wordsOf(command.replace(PROGRAM, '')));
    expect(parsed instanceof UsageError ? parsed.message : null).toBeNull();
  });
});

/** The command lines of a block that run the program: continued lines are joined, comments and list dashes left out. */
function commandsOf({ path, text }: CodeBlock & { readonly path: string }): { path: string; command: string }[] {
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*-\s+/, '').trim())
    .filter((line) => PROGRAM.test(line))
    .map((command) => ({ path, command }));
}

/** Words as a shell splits them, with variables and substitutions taken as one word. */
function wordsOf(command: string): string[] {
  const [plain = ''] = command.split(/\s(?:#|\|\|)\s/);
  return [...plain.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}
