import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import schema from '../../schema/trace.schema.json' with { type: 'json' };
import { jsonOf } from '../profile/json.ts';
import { type CapturedHeaders, type Exchange, NO_HEADERS } from './exchange.ts';
import type { TraceProblem } from './problem.ts';
import { type Intent, TRACE_FORMAT, type TraceHeader, type TraceLine } from './trace.ts';

/**
 * A line of a trace file, without its newline. Fields with their default value (see `schema/trace.schema.json`) are
 * left out, because a trace of a load run has millions of lines.
 */
export function encodeLine(line: TraceLine): string {
  if (line.type === 'exchange') return encodeExchange(line);
  if (line.type === 'intent') return JSON.stringify({ type: 'intent', exchanges: line.exchanges.map(compactIntent) });
  return JSON.stringify(line);
}

/** The line of an exchange. */
export function encodeExchange(exchange: Exchange): string {
  return JSON.stringify(compactExchange(exchange));
}

// JSON.stringify leaves out what is undefined.
function compactIntent(intent: Intent) {
  return {
    seq: intent.seq,
    experiment: intent.experiment,
    step: intent.step,
    pair: intent.pair ?? undefined,
    operation: intent.operation ?? undefined,
    group: intent.group ?? undefined,
    kind: intent.kind,
    fault: intent.fault === 'none' ? undefined : intent.fault,
    key: intent.key ?? undefined,
    credential: intent.credential,
    variation: intent.variation ?? undefined,
    odd: intent.odd,
    method: intent.method,
    target: intent.target,
    connection: intent.connection,
    sent: intent.sent,
  };
}

function compactExchange(exchange: Exchange) {
  return {
    type: 'exchange',
    ...compactIntent(exchange),
    answered: exchange.answered ?? undefined,
    status: exchange.status ?? undefined,
    failure: exchange.failure ?? undefined,
    headers: compactHeaders(exchange.headers),
    truncated: exchange.truncated,
  };
}

function compactHeaders(headers: CapturedHeaders) {
  const given = (values: readonly string[]) => (values.length > 0 ? values : undefined);
  const compact = {
    limit: given(headers.limit),
    remaining: given(headers.remaining),
    reset: given(headers.reset),
    date: given(headers.date),
    retryAfter: given(headers.retryAfter),
    other: Object.keys(headers.other).length > 0 ? headers.other : undefined,
  };
  return Object.values(compact).some((value) => value !== undefined) ? compact : undefined;
}

/** What is wrong with a line; the reader adds the line number. */
export type LineProblem = Pick<TraceProblem, 'code' | 'message'>;

type Decoded = { readonly line: TraceLine } | { readonly problem: LineProblem };

/** A decoder of the lines of one trace. It stores repeated values once, so a long trace fits into memory. */
export interface Decoder {
  decode(text: string): Decoded;
}

export function createDecoder(): Decoder {
  const intern = createInterner();
  return {
    decode(text) {
      const parsed = jsonOf(text);
      if (parsed === undefined)
        return { problem: { code: 'not-json', message: 'the line is not JSON: the file is damaged' } };
      const type = typeof parsed === 'object' && parsed !== null && 'type' in parsed ? parsed.type : undefined;
      if (type === 'header' && !isReadableFormat(parsed)) return { problem: FORMAT_PROBLEM };
      const validate = typeof type === 'string' ? validatorOf(type) : null;
      if (!validate)
        return { problem: { code: 'schema', message: 'the line does not belong to a trace: its "type" is unknown' } };
      if (!validate(parsed)) return { problem: { code: 'schema', message: violation(validate) } };
      return { line: expand(parsed as CompactLine, intern) };
    },
  };
}

type Compact<T, Required extends keyof T> = Pick<T, Required> & Partial<Omit<T, Required>>;
type Needed = 'seq' | 'experiment' | 'step' | 'kind' | 'credential' | 'method' | 'target' | 'connection' | 'sent';
type CompactIntent = Compact<Intent, Needed>;
type CompactExchange = Compact<Omit<Exchange, 'headers'>, Needed> & { readonly headers?: Partial<CapturedHeaders> };
type CompactLine =
  | ({ readonly type: 'exchange' } & CompactExchange)
  | { readonly type: 'intent'; readonly exchanges: readonly CompactIntent[] }
  | Exclude<TraceLine, { readonly type: 'exchange' | 'intent' }>;

let schemas: Ajv2020 | undefined;
const validators = new Map<string, ValidateFunction>();

