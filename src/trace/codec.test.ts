import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import schema from '../../schema/trace.schema.json' with { type: 'json' };
import { createDecoder, encodeLine } from './codec.ts';
import { anyExchange, exchangeOf, HEADER, intentOf } from './trace.test-support.ts';
import type { TraceLine } from './trace.ts';

const decode = (text: string) => createDecoder().decode(text);

test('what is written is read again, exchange by exchange', () => {
  fc.assert(
    fc.property(fc.array(anyExchange, { maxLength: 5 }), (exchanges) => {
      const decoder = createDecoder();
      const lines: TraceLine[] = [
        ...exchanges.map((exchange) => ({ type: 'exchange' as const, ...exchange })),
        { type: 'intent', exchanges: exchanges.map(intentOf) },
      ];
      for (const line of lines) {
        const encoded = encodeLine(line);
        expect(encoded).not.toContain('\n');
        expect(decoder.decode(encoded)).toEqual({ line });
      }
    }),
  );
});

test('header, notes and footer are read again', () => {
  const lines: TraceLine[] = [
    HEADER,
    { type: 'note', time: 1.5, code: 'preflight', experiment: null, text: 'fine' },
    { type: 'footer', exchanges: 0, intents: 0, outcome: 'complete', ended: 1, chain: 'a'.repeat(64) },
  ];
  for (const line of lines) expect(decode(encodeLine(line))).toEqual({ line });
});

test('a plain exchange stays small, since a load run has millions', () => {
  expect(encodeLine({ type: 'exchange', ...exchangeOf(1) }).length).toBeLessThan(450);
});

describe('what is no line of a trace', () => {
  const exchange = JSON.parse(encodeLine({ type: 'exchange', ...exchangeOf(1) })) as Record<string, unknown>;
  const problemOf = (value: unknown) => {
    const decoded = decode(typeof value === 'string' ? value : JSON.stringify(value));
    return 'problem' in decoded ? decoded.problem : null;
  };

  test.each([
    ['another type', { ...exchange, type: 'exchanges' }, 'its "type" is unknown'],
    ['a type from the prototype', { ...exchange, type: 'constructor' }, 'its "type" is unknown'],
    ['a number as text', { ...exchange, sent: '1' }, '/sent must be number'],
    ['a fraction of a sequence number', { ...exchange, seq: 1.5 }, '/seq must be integer'],
    ['an unknown kind', { ...exchange, kind: 'delete' }, '/kind must be equal'],
    ['a missing field', { ...exchange, target: undefined }, "must have required property 'target'"],
    ['a joined header', { ...exchange, headers: { limit: '100' } }, '/headers/limit must be array'],
    ['a header name that is none', { ...exchange, headers: { other: { 'a b': ['x'] } } }, '/headers/other'],
    ['an infinite time', JSON.stringify(exchange).replace('"sent":1000', '"sent":1e999'), '/sent must be number'],
    ['an array', [], 'its "type" is unknown'],
    ['null', null, 'its "type" is unknown'],
  ])('%s', (_, value, message) => {
    expect(problemOf(value)).toEqual({ code: 'schema', message: expect.stringContaining(message) });
  });

  test('no JSON, and another major version', () => {
    expect(problemOf('{"type":')?.code).toBe('not-json');
    expect(problemOf({ ...HEADER, format: '2.0' })?.code).toBe('format');
    expect(problemOf({ ...HEADER, format: 1 })?.code).toBe('format');
    expect(problemOf({ ...HEADER, format: '1.7' })).toBeNull();
  });

  test('any JSON is decoded or refused, and leaves the prototypes alone', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(...Object.keys(schema.$defs)), (json, type) => {
        expect('problem' in decode(json) || 'line' in decode(json)).toBe(true);
        const typed = `{"type":${JSON.stringify(type)},"__proto__":{"polluted":true},"x":${json}}`;
        decode(typed);
        expect('polluted' in {}).toBe(false);
      }),
    );
    const hostile = JSON.stringify({ ...exchange, headers: {} }).replace(
      '"headers":{}',
      '"headers":{"__proto__":{"limit":["1"]},"other":{"constructor":["x"]}}',
    );
    const decoded = decode(hostile);
    expect('line' in decoded && decoded.line.type === 'exchange' && decoded.line.headers.limit).toEqual([]);
  });
});

test('the schema of a trace is a schema', () => {
  expect(new Ajv2020({ strict: false }).validateSchema(schema)).toBe(true);
});
