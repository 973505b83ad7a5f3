import { execFileSync, spawnSync } from 'node:child_process';
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
    execFileSync(shell, ['-n'], { input: script });
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
});
