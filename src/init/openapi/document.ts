import { parseDocument } from 'yaml';
import { record, text } from '../../profile/outline.ts';
import { InitError } from '../init-error.ts';
import { joinFiles } from './join-files.ts';
import type { OpenApiSource } from './source.ts';
import { fromSwagger2 } from './swagger-2.ts';

/** Copies that the aliases of a document may stand for. */
const MAX_ALIASES = 1000;
/** Deeper than any description that people write, and far from the end of the stack. */
const MAX_DEPTH = 200;

export type Fields = Readonly<Record<string, unknown>>;

/** A document that was read, and what of it could not be. */
export interface OpenApiDocument {
  readonly root: Fields;
  /** What is referred to and was not read, in words. */
  readonly unread: readonly string[];
}

/**
 * Parses an OpenAPI 3.x document, or a Swagger 2.0 one. What it refers to in other files below its folder is read too; in a document from a URL such
 * references are left open. A document that breaks the letter of OpenAPI is taken as far as it can be understood.
 *
 * @throws InitError where the text is no YAML or JSON, or none of these documents
 */
export async function readOpenApi(source: OpenApiSource): Promise<OpenApiDocument> {
  const { place } = source;
  const value = parse(source);
  const root = record(value);
  const older = root.swagger === '2.0' || root.swagger === 2;
  const modern = (each: Fields): Fields => (older ? fromSwagger2(each) : each);
  if (!older && !/^3\.\d/.test(text(root.openapi) ?? `${typeof root.openapi === 'number' ? root.openapi : ''}`)) {
    throw new InitError(
      `${place}: is no OpenAPI document: its field openapi must be such as 3.1.0 (or swagger: "2.0").`,
    );
  }
  const outward = outwardReferences(value, place);
  if (outward.length === 0) return { root: modern(root), unread: [] };
  const left = `refers to other documents (${outward.slice(0, 3).join(', ')}${outward.length > 3 ? ' …' : ''})`;
  if (source.isUrl) return { root: modern(root), unread: [`${left}, which were not read: bundle it into one file`] };
  const joined = await joinFiles(place);
  if ('error' in joined) return { root: modern(root), unread: [`${left}, which could not be read: ${joined.error}`] };
  outwardReferences(joined.root, place);
  return { root: modern(record(joined.root)), unread: [] };
}

function parse({ text: source, place }: OpenApiSource): unknown {
  try {
    if (/^\s*\{/.test(source)) return JSON.parse(source);
  } catch {
    // A document that starts with a brace may be YAML in flow style.
  }
  try {
    const parsed = parseDocument(source, { prettyErrors: true, logLevel: 'error' });
    const [error] = parsed.errors;
    if (!error) return parsed.toJS({ maxAliasCount: MAX_ALIASES });
    throw new InitError(`${place}: is neither YAML nor JSON: ${firstLine(error.message)}`);
  } catch (error) {
    if (error instanceof InitError) throw error;
    // The parser gives up on excessive aliases and, by the end of the stack, on excessive depth.
    const why = error instanceof Error ? firstLine(error.message) : String(error);
    throw new InitError(`${place}: the document cannot be parsed: ${why}. Give one of ordinary size and depth.`);
  }
}

/** The references that lead out of the document, each once. Throws where it is too deep to be gone through. */
function outwardReferences(root: unknown, place: string): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<object>();
  const visit = (node: unknown, depth: number): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    if (depth > MAX_DEPTH) {
      throw new InitError(`${place}: is nested more than ${MAX_DEPTH} deep. Give one that people can read.`);
    }
    seen.add(node);
    for (const [name, value] of Object.entries(node)) {
      if (name === '$ref' && typeof value === 'string' && !value.startsWith('#')) found.add(value);
      else visit(value, depth + 1);
    }
  };
  visit(root, 0);
  return [...found];
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/[:.]$/, '');
}
