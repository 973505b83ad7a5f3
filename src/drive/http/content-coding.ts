import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import type { Answer } from './message.ts';

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

/** A frame of zstd says how much memory its decoder needs. RFC 9659 allows 8 MiB in HTTP. */
const ZSTD_WINDOW = { [constants.ZSTD_d_windowLogMax]: 23 };

const DECODERS: Readonly<Record<string, Decode>> = {
  identity: (bytes) => bytes,
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: (bytes, options) => (isZlib(bytes) ? inflateSync : inflateRawSync)(bytes, options),
  br: brotliDecompressSync,
  zstd: (bytes, options) => zstdDecompressSync(bytes, { ...options, params: ZSTD_WINDOW }),
};

/** Each coding may take as long as the bound of the body allows, so no list of them is followed further. */
const MOST_CODINGS = 3;

/**
 * The text of a body without its content codings. The suite sends no Accept-Encoding, so a server may choose any (RFC
 * 9110, clause 12.5.3). Where they cannot be undone, the text is what came, because some servers name a coding that
 * they did not use, and `undecoded` says why.
 *
 * @param most how many bytes the text may have: a small body may decode to one that fills the memory
 * @param redact replaces API keys in a text with their aliases
 */
export function decodeBody(
  body: Buffer,
  fields: NonNullable<Answer['fields']>,
  most: number,
  redact: (text: string) => string,
): Pick<Answer, 'body' | 'undecoded'> {
  // An answer to HEAD, and a 304, may name the coding of a body that it does not have.
  if (body.length === 0) return { body: '' };
  const names = (fields['content-encoding'] ?? [])
    .flatMap((value) => redact(value).toLowerCase().split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const asItCame = (why: string) => ({ body: body.toString('utf8'), undecoded: why });
  const unknown = names.find((name) => !Object.hasOwn(DECODERS, name));
  if (unknown !== undefined) return asItCame(`the suite does not know its Content-Encoding ${shown(unknown)}`.trim());
  if (names.length > MOST_CODINGS) return asItCame(`its Content-Encoding has more than ${MOST_CODINGS} codings`);
  let bytes = body;
  for (const name of names.toReversed()) {
    try {
      bytes = DECODERS[name]?.(bytes, { maxOutputLength: most }) ?? bytes;
    } catch (error) {
      const isTooLong = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
      return asItCame(
        isTooLong
          ? `decoded from its Content-Encoding ${name}, it would be too long`
          : `it is not in its Content-Encoding ${name}, or breaks off`,
      );
    }
  }
  return { body: bytes.toString('utf8') };
}

/** The name of a coding, if it looks like one. */
function shown(name: string): string {
  return /^[a-z0-9._+/-]{1,40}$/.test(name) ? name : '';
}

/** Some servers send deflate without the zlib header that RFC 9110 (clause 8.4.1.2) asks for. */
function isZlib([first = 0, second = 0]: Buffer): boolean {
  return first % 16 === 8 && (first * 256 + second) % 31 === 0;
}
