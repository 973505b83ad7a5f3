import { EnvHttpProxyAgent, fetch } from 'undici';
import { bytesOf, NoPlainFile } from '../../plain-file.ts';
import { InitError } from '../init-error.ts';

/** Documents that people write are far smaller than this many bytes. */
const MAX_BYTES = 4_000_000;
const TIMEOUT_MS = 15_000;

/** The text of an OpenAPI document, and where it was read from. */
export interface OpenApiSource {
  readonly text: string;
  /** The URL or path as it was given. */
  readonly place: string;
  readonly isUrl: boolean;
}

/**
 * Reads a document of at most 4 MB from a file, or from a URL within 15 s. It follows no redirect, so it contacts only
 * the given host.
 *
 * @throws InitError where there is nothing to read
 */
export async function readSource(place: string): Promise<OpenApiSource> {
  const isUrl = /^https?:\/\//i.test(place);
  const bytes = isUrl ? await download(place) : readBounded(place);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), place, isUrl };
  } catch {
    throw new InitError(`${place}: the document is not UTF-8 text. Give a document in YAML or JSON.`);
  }
}

/**
 * Reads a file of at most 4 MB.
 *
 * @throws InitError
 */
function readBounded(file: string): Buffer {
  try {
    return bytesOf(file, MAX_BYTES, 'followed');
  } catch (error) {
    if (!(error instanceof NoPlainFile)) throw error;
    if (error.code === 'EFBIG') throw tooLarge(file);
    throw new InitError(`${file}: ${error.message}. Give the path or URL of an OpenAPI document with --openapi.`);
  }
}

async function download(url: string): Promise<Buffer> {
  const dispatcher = new EnvHttpProxyAgent();
  try {
    const response = await fetch(url, {
      dispatcher,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { accept: 'application/yaml, application/json, */*' },
    });
    if (response.status >= 300 && response.status < 400) {
      throw new InitError(
        `${url}: answers with a redirect, which the suite does not follow. Give the address that it leads to.`,
      );
    }
    if (!response.ok || response.body === null) {
      throw new InitError(
        `${url}: answers ${response.status}. Give the address of the document, or download it and give the file.`,
      );
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > MAX_BYTES) throw tooLarge(url);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof InitError) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const why = cause instanceof Error ? cause.message || cause.name : String(cause);
    throw new InitError(`${url}: the document cannot be downloaded (${why}). Check the address, or give a file.`);
  } finally {
    await dispatcher.destroy();
  }
}

function tooLarge(place: string): InitError {
  return new InitError(`${place}: the document is larger than 4 MB. Give one that describes only this service.`);
}
