import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FormatError } from './certificate-error.ts';
import { decodeEnvelope, encodeEnvelope, preAuthenticationEncoding } from './dsse.ts';

test('the pre-authentication encoding is that of the protocol’s own example', () => {
  const encoding = preAuthenticationEncoding('http://example.com/HelloWorld', Buffer.from('hello world'));
  expect(Buffer.from(encoding).toString()).toBe('DSSEv1 29 http://example.com/HelloWorld 11 hello world');
});

test('lengths count bytes and not characters', () => {
  expect(Buffer.from(preAuthenticationEncoding('é', Buffer.from('ü'))).toString()).toBe('DSSEv1 2 é 2 ü');
});

const envelopes = fc.record({
  payloadType: fc.string(),
  payload: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  signature: fc.uint8Array({ minLength: 64, maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
});

test('an envelope reads back as it was written', () => {
  fc.assert(
    fc.property(envelopes, (envelope) => {
      expect(decodeEnvelope(encodeEnvelope(envelope))).toEqual(envelope);
    }),
  );
});

test('no two different things have one encoding to be signed', () => {
  fc.assert(
    fc.property(envelopes, envelopes, (one, other) => {
      fc.pre(one.payloadType !== other.payloadType || !one.payload.equals(other.payload));
      const first = preAuthenticationEncoding(one.payloadType, one.payload);
      expect(Buffer.compare(first, preAuthenticationEncoding(other.payloadType, other.payload))).not.toBe(0);
    }),
  );
});

test('garbage is a FormatError and nothing else', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(() => decodeEnvelope(text)).toThrow(FormatError);
    }),
  );
});

test('another spelling of the same envelope is refused', () => {
  const text = encodeEnvelope({ payloadType: 't', payload: Buffer.from('a'), signature: Buffer.alloc(64) });
  expect(() => decodeEnvelope(JSON.stringify(JSON.parse(text)))).toThrow(FormatError);
  expect(() => decodeEnvelope(text.replace('"YQ=="', '"YR=="'))).toThrow(FormatError);
  expect(() => decodeEnvelope(`${text} `)).toThrow(FormatError);
});
