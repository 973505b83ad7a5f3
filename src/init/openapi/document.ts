import { record, text } from '../../profile/outline.ts';
import { InitError } from '../init-error.ts';
import { joinFiles } from './join-files.ts';
import { parseSource } from './parse.ts';
import type { OpenApiSource } from './source.ts';
import { fromSwagger2 } from './swagger-2.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A document that was read, and what of it could not be. */
export interface OpenApiDocument {
  readonly root: Fields;
  /** What is referred to and was not read, in words. */
  readonly unread: readonly string[];
}

/**
 * Parses an OpenAPI 3.x document, or a Swagger 2.0 one. What it refers to in other files below its folder is read too; in a document from a
 * URL such references are left open. A document that breaks the letter of OpenAPI is taken as far as it can be understood.
 *
 * @throws InitError where the text is no YAML or JSON, or none of these documents
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
