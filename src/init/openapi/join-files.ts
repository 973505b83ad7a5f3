import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, type ParserOptions } from '@readme/openapi-parser';
import { readBounded } from './source.ts';

/** Files that one document may be spread over. */
const MAX_FILES = 200;

/**
 * Joins a document that is spread over several files into one whose references stay inside. Reads nothing outside of the document's
 * folder, and nothing over the network.
 */
export async function joinFiles(file: string): Promise<{ readonly root: unknown } | { readonly error: string }> {
  const folder = resolve(dirname(file));
  let files = 0;
  const reader = {
    order: 1,
    canRead: true,
    async read({ url }: { readonly url: string }): Promise<Buffer> {
      const path = url.startsWith('file:') ? fileURLToPath(url) : decodeURIComponent(url);
      const below = relative(folder, resolve(path));
      if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) throw new Error(`${path} is not in the folder of the document`);
      if (below === '..' || below.startsWith(`..${sep}`)) throw new Error(`${path} lies outside the document's folder`);
      files += 1;
      if (files > MAX_FILES) throw new Error(`it is spread over more than ${MAX_FILES} files`);
      return readBounded(path);
    },
  };
  // The parser hands both on to its resolvers, of which its types name less: a file reader of our own, and none for HTTP.
  const options = { resolve: { file: reader, http: { canRead: false } } } as unknown as ParserOptions;
  try {
    return { root: await bundle(resolve(file), options) };
  } catch (error) {
    return { error: (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '' };
  }
}
