import { record } from '../../profile/outline.ts';
import { exampleOf } from '../openapi/example.ts';
import type { Shortcomings } from '../openapi/example-string.ts';
import type { ApiContent } from '../openapi/operations.ts';
import { mismatch } from '../openapi/own-schema.ts';
import { encodeAround } from '../openapi/path.ts';
import { isNumeric, type Resolve, schemaOf } from '../openapi/schema.ts';
import type { Checked } from '../proposal.ts';
import { textOf } from './parameters.ts';
import { refersTo, type Thing } from './things.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** A request body in the profile's form, and its source. */
export interface ProposedBody {
  /** The value of the field `body`. */
  readonly field: unknown;
  /** The body as a JSON object, which probes change; null if it is not one. */
  readonly json: JsonObject | null;
  /** The field `body` for a changed form of `json`. */
  readonly write: (changed: JsonObject) => unknown;
  /** Replaces the content type that the suite would send. */
  readonly contentType: string | null;
  /** Things that the body refers to, which must be created first. */
  readonly things: readonly Thing[];
}

/**
 * Proposes a body that `isWritable`.
 *
 * @param linkable things that the body may refer to without a circle
 */
export function proposeBody(
  content: ApiContent,
  resolve: Resolve,
  { unique, linkable }: { readonly unique: boolean; readonly linkable: readonly Thing[] },
): Checked<ProposedBody> {
  const { contentType } = content;
  const said: Said[] = [];
  const example = exampleOf(resolve, content, { unique, ...saidIn(said) });
  const linked = link(example, content.schema, resolve, linkable, said);
  const { things } = linked;
  // A field that refers to a thing has another value than the one that something was said of.
  const checks = [
    ...said.filter(({ name }) => !linked.fields.includes(name)).map(({ check }) => check),
    ...(said.some(({ check }) => check.endsWith(UNFIT)) ? [] : checkOwn(resolve, content, example)),
  ];
  if (/[/+]json\b/i.test(contentType)) {
    const media = /^application\/json\b/i.test(contentType) ? null : contentType;
    const write = (value: unknown): unknown =>
      linked.numbers.length > 0 || looksRaw(value) || holdsLargeNumber(value) ? raw(value, linked.numbers) : value;
    const { json } = linked;
    return { value: { field: write(json ?? example), json, write, contentType: media, things }, checks };
  }
  const field = /^multipart/i.test(contentType)
    ? multipart(linked.json ?? {}, content.schema, resolve)
    : { text: form(linked.json ?? {}), content_type: contentType };
  return { value: { field, json: null, write: () => field, contentType: null, things }, checks };
}

/** A check, and the field that it is about. */
interface Said {
  readonly name: string;
  readonly check: string;
}

/** Says in a list what the strings of a body could not be made to be. */
function saidIn(said: Said[]): Shortcomings {
  const say = (rest: string) => (name: string) =>
    void said.push({ name, check: `${name.slice(0, 64) || 'The body'} ${rest}` });
  return {
    fixed: say('is the same in each request: does the deployment accept it twice?'),
    counted: say(
      'counts from 1 in each run, because its pattern has no room for more: remove what earlier runs created.',
    ),
    unfit: say(UNFIT),
  };
}

const UNFIT = 'has a pattern in the document, and no value was found for it: write one that matches.';

/** Whatever init could not make, or the document itself shows wrong, is found by what the document asks. */
function checkOwn(resolve: Resolve, { schema }: ApiContent, example: unknown): readonly string[] {
  const why = mismatch(resolve, schema, example);
  return why === null ? [] : [`The body is not what the document asks (${why}): correct it.`];
}

interface Linked {
  /** Null if the body is no object. */
  readonly json: JsonObject | null;
  readonly things: readonly Thing[];
  /** The fields that refer to a thing. */
  readonly fields: readonly string[];
  /** Variables that stand for numbers. */
  readonly numbers: readonly string[];
}

/** The example with a variable for each field that refers to a thing that can be created. */
function link(example: unknown, schema: unknown, resolve: Resolve, linkable: readonly Thing[], said: Said[]): Linked {
  if (typeof example !== 'object' || Array.isArray(example) || example === null)
    return { json: null, things: [], fields: [], numbers: [] };
  const json: Record<string, unknown> = { ...example };
  const things: Thing[] = [];
  const fields: string[] = [];
  const numbers: string[] = [];
  const properties = record(schemaOf(resolve, schema).properties);
  for (const name of Object.keys(json)) {
    const thing = linkable.find((each) => refersTo(each, name, properties[name], resolve));
    if (thing) {
      json[name] = `{{${thing.variable}}}`;
      things.push(thing);
      fields.push(name);
      if (isNumeric(schemaOf(resolve, properties[name]))) numbers.push(thing.variable);
    } else if (/[a-z](_id|Id|-id)$/.test(name)) {
      said.push({ name, check: `${name.slice(0, 64)} in the body must be the id of something that exists.` });
    }
  }
  return { json, things, fields, numbers };
}

/** The same body with numbers where identifiers are numbers: a variable in a JSON string would stay a string. */
function raw(value: unknown, numbers: readonly string[]): unknown {
  const text = numbers.reduce(
    (written, variable) => written.replaceAll(`"{{${variable}}}"`, `{{${variable}}}`),
    JSON.stringify(value),
  );
  return { text, content_type: 'application/json' };
}

/** A JSON object that a profile would interpret as a body in text. */
function looksRaw(value: unknown): boolean {
  const fields = record(value);
  return Object.keys(fields).length === 2 && 'text' in fields && 'content_type' in fields;
}

/**
 * An integer that a double may not store exactly, such as an identifier of 64 bits, which the profile's reader refuses
 * as a number.
 */
function holdsLargeNumber(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsLargeNumber);
}

function form(fields: JsonObject): string {
  return Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeAround(fieldText(value))}`)
    .join('&');
}

/** No field contains it, because it is longer than any made-up example. */
const BOUNDARY = 'size-chart-conformance-boundary';

/** A form by RFC 7578; a field of binary format is a small file. */
function multipart(fields: JsonObject, schema: unknown, resolve: Resolve): unknown {
  const properties = record(schemaOf(resolve, schema).properties);
  const parts = Object.entries(fields).map(([name, value]) => {
    const { format, type } = schemaOf(resolve, properties[name]);
    const file = format === 'binary' || type === 'file' ? '; filename="example.txt"\r\nContent-Type: text/plain' : '';
    const named = `name="${name.replace(/["\r\n]/g, '_')}"`;
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; ${named}${file}\r\n\r\n${fieldText(value)}\r\n`;
  });
  return { text: `${parts.join('')}--${BOUNDARY}--\r\n`, content_type: `multipart/form-data; boundary=${BOUNDARY}` };
}

function fieldText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : textOf(value);
}
