import { closeSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { messageOf } from '../caught.ts';
import { openPlain } from '../plain-file.ts';
import { LoadError } from './load-error.ts';

const CHUNK_BYTES = 1 << 16;

/** A file of lines that is read as far as it has been written, in bounded memory. */
export class RecordFile {
  readonly file: string;
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  readonly #decoder = new StringDecoder('utf8');
  #descriptor: number | null = null;
  /** What stands after the last line end: half a line, which a killed k6 may have left. */
  #rest = '';

  constructor(file: string) {
    this.file = file;
  }

  /**
   * Further whole lines, many at a time; null: there are no more, for now. Whoever keeps a part of a line keeps all
   * that was read with it, unless it is copied.
   *
   * @throws LoadError where the file cannot be read
   */
  read(): readonly string[] | null {
    try {
      this.#descriptor ??= openPlain(this.file, 'followed');
      const length = readSync(this.#descriptor, this.#chunk, 0, CHUNK_BYTES, null);
      if (length === 0) return null;
      const lines = (this.#rest + this.#decoder.write(this.#chunk.subarray(0, length))).split('\n');
      this.#rest = lines.pop() ?? '';
      return lines;
    } catch (error) {
      const why = messageOf(error);
      throw new LoadError(`${this.file} cannot be read: ${why}`, 'Give the record files that k6 wrote.');
    }
  }

  /** All that has been written, as `read` gives it. */
  *[Symbol.iterator](): Generator<readonly string[]> {
    for (let lines = this.read(); lines !== null; lines = this.read()) yield lines;
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }
}
