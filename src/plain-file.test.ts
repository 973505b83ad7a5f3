import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readPublicKey } from './certificate/signing-key.ts';
import { readSource } from './init/openapi/source.ts';
import { RecordFile } from './load/record-file.ts';
import { bytesOf, piecesOf } from './plain-file.ts';
import { environmentOf, readVariables } from './profile/environment.ts';
import { readReport } from './run-folder/read-report.ts';
import { readTrace } from './trace/read-trace.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plain-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What is no plain file: a reader of a pipe would wait for ever, and one of a device read for ever. */
const OTHERS: readonly (readonly [string, (path: string) => void])[] = [
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a device', (path) => symlinkSync('/dev/zero', path)],
  ['a folder', (path) => mkdirSync(path)],
];

describe.runIf(process.platform !== 'win32')('what is no plain file is refused', () => {
  test.each(OTHERS)('%s, by all that read files of others', async (_, make) => {
    const path = join(temporaryFolder(), 'file');
    make(path);
    expect(() => bytesOf(path, 100, 'followed')).toThrow('it is no plain file');
    await expect(readTrace(path)).rejects.toThrow('it is no plain file');
    expect(() => readPublicKey(path)).toThrow('it is no plain file');
    expect(() => new RecordFile(path).read()).toThrow('it is no plain file');
    await expect(readSource(path)).rejects.toThrow('it is no plain file');
    expect(environmentOf(readVariables({}, path))).toEqual({
      errors: [expect.stringContaining('it is no plain file')],
    });
    const folder = temporaryFolder();
    make(join(folder, 'report.json'));
    await expect(readReport(folder)).rejects.toThrow('it is no plain file');
  });

  test('nor a link, where links are not followed', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), 'text');
    symlinkSync(join(folder, 'file'), join(folder, 'link'));
    expect(bytesOf(join(folder, 'link'), 4, 'followed').toString()).toBe('text');
    expect(() => bytesOf(join(folder, 'link'), 4, 'refused')).toThrow('links are not followed');
  });
});

test('what is not there is told in words, also below a file', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'trace.ndjson'), '');
  const below = join(folder, 'trace.ndjson', 'report.json');
  expect(() => bytesOf(below, 100, 'followed')).toThrow('there is no such file: a part of its path is no folder');
  await expect(readReport(below)).rejects.toThrow('there is no report here. Name the folder of a run');
  expect(() => new RecordFile(join(folder, 'none')).read()).toThrow('none cannot be read: there is no such file');
});

test('a report in place of a trace is told to be none', async () => {
  const report = fileURLToPath(new URL('../reports/sample/report.json', import.meta.url));
  await expect(readTrace(report)).rejects.toThrow(
    'line 1: this is not a trace, or its beginning is damaged. Give the folder of a run, or its trace.ndjson',
  );
});

test('a file beyond the bound is refused, and one that is just within it is read', () => {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, 'x'.repeat(2 ** 19));
  expect(bytesOf(path, 2 ** 19, 'refused')).toHaveLength(2 ** 19);
  expect(() => bytesOf(path, 2 ** 19 - 1, 'refused')).toThrow('larger than 524287 bytes');
});

test('a key file of more than 16 KB is not read', () => {
  const path = join(temporaryFolder(), 'key.pem');
  writeFileSync(path, 'x'.repeat(16_385));
  expect(() => readPublicKey(path)).toThrow('larger than 16384 bytes');
});

test('what another file is put in the place of meanwhile is read to its end', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'file');
  writeFileSync(path, 'a'.repeat(2 ** 19));
  writeFileSync(join(folder, 'other'), 'b'.repeat(2 ** 19));
  let text = '';
  for (const piece of piecesOf(path, 2 ** 20, 'refused')) {
    if (text === '') renameSync(join(folder, 'other'), path);
    text += piece.toString('latin1');
  }
  expect(text).toBe('a'.repeat(2 ** 19));
});
