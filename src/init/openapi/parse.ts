import { parse, YAMLParseError } from 'yaml';
import { messageOf } from '../../caught.ts';
import { InitError } from '../init-error.ts';
import type { OpenApiSource } from './source.ts';

/** Maximum number of copies to which the aliases of a document may expand. */
const MAX_ALIASES = 1000;
/** Deeper than any document that people write, and far from the limit of the stack. */
const MAX_DEPTH = 200;

/**
 * The value of a document in YAML or JSON, and its references to other documents, each once.
 *
 * @throws InitError if it is neither, or nested too deeply
 */
export function parseSource(source: OpenApiSource): { readonly value: unknown; readonly outward: readonly string[] } {
  const value = contentOf(source);
  return { value, outward: outwardReferences(value, source.place) };
}

function contentOf({ text: source, place }: OpenApiSource): unknown {
  try {
    if (/^\s*\{/.test(source)) return JSON.parse(source);
  } catch {
    // A document that starts with a brace may be YAML in flow style.
  }
  try {
    return parse(source, { logLevel: 'error', maxAliasCount: MAX_ALIASES });
  } catch (error) {
    const why = firstLine(messageOf(error));
    if (error instanceof YAMLParseError) throw new InitError(`${place}: is neither YAML nor JSON: ${why}`);
    // The parser fails on excessive aliases and, when the stack overflows, on excessive depth.
    throw new InitError(
      `${place}: the document cannot be parsed: ${why}. Give a document of ordinary size and nesting.`,
    );
  }
}

function outwardReferences(root: unknown, place: string): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<object>();
  const visit = (node: unknown, depth: number): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    if (depth > MAX_DEPTH) {
      throw new InitError(`${place}: is nested more than ${MAX_DEPTH} levels deep. Give a document with less nesting.`);
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
