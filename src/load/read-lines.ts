import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { LoadError } from './load-error.ts';

/**
 * The whole lines of a file, many at a time, in bounded memory. What stands after the last line end is left out: a killed k6
 * may have written half a record. Whoever keeps a part of a line keeps its whole batch, unless it is copied.
 *
 * @throws LoadError where the file cannot be read
 */
export async function* readLines(file: string): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 16 })) {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield lines;
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new LoadError(`${file} cannot be read (${code})`, 'Give the record files that k6 wrote.');
  }
}
