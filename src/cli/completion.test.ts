import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMAND_NAMES, commandSpec } from './commands.ts';
import { completionScript, SHELLS } from './completion.ts';

describe.each(SHELLS)('the completion for %s', (shell) => {
  const script = completionScript(shell);
  const there = spawnSync(shell, ['-c', 'true']).status === 0;

  test('names every command and each of its options', () => {
    for (const name of COMMAND_NAMES) {
      expect(script).toContain(name);
      for (const option of commandSpec(name).options) expect(script).toMatch(new RegExp(`(--|-l )${option}\\b`));
    }
  });

  test.skipIf(!there)(`is read by ${shell}${there ? '' : ' (skipped: it is not installed)'}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'size-chart-completion-'));
    writeFileSync(join(folder, shell), script);
    execFileSync(shell, ['-n', join(folder, shell)]);
    rmSync(folder, { recursive: true });
  });
});

test('bash completes commands, and the options and words of one', () => {
  const complete = (...words: readonly string[]): string[] => {
    const line = words.map((word) => `'${word}'`).join(' ');
    const script = `${completionScript('bash')}COMP_WORDS=(program ${line}); COMP_CWORD=${words.length}; _size_chart_conformance; echo "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split(' ');
  };
  expect(complete('cer')).toEqual(['certify']);
  expect(complete('certify', '--dry')).toEqual(['--dry-run']);
  expect(complete('load', 'con')).toEqual(['contention']);
  expect(complete('help', 'repl')).toEqual(['replay']);
});

const fish = SHELLS.find((shell) => shell === 'fish') ?? '';
const hasFish = spawnSync(fish, ['-c', 'true']).status === 0;

test.skipIf(!hasFish)(`fish does, too${hasFish ? '' : ' (skipped: it is not installed)'}`, () => {
  const complete = (line: string): string[] => {
    const script = `${completionScript('fish')}complete -C 'size-chart-conformance ${line}'`;
    const told = execFileSync(fish, ['--no-config', '-c', script], { encoding: 'utf8' });
    return told
      .trim()
      .split('\n')
      .map((each) => each.split('\t')[0] ?? '');
  };
  expect(complete('cer')).toEqual(['certify']);
  expect(complete('certify --dry')).toEqual(['--dry-run']);
  expect(complete('certify --reporter ht')).toEqual(['html']);
  expect(complete('help repl')).toEqual(['replay']);
});
