import { record, text } from '../../profile/outline.ts';
import { InitError } from '../init-error.ts';
import { joinFiles } from './join-files.ts';
import { parseSource } from './parse.ts';
import type { OpenApiSource } from './source.ts';
import { fromSwagger2 } from './swagger-2.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A document, and its parts that could not be read. */
export interface OpenApiDocument {
  readonly root: Fields;
  /** The references that were not read, in words. */
  readonly unread: readonly string[];
}

/**
 * Parses an OpenAPI 3.x document, or a Swagger 2.0 one. It also reads referenced files below the document's folder; for
 * a document from a URL it does not. From a document that violates OpenAPI, it takes everything that it understands.
 *
 * @throws InitError if the text is not YAML or JSON, or not such a document
 */
export async function readOpenApi(source: OpenApiSource): Promise<OpenApiDocument> {
  const { place } = source;
  const { value, outward } = parseSource(source);
  const root = record(value);
  const older = root.swagger === '2.0' || root.swagger === 2;
  if (!older && !/^3\.\d/.test(text(root.openapi) ?? `${typeof root.openapi === 'number' ? root.openapi : ''}`)) {
    throw new InitError(
      `${place}: is not an OpenAPI document: its field openapi must be a version such as 3.1.0 (or swagger: "2.0").`,
    );
  }
  const modern = (each: unknown): Fields => (older ? fromSwagger2(record(each)) : record(each));
  if (outward.length === 0) return { root: modern(root), unread: [] };
  const left = `refers to other documents (${outward.slice(0, 3).join(', ')}${outward.length > 3 ? ' …' : ''})`;
  if (source.isUrl)
    return { root: modern(root), unread: [`${left}, which were not read: bundle the document into one file`] };
  const joined = await joinFiles(root, place);
  if ('error' in joined) return { root: modern(root), unread: [`${left}, which could not be read: ${joined.error}`] };
  return { root: modern(joined.root), unread: [] };
}
