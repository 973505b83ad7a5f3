/**
 * The lines of a trace file as JSON Schema: readers validate with it, and it is published as `schema/trace.schema.json` (a test keeps the
 * two alike). Fields that are not required have the default that their description names.
 */
import { GROUPS, KINDS } from './exchange.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;
const time = { type: 'number', minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const;
const flag = { type: 'boolean' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const countOrNull = { type: ['integer', 'null'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;
const textMap = { type: 'object', additionalProperties: text } as const;

type Fields = Readonly<Record<string, object>>;

/** An object with all required and possibly some optional fields. Readers ignore others, because a later minor version may add some. */
function record(fields: Fields, optional: Fields = {}) {
  return {
    type: 'object',
    properties: { ...fields, ...optional },
    required: Object.keys(fields),
  };
}

const list = (items: object) => ({ type: 'array', items });
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const oneOf = (...values: readonly string[]) => ({ type: 'string', enum: values });
const described = (schema: object, description: string) => ({ ...schema, description });

const GROUP = oneOf(...GROUPS);
const KIND = oneOf(...KINDS);

const template = {
  method: text,
  path: text,
  query: textMap,
  headers: textMap,
  body: orNull(record({ contentType: text, text })),
};

const captureFrom = { anyOf: [record({ pointer: text }), record({ header: text, pattern: textOrNull })] };
const probe = record({ ...template, name: text, operation: text });

const profile = record({
  version: { const: 1 },
  target: record({ name: text, version: textOrNull }),
  baseUrl: text,
  operations: list(
    record({
      ...template,
      id: text,
      group: GROUP,
      kind: KIND,
      prepare: texts,
      cleanup: texts,
      capture: list(record({ name: text, from: captureFrom })),
    }),
  ),
  probes: record({
    invalidParameter: list(probe),
    notFound: list(probe),
    forbidden: list(probe),
    internalFailure: list(probe),
  }),
  http: record({
    headers: textMap,
    timeoutMs: record({ connect: { type: 'number' }, response: { type: 'number' } }),
    tls: record({ caFile: textOrNull, certFile: textOrNull, keyFile: textOrNull, insecure: flag }),
    proxy: textOrNull,
  }),
  pacing: record({ maxRate: { type: ['number', 'null'] }, maxRequests: { type: ['number', 'null'] } }),
  waivers: list(record({ requirement: text, part: textOrNull, reason: text, until: text })),
});

const header = record(
  {
    type: { const: 'header' },
    format: described({ type: 'string', pattern: '^1\\.\\d+$' }, 'Version of this format.'),
    suite: record({ name: text, version: text }),
    command: text,
    baseUrl: text,
    profile: described(profile, 'The normalised profile, without secrets.'),
    profileDigest: text,
    catalogueDigest: text,
    keys: described(record({ full: texts, restricted: flag, revoked: flag }), 'Aliases of the keys, by role.'),
    selection: texts,
    experiments: list(
      record({
        id: text,
        requirements: texts,
        keys: texts,
        requests: count,
        start: { type: 'number' },
        seconds: { type: 'number' },
        omitted: textOrNull,
      }),
    ),
    epoch: described(time, 'Wall clock in µs since the Unix epoch when the clock of the run was 0.'),
    scale: described({ type: 'number', exclusiveMinimum: 0 }, '1 in real time.'),
    seed: { type: 'number' },
    nonce: textOrNull,
    runtime: record({ node: text, platform: text }),
  },
  {
    madeUpKey: described(text, 'Beginning of the key that the run made up.'),
    attempts: described(
      count,
      'How many runs of certify this installation made against this target within a day, including this one.',
    ),
    ruledOut: described(count, 'How many values that the OpenAPI document rules out were given to the run.'),
  },
);

const request = {
  seq: count,
  experiment: text,
  step: text,
  kind: KIND,
  credential: text,
  method: text,
  target: text,
  connection: count,
  sent: described(time, 'µs of the clock of the run, just before the last byte of the request was written.'),
};

const requestDefaults = {
  pair: described(textOrNull, 'Default: null.'),
  operation: described(textOrNull, 'Default: null.'),
  group: described(orNull(GROUP), 'Default: null.'),
  fault: described(
    oneOf('none', 'no-key', 'bad-key', 'permission', 'parameter', 'missing', 'internal', 'unstated'),
    'Default: none.',
  ),
  key: described(textOrNull, 'Alias of the key. Default: null.'),
  variation: described(textOrNull, 'Default: null.'),
  odd: described(
    record({}, { body: record({ contentType: text, text }), headers: list({ type: 'array', items: text }) }),
    'What an odd request sent that its operation does not: a body in place of its own, and headers. Default: absent.',
  ),
};

const values = described(texts, 'One entry per field line, as received. Default: none.');

const headers = record(
  {},
  {
    limit: values,
    remaining: values,
    reset: values,
    date: values,
    retryAfter: values,
    other: { type: 'object', propertyNames: { pattern: '^[a-z0-9-]+$' }, additionalProperties: texts },
  },
);

const exchange = record(
  { type: { const: 'exchange' }, ...request },
  {
    ...requestDefaults,
    answered: described(
      { type: ['number', 'null'] },
      'µs of the clock of the run, when the head of the response had arrived. Default: null.',
    ),
    status: described(countOrNull, 'Default: null.'),
    failure: described(
      orNull(oneOf('timeout', 'reset', 'refused', 'dns', 'tls', 'protocol', 'too-large', 'aborted', 'unknown')),
      'Default: null.',
    ),
    headers,
    truncated: described(
      { const: true },
      'The head of the response arrived, but the body never ended. Default: absent.',
    ),
  },
);

const intent = record({ type: { const: 'intent' }, exchanges: list(record(request, requestDefaults)) });

const note = record({
  type: { const: 'note' },
  time,
  code: oneOf(
    'preflight',
    'interrupted',
    'clock-step',
    'experiment-started',
    'experiment-ended',
    'experiment-failed',
    'failure-shown',
  ),
  experiment: textOrNull,
  text,
});

const footer = record({
  type: { const: 'footer' },
  exchanges: count,
  intents: described(count, 'How many requests the intents announced.'),
  outcome: oneOf('complete', 'interrupted'),
  ended: time,
  chain: described(
    { type: 'string', pattern: '^[0-9a-f]{64}$' },
    "Head of the hash chain over all lines before: h(0) = SHA-256 of '', h(i) = SHA-256 of h(i−1) in hex, then line i without its newline.",
  ),
});

export const TRACE_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A line of a trace of the Size Chart Service API v1 conformance suite',
  description:
    'A trace is a file of lines of JSON: a header, then intents, exchanges and notes in the order in which they were written, then a footer. A trace without a footer was cut short. Readers refuse another major version of `format`.',
  oneOf: ['header', 'intent', 'exchange', 'note', 'footer'].map((name) => ({ $ref: `#/$defs/${name}` })),
  $defs: { header, intent, exchange, note, footer },
};
