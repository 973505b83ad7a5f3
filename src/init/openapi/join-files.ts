import { dirname, relative, resolve, sep } from 'node:path';
import { messageOf } from '../../caught.ts';
import { record } from '../../profile/outline.ts';
import { parseSource } from './parse.ts';
import { readSource } from './source.ts';

/** Files that one document may be spread over. */
const MAX_FILES = 200;

/**
 * Joins a document of several files into one with only internal references: each file becomes an entry of `x-files`,
 * and each reference a pointer to or into an entry. It reads nothing outside of the document's folder and nothing over
 * the network.
 */
export async function joinFiles(
  document: Readonly<Record<string, unknown>>,
  file: string,
): Promise<{ readonly root: Readonly<Record<string, unknown>> } | { readonly error: string }> {
  const folder = resolve(dirname(file));
  const contents: unknown[] = [];
  const places = new Map([[resolve(file), '#']]);

  async function placeOf(path: string): Promise<string> {
    const known = places.get(path);
    if (known !== undefined) return known;
    const below = relative(folder, path);
    if (below === '..' || below.startsWith(`..${sep}`)) throw new Error(`${path} lies outside the document's folder`);
    if (places.size > MAX_FILES) throw new Error(`it is spread over more than ${MAX_FILES} files`);
    const index = places.size - 1;
    const place = `#/x-files/${index}`;
    places.set(path, place);
    contents[index] = await inside(parseSource(await readSource(path)).value, path, place);
    return place;
  }

  /** A part of the file at `path`, with references to the places of the files in the joined document. */
  async function inside(part: unknown, path: string, place: string): Promise<unknown> {
    if (typeof part !== 'object' || part === null) return part;
    const copy: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(part)) {
      const [target = '', fragment = ''] = name === '$ref' && typeof value === 'string' ? value.split('#') : [];
      if (name !== '$ref' || typeof value !== 'string') copy[name] = await inside(value, path, place);
      else if (/^[a-z][a-z0-9+.-]*:\/\//i.test(target))
        throw new Error(`${target} is not in the folder of the document`);
      else if (target === '') copy[name] = place + fragment;
      else copy[name] = (await placeOf(resolve(dirname(path), decodeURIComponent(target)))) + fragment;
    }
    return Array.isArray(part) ? Object.values(copy) : copy;
  }

  try {
    const root = record(await inside(document, resolve(file), '#'));
    return { root: { ...root, 'x-files': contents } };
  } catch (error) {
    return { error: messageOf(error).split('\n')[0] ?? '' };
  }
}
