import { list, record, text } from './outline.ts';
import type { Capture, Operation, Probe, Profile, RequestTemplate, Waiver } from './profile.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The profile of a valid file, with every default filled in. The input must have passed `checkShape` and the rules;
 * `baseUrl` replaces the file's.
 */
export function normalise(file: Fields, baseUrl: string): Profile {
  const operations = list(file.operations).map((each) => operation(record(each)));
  const probes = record(file.probes);
  const probesOf = (name: string): readonly Probe[] =>
    list(probes[name]).map((each, index) => probe(record(each), operations, `${name.replace('_', '-')}-${index + 1}`));
  const target = record(file.target);
  return {
    version: 1,
    target: { name: text(target.name) ?? new URL(baseUrl).host, version: text(target.version) },
    baseUrl: baseUrl.replace(/\/+$/, ''),
    operations,
    probes: {
      invalidParameter: probesOf('invalid_parameter'),
      notFound: probesOf('not_found'),
      forbidden: probesOf('forbidden'),
      internalFailure: probesOf('internal_failure'),
    },
    http: http(record(file.http)),
    pacing: {
      maxRate: numeric(record(file.pacing).max_rate),
      maxRequests: numeric(record(file.pacing).max_requests),
    },
    waivers: list(file.waivers).map((each) => waiver(record(each))),
  };
}

function operation(fields: Fields): Operation {
  return {
    id: String(fields.id),
    group: fields.group as Operation['group'],
    kind: fields.kind as Operation['kind'],
    ...request(fields, { method: String(fields.method), path: '', query: {}, headers: {}, body: null }),
    prepare: list(fields.prepare).map(String),
    cleanup: list(fields.cleanup).map(String),
    capture: Object.entries(record(fields.capture)).map(([name, from]) => capture(name, from)),
  };
}

function probe(fields: Fields, operations: readonly Operation[], name: string): Probe {
  const of = operations.find(({ id }) => id === fields.operation);
  if (!of) throw new RangeError(`there is no operation ${String(fields.operation)}`);
  return { name: text(fields.name) ?? name, operation: of.id, ...request(fields, of) };
}

/** A base with the parts in `fields` replaced: single parameters and headers, and path and body as a whole. */
function request(fields: Fields, base: RequestTemplate): RequestTemplate {
  const headers = overlayHeaders(base.headers, record(fields.headers));
  const named = Object.keys(headers).find((name) => name.toLowerCase() === 'content-type');
  const body = 'body' in fields ? bodyOf(fields.body) : base.body;
  const contentType = named === undefined ? undefined : headers[named];
  return {
    method: base.method,
    path: text(fields.path) ?? base.path,
    query: overlay(base.query, record(fields.query)),
    // A body has one content type: that of the headers, if they have one.
    headers: body === null ? headers : Object.fromEntries(Object.entries(headers).filter(([name]) => name !== named)),
    body: body && { contentType: contentType ?? body.contentType, text: body.text },
  };
}

type Texts = Readonly<Record<string, string>>;

/** `null` removes a name. */
function overlay(base: Texts, over: Fields): Texts {
  const merged = new Map<string, string>(Object.entries(base));
  for (const [name, value] of Object.entries(over)) {
    if (value === null) merged.delete(name);
    else merged.set(name, String(value));
  }
  return Object.fromEntries(merged);
}

/** Like `overlay`, but header names are case-insensitive (RFC 9110, 5.1). */
function overlayHeaders(base: Texts, over: Fields): Texts {
  const replaced = new Set(Object.keys(over).map((name) => name.toLowerCase()));
  const kept = Object.entries(base).filter(([name]) => !replaced.has(name.toLowerCase()));
  return overlay(Object.fromEntries(kept), over);
}

function bodyOf(value: unknown): RequestTemplate['body'] {
  const fields = record(value);
  const { text, content_type: contentType } = fields;
  if (Object.keys(fields).length === 2 && typeof text === 'string' && typeof contentType === 'string') {
    return { contentType, text };
  }
  return { contentType: 'application/json', text: JSON.stringify(value) };
}

function capture(name: string, from: unknown): Capture {
  if (typeof from === 'string') return { name, from: { pointer: from } };
  const fields = record(from);
  return { name, from: { header: String(fields.header), pattern: text(fields.pattern) } };
}

function http(fields: Fields): Profile['http'] {
  const timeouts = record(fields.timeout_ms);
  const tls = record(fields.tls);
  return {
    headers: overlay({}, record(fields.headers)),
    timeoutMs: { connect: numeric(timeouts.connect) ?? 5000, response: numeric(timeouts.response) ?? 15_000 },
    tls: {
      caFile: text(tls.ca_file),
      certFile: text(tls.cert_file),
      keyFile: text(tls.key_file),
      insecure: tls.insecure === true,
    },
    proxy: text(fields.proxy),
  };
}

/** A waiver that `checkShape` has passed. */
export function waiver(fields: Fields): Waiver {
  const { part } = fields;
  return {
    requirement: String(fields.requirement),
    part: part === undefined ? null : String(part),
    reason: String(fields.reason),
    until: String(fields.until),
  };
}

function numeric(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
