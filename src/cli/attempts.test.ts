import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { countAttempt } from './attempts.ts';

const HOUR = 3_600_000;

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'attempts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('runs on one target within a day are counted, those on others and of yesterday not', () => {
  const folder = temporaryFolder();
  const count = (target: string, hour: number) =>
    countAttempt(`https://${target}.example/api/v1`, { folder, now: 1e12 + hour * HOUR });
  expect([0, 1, 2].map((hour) => count('acme', hour))).toEqual([1, 2, 3]);
  expect(count('other', 3)).toBe(1);
  expect(count('acme', 25)).toBe(2);
  expect(count('acme', 100)).toBe(1);
  expect(readdirSync(folder)).toEqual(['attempts']);
  expect(readFileSync(join(folder, 'attempts'), 'latin1')).not.toContain('acme');
});

test('what cannot be noted is not known, and what is damaged is forgotten', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'attempts'), 'nonsense\n1 2 3\n');
  expect(countAttempt('https://acme.example', { folder, now: 1e12 })).toBe(1);
  expect(countAttempt('https://acme.example', { folder: join(folder, 'attempts'), now: 1e12 })).toBeNull();
});