/** Checks a line of this type; null for an unknown type. Compiled at first use: a writer needs none. */
function validatorOf(type: string): ValidateFunction | null {
  const known = validators.get(type);
  if (known) return known;
  if (!Object.hasOwn(schema.$defs, type)) return null;
  schemas ??= new Ajv2020({
    allowUnionTypes: true,
    strictRequired: false,
    // Each thread of a run compiles it. Compiling without optimisation takes half the time, and a test checks it
    // against the meta-schema.
    code: { optimize: false },
    validateSchema: false,
  }).addSchema(schema, 'trace');
  const made = schemas.compile({ $ref: `trace#/$defs/${type}` });
  validators.set(type, made);
  return made;
}

const FORMAT_PROBLEM: LineProblem = {
  code: 'format',
  message: `its format is not ${TRACE_FORMAT.replace(/\..*/, '')}.x: read it with the version of the suite that wrote it`,
};

function isReadableFormat(header: unknown): boolean {
  const format = typeof header === 'object' && header !== null && 'format' in header ? header.format : null;
  return typeof format === 'string' && format.split('.')[0] === TRACE_FORMAT.split('.')[0];
}

function violation({ errors }: ValidateFunction): string {
  const [error] = errors ?? [];
  return `${error?.instancePath || 'the line'} ${error?.message ?? 'does not follow the schema'}: the file is damaged or was altered`;
}

function expand(line: CompactLine, intern: Interner): TraceLine {
  if (line.type === 'exchange') return expandExchange(line, intern);
  if (line.type === 'intent') {
    return { type: 'intent', exchanges: line.exchanges.map((intent) => expandIntent(intent, intern)) };
  }
  return line satisfies TraceHeader | TraceLine;
}

function expandIntent(line: CompactIntent, { text, orNull }: Interner): Intent {
  return {
    seq: line.seq,
    experiment: text(line.experiment),
    step: text(line.step),
    pair: line.pair ?? null,
    operation: orNull(line.operation),
    group: orNull(line.group),
    kind: text(line.kind),
    fault: line.fault === undefined ? 'none' : text(line.fault),
    key: orNull(line.key),
    credential: text(line.credential),
    variation: orNull(line.variation),
    ...(line.odd ? { odd: line.odd } : {}),
    method: text(line.method),
    target: text(line.target),
    connection: line.connection,
    sent: line.sent,
  };
}

function expandExchange(line: CompactExchange, interner: Interner): { readonly type: 'exchange' } & Exchange {
  const { text, orNull } = interner;
  // Written out instead of spreading `expandIntent`, because this is the hot loop of every reader.
  const exchange: { readonly type: 'exchange' } & Exchange = {
    type: 'exchange',
    seq: line.seq,
    experiment: text(line.experiment),
    step: text(line.step),
    pair: line.pair ?? null,
    operation: orNull(line.operation),
    group: orNull(line.group),
    kind: text(line.kind),
    fault: line.fault === undefined ? 'none' : text(line.fault),
    key: orNull(line.key),
    credential: text(line.credential),
    variation: orNull(line.variation),
    method: text(line.method),
    target: text(line.target),
    connection: line.connection,
    sent: line.sent,
    answered: line.answered ?? null,
    status: line.status ?? null,
    failure: orNull(line.failure),
    headers: line.headers ? expandHeaders(line.headers, interner) : NO_HEADERS,
  };
  if (!line.truncated && !line.odd) return exchange;
  return { ...exchange, ...(line.odd && { odd: line.odd }), ...(line.truncated && { truncated: line.truncated }) };
}

function expandHeaders(headers: Partial<CapturedHeaders>, { values }: Interner): CapturedHeaders {
  return {
    limit: values(headers.limit),
    remaining: values(headers.remaining),
    reset: values(headers.reset),
    date: values(headers.date),
    retryAfter: values(headers.retryAfter),
    other: headers.other
      ? Object.fromEntries(Object.entries(headers.other).map(([name, list]) => [name, values(list)]))
      : NO_HEADERS.other,
  };
}

interface Interner {
  text<T extends string>(text: T): T;
  orNull<T extends string>(text: T | null | undefined): T | null;
  values(list: readonly string[] | undefined): readonly string[];
}

/** Bounds the memory that a hostile trace can use. */
const MAX_INTERNED = 20_000;

function createInterner(): Interner {
  const texts = new Map<string, string>();
  const lists = new Map<string, readonly string[]>();
  function text<T extends string>(value: T): T {
    const known = texts.get(value);
    // Equal text, so it has the same literal type.
    if (known !== undefined) return known as T;
    if (texts.size < MAX_INTERNED) texts.set(value, value);
    return value;
  }
  return {
    text,
    orNull: (value) => (value == null ? null : text(value)),
    values(list) {
      const [value] = list ?? NO_HEADERS.limit;
      if (list === undefined || value === undefined) return NO_HEADERS.limit;
      if (list.length > 1) return list;
      const known = lists.get(value);
      if (known) return known;
      if (lists.size < MAX_INTERNED) lists.set(value, list);
      return list;
    },
  };
}
