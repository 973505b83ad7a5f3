import { record } from '../../profile/outline.ts';
import { exampleOf } from '../openapi/example.ts';
import type { ApiContent } from '../openapi/operations.ts';
import { type Resolve, schemaOf, typeOf } from '../openapi/schema.ts';
import type { Checked } from '../proposal.ts';
import { plainName, type Thing } from './things.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** A request body as the profile takes it, and what it was made from. */
export interface ProposedBody {
  /** What stands in the field `body`. */
  readonly field: unknown;
  /** The body as a JSON object, for probes to change; null where it is none. */
  readonly json: JsonObject | null;
  /** The field `body` for a changed form of `json`. */
  readonly write: (changed: JsonObject) => unknown;
  /** To be sent in place of what the suite would name by itself. */
  readonly contentType: string | null;
  /** What the body refers to, which must be made first. */
  readonly things: readonly Thing[];
}

/**
 * Proposes a body that `isWritable`.
 *
 * @param linkable things that the body may refer to, without a circle coming of it
 */
export function proposeBody(
  content: ApiContent,
  resolve: Resolve,
  { unique, linkable }: { readonly unique: boolean; readonly linkable: readonly Thing[] },
): Checked<ProposedBody> {
  const { contentType } = content;
  const checks: string[] = [];
  const fixed = (name: string): void => {
    checks.push(`${name.slice(0, 64)} is the same in each request: may it be there twice?`);
  };
  const unfit = (name: string): void => {
    checks.push(`${name.slice(0, 64) || 'The body'} has a pattern in the document: write a value that it takes.`);
  };
  const example = exampleOf(resolve, content, { unique, fixed, unfit });
  if (/[/+]json\b/i.test(contentType)) return jsonBody(example, content, resolve, linkable, checks);
  const text = Object.entries(record(example))
    .map(([name, value]) => `${encodeURIComponent(name)}=${formValue(value)}`)
    .join('&');
  const field = { text, content_type: contentType };
  return { value: { field, json: null, write: () => field, contentType: null, things: [] }, checks };
}

function jsonBody(
  example: unknown,
  { schema, contentType }: ApiContent,
  resolve: Resolve,
  linkable: readonly Thing[],
  checks: string[],
): Checked<ProposedBody> {
  const own = typeof example === 'object' && !Array.isArray(example) && example !== null ? { ...example } : null;
  const json = own as Record<string, unknown> | null;
  const things: Thing[] = [];
  const numbers: string[] = [];
  const properties = record(schemaOf(resolve, schema).properties);
  for (const name of Object.keys(json ?? {})) {
    if (json === null || !/[a-z](_id|Id|-id)$/.test(name)) continue;
    const thing = linkable.find(({ variable }) => plainName(variable) === plainName(name));
    if (thing) {
      json[name] = `{{${thing.variable}}}`;
      things.push(thing);
      if (isNumeric(typeOf(schemaOf(resolve, properties[name])))) numbers.push(thing.variable);
    } else {
      checks.push(`${name.slice(0, 64)} in the body must be that of something that exists.`);
    }
  }
  const media = /^application\/json\b/i.test(contentType) ? null : contentType;
  const write = (value: unknown): unknown =>
    numbers.length > 0 || looksRaw(value) || holdsLargeNumber(value) ? raw(value, numbers) : value;
  return { value: { field: write(json ?? example), json, write, contentType: media, things }, checks };
}

/** The same body with numbers where identifiers are numbers: a variable in a JSON string would stay a string. */
function raw(value: unknown, numbers: readonly string[]): unknown {
  const text = numbers.reduce(
    (written, variable) => written.replaceAll(`"{{${variable}}}"`, `{{${variable}}}`),
    JSON.stringify(value),
  );
  return { text, content_type: 'application/json' };
}

function isNumeric(type: string | null): boolean {
  return type === 'integer' || type === 'number';
}

/** A JSON object that the profile would take for a body in text. */
function looksRaw(value: unknown): boolean {
  const fields = record(value);
  return Object.keys(fields).length === 2 && 'text' in fields && 'content_type' in fields;
}

/** A whole number that a double may not keep, such as an identifier of 64 bits, which the profile's reader refuses as a number. */
function holdsLargeNumber(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsLargeNumber);
}

function formValue(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text
    .split(/(\{\{\w+\}\})/)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part)))
    .join('');
}
