import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { systemClock } from '../clock/system-clock.ts';
import { encodeLine } from './codec.ts';
import { inspectTrace, readTrace, streamTrace } from './read-trace.ts';
import { createTrace } from './recorder.ts';
import { exchangeOf, HEADER, intentOf, temporaryFolder } from './trace.test-support.ts';

const traceFile = (): string => join(temporaryFolder(), 'trace.ndjson');

/** A trace with five exchanges, written out of order, and one request that was never answered: it was ended early. */
function recorded(): string {
  const file = traceFile();
  const recorder = createTrace(file, HEADER, systemClock());
  const all = [1, 2, 3, 4, 5].map((seq) => exchangeOf(seq));
  recorder.intend([...all, exchangeOf(6)].map(intentOf));
  for (const exchange of all.toReversed()) recorder.record(exchange);
  recorder.note('preflight', null, 'fine');
  recorder.close('interrupted');
  return file;
}

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');
const rewrite = (file: string, lines: readonly string[]): void => writeFileSync(file, `${lines.join('\n')}\n`);
const problemsOf = async (file: string) =>
  (await inspectTrace(file)).problems.map(({ line, code }) => `${code} ${line}`);

describe('recording', () => {
  test('a whole trace is read back in the order of sending', async () => {
    const trace = await readTrace(recorded());
    expect(trace.header).toEqual(HEADER);
    expect(trace.exchanges.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(trace.exchanges[3]).toMatchObject(exchangeOf(4));
    expect(trace.unanswered).toEqual([intentOf(exchangeOf(6))]);
    expect(trace.notes.map(({ code }) => code)).toEqual(['preflight']);
    expect(trace.footer).toMatchObject({ exchanges: 5, intents: 6, outcome: 'interrupted' });
  });

  test('intents are on disk at once, exchanges a little later', async () => {
    const file = traceFile();
    const recorder = createTrace(file, HEADER, systemClock());
    recorder.intend([intentOf(exchangeOf(1))]);
    expect(linesOf(file)).toHaveLength(2);
    recorder.record(exchangeOf(1));
    await vi.waitFor(() => expect(linesOf(file)).toHaveLength(3), { timeout: 60_000 });
    recorder.close('interrupted');
    expect((await readTrace(file)).footer?.outcome).toBe('interrupted');
  });

  test('nothing is overwritten, and the error says what to do', () => {
    const file = recorded();
    expect(() => createTrace(file, HEADER, systemClock())).toThrow(/trace\.ndjson: .*never overwrites.*--out/);
    expect(() => createTrace(join(file, 'x'), HEADER, systemClock())).toThrow(/cannot be written/);
    expect(statSync(file).mode & 0o777).toBe(0o644 & ~process.umask());
  });

  test('after the end nothing can be recorded, and closing twice does nothing', () => {
    const recorder = createTrace(traceFile(), HEADER, systemClock());
    recorder.close('complete');
    recorder.close('interrupted');
    expect(() => recorder.record(exchangeOf(1))).toThrow('has been closed');
  });

  test.runIf(process.platform === 'linux')('a full disk is told in words', () => {
    // /dev/full takes no byte; the file system opens it, since it is not there to be created, only by a link.
    const folder = temporaryFolder();
    const script = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const open = fs.openSync;
      fs.openSync = (file, flags, mode) => (String(file).endsWith('trace.ndjson') ? open('/dev/full', 'w') : open(file, flags, mode));
      syncBuiltinESMExports();
      const { createTrace } = await import(${JSON.stringify(new URL('./recorder.ts', import.meta.url).href)});
      try { createTrace(${JSON.stringify(join(folder, 'trace.ndjson'))}, { type: 'header' }, { now: () => 0 }); } catch (error) { console.log(error.name, error.message); }`;
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(out).toMatch(/^TraceError .*the disk is full: make room/);
  });

  test.each([
    ['a crash', 'throw new Error("boom")'],
    ['an exit', 'process.exit(3)'],
  ])('what was recorded before %s is written', async (_, ending) => {
    const file = traceFile();
    const script = `
      const { createTrace } = await import(${JSON.stringify(new URL('./recorder.ts', import.meta.url).href)});
      const recorder = createTrace(${JSON.stringify(file)}, ${JSON.stringify(HEADER)}, { now: () => 0 });
      recorder.intend([${JSON.stringify(intentOf(exchangeOf(1)))}]);
      recorder.record(${JSON.stringify(exchangeOf(1))});
      ${ending};`;
    spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    const trace = await readTrace(file);
    expect(trace.exchanges).toHaveLength(1);
    expect(trace.footer).toBeNull();
  });
});

describe('reading', () => {
  test('a trace that was cut short anywhere is read up to its last whole line', async () => {
    const file = recorded();
    const bytes = readFileSync(file);
    const header = bytes.indexOf(10) + 1;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: header, max: bytes.length - 1 }), async (length) => {
        writeFileSync(file, bytes.subarray(0, length));
        const { trace, problems } = await inspectTrace(file);
        expect(problems).toEqual([]);
        expect(trace.footer).toBeNull();
        const whole = bytes.subarray(0, length).toString().split('\n').slice(0, -1);
        expect(trace.exchanges).toHaveLength(whole.filter((line) => line.startsWith('{"type":"exchange"')).length);
      }),
      { numRuns: 50 },
    );
  });

  test.each<[string, (lines: string[]) => string[], string[]]>([
    ['a line is changed', (lines) => lines.map((line) => line.replace('"98"', '"99"')), ['chain 9']],
    ['a line is missing', (lines) => lines.toSpliced(2, 1), ['counts 8', 'chain 8']],
    ['lines change places', ([a = '', b = '', c = '', d = '', ...rest]) => [a, b, d, c, ...rest], ['chain 9']],
    ['a line is doubled', (lines) => lines.toSpliced(3, 0, lines[3] ?? ''), ['counts 10', 'chain 10', 'duplicate 5']],
    ['lines follow the footer', (lines) => [...lines, lines[2] ?? ''], ['after-footer 10']],
    ['the header comes twice', (lines) => [lines[0] ?? '', ...lines], ['order 2']],
    ['a line is no JSON', (lines) => lines.with(3, 'null'), ['schema 4']],
    ['a line is empty', (lines) => lines.with(3, ''), ['not-json 4']],
    ['a line is too long', (lines) => lines.with(3, 'x'.repeat(1_000_001)), ['oversize 4']],
  ])('%s', async (_, change, expected) => {
    const file = recorded();
    rewrite(file, change(linesOf(file)));
    expect((await problemsOf(file)).toSorted()).toEqual(expected.toSorted());
    await expect(readTrace(file)).rejects.toThrow('trace.ndjson, line ');
  });

  test.each([
    ['no file', null, 'unreadable'],
    ['an empty file', '', 'empty'],
    ['half a header', '{"type":"hea', 'empty'],
    ['no header', '{"type":"note","time":1,"code":"preflight","experiment":null,"text":""}\n', 'order'],
    ['something else', '<html>\n</html>\n', 'not-json'],
    ['an endless line', 'x'.repeat(3_000_000), 'oversize'],
    ['a later format', `${encodeLine({ ...HEADER, format: '2.0' })}\n`, 'format'],
  ])('%s is no trace', async (_, content, code) => {
    const file = traceFile();
    if (content !== null) writeFileSync(file, content);
    await expect(readTrace(file)).rejects.toMatchObject({ name: 'TraceError', problem: { code } });
    if (code === 'empty') await expect(readTrace(file)).rejects.toThrow('is empty, or its first line is cut off');
  });

  test('a random change of one byte never passes unseen in a whole trace', async () => {
    const file = recorded();
    const bytes = readFileSync(file);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 2), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = Buffer.from(bytes);
        changed[at] = ((bytes[at] ?? 0) + by) % 256;
        writeFileSync(file, changed);
        const trace = await readTrace(file).catch(() => null);
        // What is left is a change of the footer's own time, which the chain does not cover.
        if (trace?.footer)
          expect(linesOf(file).slice(0, -1)).toEqual(bytes.toString().trimEnd().split('\n').slice(0, -1));
      }),
      { numRuns: 100 },
    );
  });

  test('any bytes are refused in good order', async () => {
    const file = traceFile();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (bytes, headed) => {
        writeFileSync(file, headed ? `${encodeLine(HEADER)}\n` : '');
        appendFileSync(file, bytes);
        await inspectTrace(file).catch((error: Error) => expect(error.name).toBe('TraceError'));
      }),
      { numRuns: 100 },
    );
  });

  test('a stream gives the lines of the file in order, and throws where it is wrong', async () => {
    const file = recorded();
    const types: string[] = [];
    for await (const { type } of streamTrace(file)) types.push(type);
    expect(types).toEqual(['header', 'intent', ...Array.from({ length: 5 }, () => 'exchange'), 'note', 'footer']);
    rewrite(file, linesOf(file).toSpliced(2, 1));
    const reading = (async () => {
      for await (const _ of streamTrace(file));
    })();
    await expect(reading).rejects.toMatchObject({ problem: { code: 'counts' } });
  });
});
