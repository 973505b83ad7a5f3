import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import type { Path } from './finding.ts';

/** Bounds that keep any input from making the reader slow or using much memory. */
const MAX_BYTES = 1_000_000;
const MAX_DEPTH = 32;
const MAX_ALIASES = 100;

/** A place in a text, both counted from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** A parsed text in which each part has its position. */
export interface SourceDocument {
  /** Plain JSON values only. */
  readonly value: unknown;
  /** The position of the value at a path, or of its name. A path that does not exist is followed as far as possible. */
  locate(path: Path, on: 'name' | 'value'): Position;
}

export interface SyntaxProblem {
  readonly position: Position;
  readonly problem: string;
  readonly remedy: string;
}

/**
 * Parses YAML 1.2, which includes JSON. Problems are duplicate names, tags, recursive aliases, numbers that cannot be
 * stored exactly, and anything beyond the bounds on size, depth and aliases. Returns all problems at once; never
 * throws.
 */
export function readDocument(
  text: string,
): { readonly document: SourceDocument } | { readonly problems: readonly SyntaxProblem[] } {
  const start = { line: 1, column: 1 };
  if (Buffer.byteLength(text) > MAX_BYTES) {
    return {
      problems: [{ position: start, problem: 'the file is larger than 1 MB', remedy: 'List fewer operations.' }],
    };
  }
  const lines = new LineCounter();
  const parsed = parseDocument(text, { prettyErrors: false, uniqueKeys: false, lineCounter: lines });
  const positionOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problems = [...syntaxProblems(parsed, positionOf), ...structureProblems(parsed, positionOf)];
  if (problems.length > 0) return { problems };
  try {
    const value: unknown = parsed.toJS({ maxAliasCount: MAX_ALIASES });
    return { document: { value, locate: (path, on) => positionOf(offsetOf(parsed, path, on)) } };
  } catch {
    const problem = `the aliases of the file expand to more than ${MAX_ALIASES} copies`;
    return { problems: [{ position: start, problem, remedy: 'Write the values out, or use fewer aliases.' }] };
  }
}

const TAG = ['a YAML tag is used', 'Remove the tag: plain values are enough here.'] as const;
const NESTED = ['the file is nested too deeply', `Nest at most ${MAX_DEPTH} levels.`] as const;

const SYNTAX: Readonly<Record<string, readonly [problem: string, remedy: string]>> = {
  MULTIPLE_DOCS: ['the file contains more than one YAML document', 'Remove the line "---" and what follows it.'],
  TAB_AS_INDENT: ['a tab is used for indentation', 'Indent with spaces.'],
  TAG_RESOLVE_FAILED: TAG,
  RESOURCE_EXHAUSTION: NESTED,
  BAD_INDENT: [
    'the indentation or a closing bracket is wrong',
    'Close each bracket, and align the fields of one level.',
  ],
};

function syntaxProblems(parsed: Document, positionOf: (offset: number) => Position): readonly SyntaxProblem[] {
  const nested = parsed.errors.find((error) => error.code === 'RESOURCE_EXHAUSTION');
  const problems = (nested ? [nested] : [...parsed.errors, ...parsed.warnings]).map((error) => {
    const [problem, remedy] = SYNTAX[error.code] ?? [
      `the file is not valid YAML (${withoutQuotes(error.message)})`,
      'Correct the text at this place.',
    ];
    return { position: positionOf(error.pos[0]), problem, remedy };
  });
  if (parsed.directives?.yaml.version === '1.1') {
    const problem = 'the file asks for YAML 1.1';
    problems.push({
      position: { line: 1, column: 1 },
      problem,
      remedy: 'Remove the directive: the suite reads YAML 1.2.',
    });
  }
  return problems;
}

/** The parser's messages quote the text, which may contain secrets. */
function withoutQuotes(message: string): string {
  return message.split('\n')[0]?.replace(/: .*$/, '').replace(/[.:]$/, '') ?? '';
}

function structureProblems(parsed: Document, positionOf: (offset: number) => Position): readonly SyntaxProblem[] {
  const problems: SyntaxProblem[] = [];
  const report = (node: { range?: readonly number[] | null }, problem: string, remedy: string) =>
    problems.push({ position: positionOf(node.range?.[0] ?? 0), problem, remedy });
  visit(parsed, (_, node, path) => {
    if (!isNode(node)) return undefined;
    if (isMap(node)) reportDuplicates(node, report);
    if (isAlias(node)) {
      const target = node.resolve(parsed);
      if (!target) report(node, `no anchor precedes the alias *${node.source}`, 'Write the value out.');
      else if (path.includes(target))
        report(node, 'an alias refers to a value that contains it', 'Write the value out.');
    } else if (node.tag && !PLAIN_TAG.test(node.tag) && parsed.warnings.length === 0) {
      report(node, ...TAG);
    }
    if (isScalar(node) && typeof node.value === 'number' && !isExact(node.value, node.source ?? '')) {
      report(node, 'a number cannot be stored exactly', 'Put it in quotes.');
    }
    if (path.filter(isCollection).length < MAX_DEPTH) return undefined;
    report(node, ...NESTED);
    return visit.SKIP;
  });
  return problems;
}

const PLAIN_TAG = /^tag:yaml\.org,2002:(str|int|float|bool|null|map|seq)$/;

/** A double cannot store identifiers of 64 bits exactly; NaN and infinities are not JSON. */
function isExact(value: number, source: string): boolean {
  return Number.isFinite(value) && (!/^[-+]?\d+$/.test(source) || BigInt(source.replace('+', '')) === BigInt(value));
}

function reportDuplicates(map: YAMLMap, report: (node: Scalar | Node, problem: string, remedy: string) => void): void {
  const seen = new Set<string>();
  for (const { key } of map.items) {
    if (!isScalar(key)) {
      if (isNode(key)) report(key, 'a field name is not plain text', 'Use plain text before the colon.');
      continue;
    }
    const name = String(key.value);
    if (seen.has(name)) report(key, `the field ${JSON.stringify(name)} occurs twice`, 'Keep one of them.');
    seen.add(name);
  }
}

function offsetOf(parsed: Document, path: Path, on: 'name' | 'value'): number {
  let node: unknown = parsed.contents;
  let offset = startOf(node);
  for (const [index, part] of path.entries()) {
    if (isAlias(node)) node = (node as Alias).resolve(parsed);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!isPair(pair)) return offset;
      const named = on === 'name' && index === path.length - 1;
      node = named ? pair.key : (pair.value ?? pair.key);
      // An empty value is positioned after the colon, but its name is easier to see.
      if (isScalar(node) && node.value === null && node.source === '') node = pair.key;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
    } else return offset;
    offset = startOf(node) || offset;
  }
  return offset;
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}
