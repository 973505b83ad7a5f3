import { readDocument, type SourceDocument, type SyntaxProblem } from './document.ts';
import { type Finding, finding, type Path, pathText } from './finding.ts';
import { keyHider } from './hide-keys.ts';
import { asQuestion } from './nearest.ts';
import { normalise } from './normalise.ts';
import { outlineOf, record, text } from './outline.ts';
import type { Keys, Profile } from './profile.ts';
import { checkBaseUrl, checkVersion } from './rules/target.ts';
import { checkEnds, type Ended } from './rules/waivers.ts';
import { RULES } from './rules.ts';
import { checkShape } from './shape.ts';
import { textsIn } from './texts.ts';

/** A mistake in a profile and its place. It contains no header value, no proxy and no key. */
export interface ProfileError {
  readonly file: string;
  /** Counted from 1; 0 if it is not in a file (an option or the environment). */
  readonly line: number;
  readonly column: number;
  /** The field, such as `operations[2].kind`; `the profile` for the whole, empty if the file cannot be read as one. */
  readonly path: string;
  /** The wrong value as JSON, shortened if it is long; null if there is none to show. */
  readonly value: string | null;
  readonly problem: string;
  /** The nearest valid name. */
  readonly suggestion: string | null;
  readonly remedy: string;
}

export interface ReadOptions {
  /** Name of the file, for the errors. */
  readonly file: string;
  /** Overrides the file's `base_url`. */
  readonly baseUrl?: string | null;
  /** Keys that must not occur in the profile. */
  readonly keys?: Keys;
  /** Which waivers have ended, and how bad that is; left out: any may have. */
  readonly ended?: Ended;
}

export type ReadResult =
  | { readonly profile: Profile; readonly warnings: readonly ProfileError[] }
  | { readonly errors: readonly ProfileError[] };

/** Nobody reads more; the first ones are enough to continue. */
const MAX_ERRORS = 100;

/**
 * Reads a target profile. Returns the profile with warnings, or all errors at once in the order of the file. Never
 * throws.
 */
export function readProfile(source: string, options: ReadOptions): ReadResult {
  const result = read(source, options);
  if (!options.keys) return result;
  const redact = keyHider(options.keys);
  const clean = (error: ProfileError): ProfileError => {
    const { path, value, problem } = error;
    return { ...error, path: redact(path), value: value && redact(value), problem: redact(problem) };
  };
  return 'errors' in result
    ? { errors: result.errors.map(clean) }
    : { profile: result.profile, warnings: result.warnings.map(clean) };
}

function read(source: string, options: ReadOptions): ReadResult {
  const { file, baseUrl = null } = options;
  const parsed = readDocument(source);
  if ('problems' in parsed) return { errors: syntaxErrors(parsed.problems, file) };
  const { value } = parsed.document;
  const outline = outlineOf(value);
  const findings =
    value === null || value === undefined
      ? [finding([], 'is empty', 'Remove the file, and make a profile with the command init.')]
      : [
          ...checkShape(value),
          ...RULES.flatMap((rule) => rule(outline)),
          ...(options.ended ? checkEnds(outline, options.ended) : []),
          ...keysIn(value, [], options.keys),
        ];
  const fromOutside =
    baseUrl === null
      ? []
      : [...checkBaseUrl(baseUrl, []), ...checkVersion(baseUrl, []), ...keysIn(baseUrl, [], options.keys)];
  const inFile = findings.filter(({ path }) => baseUrl === null || path[0] !== 'base_url');
  const { errors, warnings } = told([...fromOutside, ...inFile], (found) =>
    fromOutside.includes(found)
      ? { ...locate(found, OUTSIDE, null), path: 'base URL' }
      : locate(found, file, parsed.document),
  );
  const chosen = baseUrl ?? text(outline.root.base_url);
  if (errors.length > 0) return { errors: errors.slice(0, MAX_ERRORS) };
  if (chosen === null) return { errors: [locate(NO_BASE_URL, file, parsed.document)] };
  return { profile: normalise(outline.root, chosen), warnings };
}

/** Findings as what people are told, each in the order of the file. */
export function told(findings: readonly Finding[], tell: (found: Finding) => ProfileError) {
  const of = (severity: Finding['severity']): readonly ProfileError[] =>
    inOrder(findings.filter((found) => found.severity === severity).map(tell));
  return { errors: of('error'), warnings: of('warning') };
}

/** One line for people: `file:line:column: field problem: value. Did you mean …? Remedy`. */
export function formatProfileError(error: ProfileError): string {
  const place = error.line === 0 ? error.file : `${error.file}:${error.line}:${error.column}`;
  const value = error.value === null ? '' : `, not ${error.value}`;
  return `${place}: ${error.path === '' ? '' : `${error.path} `}${error.problem}${value}.${asQuestion(error.suggestion)} ${error.remedy}`;
}

export function syntaxErrors(problems: readonly SyntaxProblem[], file: string): readonly ProfileError[] {
  const named = (problem: string): string =>
    /\.json$/i.test(file) ? problem.replace('valid YAML', 'valid JSON') : problem;
  const errors = problems.map(({ position, problem, remedy }) => ({
    ...errorOf(file, named(problem), remedy),
    ...position,
  }));
  // Where one bracket is missing, the parser may say the same of the same place twice.
  return inOrder([...new Map(errors.map((each) => [formatProfileError(each), each])).values()]);
}

/** An error about a file as a whole. */
export function errorOf(file: string, problem: string, remedy: string): ProfileError {
  return { file, line: 0, column: 0, path: '', value: null, problem, suggestion: null, remedy };
}

const OUTSIDE = '--base-url or SIZE_CHART_BASE_URL';

const NO_BASE_URL = finding(
  [],
  'has no base URL',
  'Add the field base_url, or give --base-url or SIZE_CHART_BASE_URL.',
);

/** Findings about texts that contain a key, or enough of one to reveal it, at any depth of a value. */
export function keysIn(value: unknown, path: Path, keys: Keys | undefined): readonly Finding[] {
  if (!keys) return [];
  const redact = keyHider(keys);
  const problem = 'contains an API key, or a part of one';
  const remedy =
    'Remove it: keys come from the environment or .env only. If the key is only by chance a word of the profile, use another key.';
  return textsIn(value, path)
    .filter(({ text }) => redact(text) !== text)
    .map(({ path: at, on }) => finding(at, problem, remedy, { on }));
}

/** A finding with its place in the file, for people; `document` is null if it is not in a file. */
export function locate(found: Finding, file: string, document: SourceDocument | null): ProfileError {
  const { path, on, problem, suggestion, remedy } = found;
  return {
    ...errorOf(file, problem, remedy),
    ...document?.locate(path, on),
    path: pathText(path),
    value: shown(found, document),
    suggestion,
  };
}

/** Values of these fields may be secret. */
const PRIVATE = ['headers', 'proxy', 'base_url'];

function shown({ path, on, problem }: Finding, document: SourceDocument | null): string | null {
  if (on === 'name' || document === null || !problem.startsWith('must be')) return null;
  if (path.some((part) => PRIVATE.includes(String(part)))) return null;
  const value = path.reduce<unknown>(
    (at, part) => (Array.isArray(at) ? at[Number(part)] : record(at)[part]),
    document.value,
  );
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > 60 ? `${json.slice(0, 59)}…` : json;
}

/** In the order of the file. */
function inOrder(errors: readonly ProfileError[]): readonly ProfileError[] {
  return [...errors].sort((a, b) => a.line - b.line || a.column - b.column);
}
