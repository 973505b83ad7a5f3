import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inTheWay, makeFolder, takesReports } from './output-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'size-chart-out-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a folder is made with those above it, and may be there', () => {
  for (const _ of [1, 2]) makeFolder(join(folder, 'a', 'b', 'c'));
  expect(existsSync(join(folder, 'a', 'b', 'c'))).toBe(true);
});

test('below a file no folder is made, and it says so', () => {
  writeFileSync(join(folder, 'file'), '');
  for (const path of ['file', 'file/below', 'file/further/below']) {
    expect(() => makeFolder(join(folder, path))).toThrow(/ENOTDIR/);
  }
});

// Node.js spins for ever where it makes all folders of such a path by itself.
test.runIf(existsSync('/proc/self'))('where the system lets nothing be made, it ends', () => {
  expect(() => makeFolder('/proc/nope/below')).toThrow(/ENOENT|EACCES|EPERM|EROFS/);
});

test('what a run would write over is named, whoever wrote it', () => {
  expect(inTheWay(join(folder, 'none'))).toBeNull();
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  expect(inTheWay(folder)).toBeNull();
  writeFileSync(join(folder, 'report.html'), 'mine');
  expect(inTheWay(folder)).toBe('report.html');
  writeFileSync(join(folder, 'records-1.raw'), '');
  expect(inTheWay(folder)).toBe('a run');
});

test('reports are made again in the folder of a run only', () => {
  expect(takesReports(folder)).toBe(true);
  writeFileSync(join(folder, 'summary.md'), 'mine');
  expect(takesReports(folder)).toBe(false);
  writeFileSync(join(folder, 'trace.ndjson'), '');
  expect(takesReports(folder)).toBe(true);
});
