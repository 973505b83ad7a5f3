import { describe, expect, test } from 'vitest';
import { formatProfileError, readProfile } from './read-profile.ts';

type Case = readonly [what: string, source: string, messages: readonly string[]];

/** A profile without fault, to which one fault is added. */
const and = (more: string): string => `base_url: https://a.example/api/v1
operations:
  - { id: get-service, group: service, kind: read, method: GET, path: /service }
  - { id: get-category, group: categories, kind: read, method: GET, path: /categories/1 }
  - { id: create-label, group: labels, kind: write, method: POST, path: /labels, capture: { label_id: /id } }
${more}`;

// Each message without the name of the file before it.
const YAML: readonly Case[] = [
  ['an empty file', '', ['1:1: the profile is empty. Make one by the command init.']],
  [
    'a comment only',
    `# nothing
`,
    ['1:1: the profile is empty. Make one by the command init.'],
  ],
  [
    'plain text',
    'hello',
    ['1:1: the profile must be a group of fields, not "hello". See schema/profile.schema.json for an example.'],
  ],
  [
    'a list',
    `- a
- b`,
    ['1:1: the profile must be a group of fields, not ["a","b"]. See schema/profile.schema.json for an example.'],
  ],
  [
    'two documents',
    `a: 1
---
b: 2`,
    ['2:1: the file holds more than one YAML document. Remove the line "---" and what follows it.'],
  ],
  [
    'a tab as indent',
    `http:
	proxy: x`,
    ['2:1: a tab is used to indent. Indent with spaces.'],
  ],
  [
    'an unclosed bracket',
    `operations: [
version: 1`,
    ['2:1: the indentation or a closing bracket is wrong. Close what was opened, and align fields of one level.'],
  ],
  ['an unknown alias', 'version: *one', ['1:10: no anchor stands before the alias *one. Write the value out.']],
  [
    'an alias inside of what it stands for',
    'operations: &all [*all]',
    ['1:19: an alias stands for what it is part of. Write the value out.'],
  ],
  ['a tag', 'version: !!binary MQ==', ['1:19: a YAML tag is used. Remove the tag: plain values are enough here.']],
  [
    'an unknown tag',
    'version: !env VERSION',
    ['1:10: a YAML tag is used. Remove the tag: plain values are enough here.'],
  ],
  [
    'YAML 1.1',
    `%YAML 1.1
---
version: 1`,
    ['1:1: the file asks for YAML 1.1. Remove the directive: YAML 1.2 is read.'],
  ],
  [
    'a field twice',
    and(`version: 1
version: 1`),
    ['7:1: the field "version" is there twice. Keep one of them.'],
  ],
  [
    'a name that is a list',
    `? [a]
: 1`,
    ['1:3: the name of a field is not plain text. Use plain text before the colon.'],
  ],
  [
    'too deep',
    `operations: ${'['.repeat(40)}${']'.repeat(40)}`,
    ['1:44: the file is nested too deeply. Nest at most 32 levels.'],
  ],
  [
    'a number beyond 2^53',
    and('pacing: { max_requests: 9007199254740993 }'),
    ['6:25: a number cannot be kept exactly. Put it in quotes.'],
  ],
  [
    'an unknown field',
    and('waiver: []'),
    [
      '6:1: waiver is not a known field. Did you mean "waivers"? Fields allowed here: version, target, base_url, operations, probes, http, pacing, waivers.',
    ],
  ],
  [
    'an unknown field nothing is near to',
    and('colour: red'),
    [
      '6:1: colour is not a known field. Fields allowed here: version, target, base_url, operations, probes, http, pacing, waivers.',
    ],
  ],
  [
    'a key as a field',
    and('api_key: s3cret'),
    [
      '6:1: api_key is not a known field. Keys never stand in a profile: set SIZE_CHART_KEYS in the environment or in .env.',
    ],
  ],
  [
    'no operations',
    'base_url: https://a.example/api/v1',
    [
      '1:1: the profile lacks the field "operations". What the deployment offers. Each operation must succeed with a full key, as often as it is sent. To test everything, name at least one read and one write operation, and at least one operation of each group.',
    ],
  ],
  [
    'an empty list of operations',
    `base_url: https://a.example/api/v1
operations: []`,
    ['2:13: operations must not be empty. Name at least one.'],
  ],
  [
    'operations that are no list',
    `base_url: https://a.example/api/v1
operations: { id: a }`,
    ['2:13: operations must be a list, not {"id":"a"}. Start each entry with "- ", or put them in [ ].'],
  ],
  ['another version', and('version: 2'), ['6:10: version must be 1, not 2. Write 1.']],
  [
    'no base URL at all',
    'operations: [{ id: a, group: service, kind: read, method: GET, path: /a }]',
    ['1:1: the profile names no base URL. Add the field base_url, or give --base-url or SIZE_CHART_BASE_URL.'],
  ],
  [
    'a relative base URL',
    `base_url: api.example/api/v1
operations: [{ id: a, group: service, kind: read, method: GET, path: /a }]`,
    ['1:11: base_url is no absolute URL. Write it such as https://api.example.com/api/v1.'],
  ],
  [
    'a base URL of another scheme',
    `base_url: ftp://a.example/api/v1
operations: [{ id: a, group: service, kind: read, method: GET, path: /a }]`,
    ['1:11: base_url is no http or https URL. Write it such as https://api.example.com/api/v1.'],
  ],
  [
    'a base URL with credentials',
    `base_url: https://user:s3cret@a.example/api/v1
operations: [{ id: a, group: service, kind: read, method: GET, path: /a }]`,
    ['1:11: base_url holds credentials. Remove what stands before "@".'],
  ],
  [
    'a base URL with a query string',
    `base_url: https://a.example/api/v1?x=1
operations: [{ id: a, group: service, kind: read, method: GET, path: /a }]`,
    ['1:11: base_url holds a query string. Remove "?" and what follows it.'],
  ],
  [
    'a base URL with a fragment',
    `base_url: https://a.example/api/v1#x
operations: [{ id: a, group: service, kind: read, method: GET, path: /a }]`,
    ['1:11: base_url holds a fragment. Remove "#" and what follows it.'],
  ],
  [
    'an unquoted version of the target',
    and('target: { version: 2.3 }'),
    ['6:20: target.version must be text, not 2.3. Put it in quotes: "2.3".'],
  ],
  [
    'a misspelt group',
    and('  - { id: x, group: label, kind: read, method: GET, path: /x }'),
    [
      '6:21: operations[3].group must be "service", "categories" or "labels", not "label". Did you mean "labels"? Write one of these.',
    ],
  ],
  [
    'a misspelt kind',
    and('  - { id: x, group: labels, kind: raed, method: GET, path: /x }'),
    ['6:35: operations[3].kind must be "read" or "write", not "raed". Did you mean "read"? Write one of these.'],
  ],
  [
    'a method in small letters',
    and('  - { id: x, group: labels, kind: read, method: post, path: /x }'),
    [
      '6:49: operations[3].method must be an HTTP method in capitals, not "post". Did you mean "POST"? Write it such as GET or POST.',
    ],
  ],
  [
    'an operation of no fields',
    and('  - {}'),
    [
      '6:5: operations[3] lacks the field "id". Its name in this profile and in the reports.',
      '6:5: operations[3] lacks the field "group". Resource group (clause 2). One of: service, categories, labels.',
      '6:5: operations[3] lacks the field "kind". Which limit it counts against (clause 8). Nothing is assumed from the method. One of: read, write.',
      '6:5: operations[3] lacks the field "method". HTTP method, in capitals.',
      '6:5: operations[3] lacks the field "path". Below the base URL, such as /labels/{{label_id}}.',
    ],
  ],
  [
    'an id with a space',
    and('  - { id: "a b", group: labels, kind: read, method: GET, path: /x }'),
    [
      "6:11: operations[3].id is no valid name. Use letters, digits, '-', '_' and '.', at most 64 of them, a letter or digit first.",
    ],
  ],
  [
    'an id twice',
    and('  - { id: get-service, group: labels, kind: read, method: GET, path: /x }'),
    ['6:11: operations[3].id is there twice ("get-service"). Give each a name of its own.'],
  ],
  [
    'a path without a slash',
    and('  - { id: x, group: labels, kind: read, method: GET, path: labels }'),
    ["6:60: operations[3].path must start with '/'. Write the part of the URL that follows the base URL."],
  ],
  [
    'a path with a query string beside query',
    and('  - { id: x, group: labels, kind: read, method: GET, path: /x?a=1, query: { b: 2 } }'),
    ['6:60: operations[3].path holds a query string beside the field query. Put all parameters into query.'],
  ],
  [
    'a path with a fragment',
    and('  - { id: x, group: labels, kind: read, method: GET, path: "/x#y" }'),
    ['6:60: operations[3].path holds a fragment. Remove "#" and what follows it.'],
  ],
  [
    'a path that leaves the base URL',
    and('  - { id: x, group: labels, kind: read, method: GET, path: /../x }'),
    ['6:60: operations[3].path holds "." or ".." as a segment. Write the path that is meant.'],
  ],
  [
    'a path of two slashes',
    and('  - { id: x, group: labels, kind: read, method: GET, path: //b.example/x }'),
    ['6:60: operations[3].path starts with two slashes. Remove one.'],
  ],
  [
    'a path with a space',
    and('  - { id: x, group: labels, kind: read, method: GET, path: /x y }'),
    ['6:60: operations[3].path holds a character that cannot stand in a URL. Percent-encode it.'],
  ],
  [
    'a path of another templating',
    and('  - { id: x, group: labels, kind: read, method: GET, path: "/labels/{id}" }'),
    ['6:60: operations[3].path holds {id}, which nothing fills in. Write {{id}} and capture it, or a fixed value.'],
  ],
  [
    'an unclosed variable',
    and('  - { id: x, group: labels, kind: read, method: GET, path: "/labels/{{id" }'),
    [
      '6:60: operations[3].path holds "{{" that starts no variable. Write {{name}}, the name being of letters, digits and _.',
    ],
  ],
  [
    'an unclosed variable in a body',
    and('  - { id: x, group: labels, kind: write, method: POST, path: /x, body: { name: "{{#id}}" } }'),
    [
      '6:80: operations[3].body.name holds "{{" that starts no variable. Write {{name}}, the name being of letters, digits and _.',
    ],
  ],
  [
    'a variable that nothing captures',
    and('  - { id: x, group: labels, kind: read, method: GET, path: "/labels/{{color}}" }'),
    [
      '6:60: operations[3].path uses {{color}}, which nothing captures before. Capture it in an operation named under prepare, or use one of uuid, counter, timestamp.',
    ],
  ],
  [
    'a variable whose capture is not prepared',
    and('  - { id: x, group: labels, kind: read, method: GET, path: "/labels/{{label_id}}" }'),
    [
      '6:60: operations[3].path uses {{label_id}}, which nothing captures before. Add "create-label", which captures it, to prepare.',
    ],
  ],
  [
    'a misspelt variable',
    and('  - { id: x, group: labels, kind: read, method: GET, path: "/labels/{{lable_id}}", prepare: [create-label] }'),
    [
      '6:60: operations[3].path uses {{lable_id}}, which nothing captures before. Did you mean "label_id"? Capture it in an operation named under prepare, or use one of uuid, counter, timestamp.',
    ],
  ],
  [
    'a variable in the name of a field of a body',
    and('  - { id: x, group: labels, kind: write, method: POST, path: /x, body: { "{{nothing}}": 1 } }'),
    [
      '6:89: operations[3].body["{{nothing}}"] uses {{nothing}}, which nothing captures before. Capture it in an operation named under prepare, or use one of uuid, counter, timestamp.',
    ],
  ],
  [
    'a variable in a header of all requests',
    and('http: { headers: { X-Request: "{{uuid}}" } }'),
    ['6:31: http.headers.X-Request holds a variable. Put the header into the operations that need it.'],
  ],
  [
    'a clean-up that needs what is not captured',
    and(`  - { id: x, group: labels, kind: write, method: DELETE, path: "/labels/{{label_id}}", prepare: [create-label] }
  - { id: y, group: labels, kind: write, method: POST, path: /labels, cleanup: [x] }`),
    [
      '7:81: operations[4].cleanup[0] uses {{label_id}}, which nothing captures before. Add "create-label", which captures it, to prepare.',
    ],
  ],
  [
    'an unknown preparation',
    and('  - { id: x, group: labels, kind: read, method: GET, path: /x, prepare: [create-lable] }'),
    [
      '6:74: operations[3].prepare[0] names no operation ("create-lable"). Did you mean "create-label"? Write the id of an operation of this profile.',
    ],
  ],
  [
    'an unknown clean-up',
    and('  - { id: x, group: labels, kind: read, method: GET, path: /x, cleanup: [zap] }'),
    ['6:74: operations[3].cleanup[0] names no operation ("zap"). Write the id of an operation of this profile.'],
  ],
  [
    'operations that prepare each other',
    and(`  - { id: x, group: labels, kind: read, method: GET, path: /x, prepare: [y] }
  - { id: y, group: labels, kind: read, method: GET, path: /y, prepare: [x] }`),
    ['7:74: operations[4].prepare[0] prepares in a circle (x → y → x). Remove one of these from prepare.'],
  ],
  [
    'one name captured by two preparations',
    and(`  - { id: x, group: labels, kind: write, method: POST, path: /x, capture: { label_id: /id } }
  - { id: y, group: labels, kind: read, method: GET, path: /y, prepare: [create-label, x] }`),
    [
      '7:73: operations[4].prepare brings {{label_id}} twice, captured by create-label and by x. Give one of the captures another name.',
    ],
  ],
  [
    'a capture under a generated name',
    and('  - { id: x, group: labels, kind: read, method: GET, path: /x, capture: { uuid: /id } }'),
    ['6:75: operations[3].capture.uuid is a variable that the suite generates. Choose another name.'],
  ],
  [
    'a capture under no name',
    and('  - { id: x, group: labels, kind: read, method: GET, path: /x, capture: { label-id: /id } }'),
    ['6:75: operations[3].capture.label-id is no name for a variable. Use letters, digits and _, and no digit first.'],
  ],
  [
    'a capture by no pointer',
    and('  - { id: x, group: labels, kind: read, method: GET, path: /x, capture: { a: data.id } }'),
    [
      "6:78: operations[3].capture.a is no JSON Pointer. Write a path into the body such as /id or /data/0/id (~0 for '~', ~1 for '/').",
    ],
  ],
  [
    'a capture by a broken pattern',
    and(
      '  - { id: x, group: labels, kind: read, method: GET, path: /x, capture: { a: { header: Location, pattern: "(" } } }',
    ),
    [
      '6:107: operations[3].capture.a.pattern is no valid regular expression. Write one that ECMAScript accepts with the flag u, such as "([^/]+)$".',
    ],
  ],
  [
    'a capture of a number',
    and('  - { id: x, group: labels, kind: read, method: GET, path: /x, capture: { a: 7 } }'),
    ['6:78: operations[3].capture.a must be text or a group of fields, not 7. Put it in quotes: "7".'],
  ],
  [
    'the key in a header',
    and('http: { headers: { X-API-Key: s3cret } }'),
    [
      '6:20: http.headers.X-API-Key is a header that carries the key. Remove it: the suite sends the keys, which it takes from the environment or .env.',
    ],
  ],
  [
    "the certifier's nonce in a header",
    and('http: { headers: { x-conformance-nonce: mine } }'),
    ['6:20: http.headers.x-conformance-nonce is a header that the suite sets itself. Remove it.'],
  ],
  [
    'the key in a header of an operation',
    and('  - { id: x, group: labels, kind: read, method: GET, path: /x, headers: { authorization: Bearer s3cret } }'),
    [
      '6:75: operations[3].headers.authorization is a header that carries the key. Remove it: the suite sends the keys, which it takes from the environment or .env.',
    ],
  ],
  [
    'what looks like a key in a header',
    and('http: { headers: { X-Gateway: Bearer s3cret } }'),
    [
      '6:31: http.headers.X-Gateway looks like a key. Remove it: the suite sends the keys, which it takes from the environment or .env.',
    ],
  ],
  [
    'the key in a query string',
    and('  - { id: x, group: labels, kind: read, method: GET, path: /x, query: { api_key: s3cret } }'),
    [
      '6:73: operations[3].query.api_key is a parameter that carries a key. Remove it: the suite sends the keys, which it takes from the environment or .env.',
    ],
  ],
  [
    'a header of the connection',
    and('http: { headers: { Content-Length: "3" } }'),
    ['6:20: http.headers.Content-Length is a header that the suite sets itself. Remove it.'],
  ],
  [
    'a header name with a space',
    and('http: { headers: { "X Y": a } }'),
    ['6:20: http.headers["X Y"] is no valid header name. Use letters, digits and -.'],
  ],
  [
    'a header twice',
    and('http: { headers: { X-A: a, x-a: b } }'),
    ['6:28: http.headers.x-a is there twice (header names have no case). Keep one of them.'],
  ],
  [
    'a header of two lines',
    and('http: { headers: { X-A: "a\\nb" } }'),
    ['6:25: http.headers.X-A holds a character that cannot stand in a header. Use printable ASCII on one line.'],
  ],
  [
    'an empty query value',
    and('  - { id: x, group: labels, kind: read, method: GET, path: /x, query: { page: } }'),
    [
      '6:73: operations[3].query.page must be text, a number or true or false, not null. It is empty: write a value, or remove the field.',
    ],
  ],
  [
    'a probe of an unknown operation',
    and('probes: { not_found: [{ operation: get-categroy, path: /x }] }'),
    [
      '6:36: probes.not_found[0].operation names no operation ("get-categroy"). Did you mean "get-category"? Write the id of an operation of this profile.',
    ],
  ],
  [
    'a probe that changes nothing',
    and('probes: { invalid_parameter: [{ operation: get-category }] }'),
    [
      '6:31: probes.invalid_parameter[0] changes nothing of its operation, which must succeed. Add the path, query, headers or body that makes the request fail.',
    ],
  ],
  [
    'a probe of a misspelt list',
    and('probes: { notfound: [] }'),
    [
      '6:11: probes.notfound is not a known field. Did you mean "not_found"? Fields allowed here: invalid_parameter, not_found, forbidden, internal_failure.',
    ],
  ],
  [
    'two probes of one name',
    and(
      'probes: { not_found: [{ operation: get-category, name: a, path: /x }, { operation: get-category, name: a, path: /y }] }',
    ),
    ['6:104: probes.not_found[1].name is there twice ("a"). Give each a name of its own.'],
  ],
  [
    'a probe with a method',
    and('probes: { not_found: [{ operation: get-category, method: PUT }] }'),
    [
      '6:23: probes.not_found[0] changes nothing of its operation, which must succeed. Add the path, query, headers or body that makes the request fail.',
      '6:50: probes.not_found[0].method is not a known field. Fields allowed here: operation, name, path, query, headers, body.',
    ],
  ],
  [
    'a time-out of text',
    and('http: { timeout_ms: { connect: "5000" } }'),
    ['6:32: http.timeout_ms.connect must be a whole number, not "5000". Remove the quotes.'],
  ],
  [
    'a time-out of nothing',
    and('http: { timeout_ms: { response: 0 } }'),
    [
      '6:33: http.timeout_ms.response must be at least 1 and at most 120000, not 0. Write a number in this range, or remove the field.',
    ],
  ],
  [
    'a client certificate without its key',
    and('http: { tls: { cert_file: client.pem } }'),
    ['6:16: http.tls.cert_file needs key_file beside it. Add key_file.'],
  ],
  [
    'a proxy that is no URL',
    and('http: { proxy: "proxy.example:3128" }'),
    ['6:16: http.proxy is no http or https URL. Write it such as http://proxy.example.com:3128.'],
  ],
  [
    'a rate of nothing',
    and('pacing: { max_rate: 0 }'),
    [
      '6:21: pacing.max_rate must be more than 0 and at most 10000, not 0. Write a number in this range, or remove the field.',
    ],
  ],
  [
    'a part of a request',
    and('pacing: { max_requests: 1.5 }'),
    ['6:25: pacing.max_requests must be a whole number, not 1.5. Leave the fraction out.'],
  ],
  [
    'a waiver of an unknown requirement',
    and('waivers: [{ requirement: hdr-1, reason: known, until: 2027-01-31 }]'),
    [
      '6:26: waivers[0].requirement names no requirement ("hdr-1"). Did you mean "HDR-1"? See the command list for the IDs.',
    ],
  ],
  [
    'a waiver of an observation',
    and('waivers: [{ requirement: LIMIT-O1, reason: known, until: 2027-01-31 }]'),
    ['6:26: waivers[0].requirement names LIMIT-O1, which is observed and never fails. Remove the waiver.'],
  ],
  [
    'a waiver until no day',
    and('waivers: [{ requirement: HDR-1, reason: known, until: 2027-02-31 }]'),
    ['6:55: waivers[0].until must be a day of the calendar, not "2027-02-31". Write it as 2027-01-31.'],
  ],
  [
    'a waiver without a reason',
    and('waivers: [{ requirement: HDR-1, reason: "", until: 2027-01-31 }]'),
    ['6:41: waivers[0].reason must not be empty. Write a value, or remove the field.'],
  ],
  [
    'a waiver twice',
    and(
      'waivers: [{ requirement: HDR-1, part: "404", reason: a, until: 2027-01-31 }, { requirement: HDR-1, part: 404, reason: b, until: 2027-01-31 }]',
    ),
    ['6:93: waivers[1].requirement waives HDR-1 404 a second time. Keep one of the waivers.'],
  ],
  [
    'many mistakes at once',
    `base_url: nowhere
operations:
  - { id: a, group: servce, kind: read, method: GET, path: a }
pacing: { rate: 1 }`,
    [
      '1:11: base_url is no absolute URL. Write it such as https://api.example.com/api/v1.',
      '3:21: operations[0].group must be "service", "categories" or "labels", not "servce". Did you mean "service"? Write one of these.',
      "3:60: operations[0].path must start with '/'. Write the part of the URL that follows the base URL.",
      '4:11: pacing.rate is not a known field. Fields allowed here: max_rate, max_requests.',
    ],
  ],
];

const JSON_FILES: readonly Case[] = [
  [
    'a field twice',
    '{ "operations": [], "operations": [] }',
    ['1:21: the field "operations" is there twice. Keep one of them.'],
  ],
  [
    'a cut text',
    '{ "version": 1',
    ['1:15: the file is not valid YAML (Flow map must end with a }). Correct the text there.'],
  ],
];

describe.each([
  ['p.yaml', YAML],
  ['p.json', JSON_FILES],
] as const)('a malformed %s names', (file, cases) => {
  test.each(cases)('%s', (_, source, messages) => {
    const result = readProfile(source, { file });
    expect('errors' in result && result.errors.map(formatProfileError)).toEqual(
      messages.map((message) => `${file}:${message}`),
    );
  });

  test.each(cases)('no secret for %s', (_, source) => {
    expect(JSON.stringify(readProfile(source, { file }))).not.toContain('s3cret');
  });
});

test('the profile to which faults are added has none', () => {
  expect(readProfile(and(''), { file: 'p.yaml' })).toHaveProperty('profile');
});
