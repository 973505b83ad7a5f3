import { FormatError } from './certificate-error.ts';

/** The media type of an in-toto statement inside an envelope. */
export const STATEMENT_TYPE = 'application/vnd.in-toto+json';

/** A DSSE envelope (secure-systems-lab/dsse, protocol.md and envelope.md) with exactly one signature. */
export interface Envelope {
  readonly payloadType: string;
  readonly payload: Uint8Array;
  /** Ed25519: 64 bytes over the pre-authentication encoding. */
  readonly signature: Uint8Array;
}

/** The JSON form of an envelope. `keyid` is the empty string, because common verifiers refuse other values. */
interface EnvelopeJson {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly [{ readonly keyid: ''; readonly sig: string }];
}

/**
 * The bytes that are signed: `DSSEv1 <length of type> <type> <length of payload> <payload>`, lengths in bytes as
 * decimal digits (DSSE protocol.md, "PAE").
 */
export function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = Buffer.from(payloadType, 'utf8');
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.length} `),
    type,
    Buffer.from(` ${payload.length} `),
    Buffer.from(payload),
  ]);
}

/** The envelope as the JSON object in files and bundles. */
export function envelopeJson(envelope: Envelope): EnvelopeJson {
  return {
    payload: Buffer.from(envelope.payload).toString('base64'),
    payloadType: envelope.payloadType,
    signatures: [{ keyid: '', sig: Buffer.from(envelope.signature).toString('base64') }],
  };
}

/** The only valid bytes of an envelope file: any others mean that the file was altered. */
export function encodeEnvelope(envelope: Envelope): string {
  return `${JSON.stringify(envelopeJson(envelope), null, 2)}\n`;
}

/**
 * Reads an envelope file. It accepts only the bytes that `encodeEnvelope` writes, so no byte can change unnoticed:
 * base64 and JSON both allow several spellings of one value. Throws a `FormatError`.
 */
export function decodeEnvelope(text: string): Envelope {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new FormatError('it is not JSON');
  }
  if (!isRecord(json)) throw new FormatError('it is not a JSON object');
  const { payload, payloadType, signatures } = json;
  if (typeof payload !== 'string') throw new FormatError('`payload` is not a string');
  if (typeof payloadType !== 'string') throw new FormatError('`payloadType` is not a string');
  if (!Array.isArray(signatures) || signatures.length !== 1)
    throw new FormatError('`signatures` does not have exactly one entry');
  const [signature] = signatures as readonly unknown[];
  if (!isRecord(signature) || typeof signature.sig !== 'string') throw new FormatError('the signature has no `sig`');
  const envelope = {
    payloadType,
    payload: Buffer.from(payload, 'base64'),
    signature: Buffer.from(signature.sig, 'base64'),
  };
  if (encodeEnvelope(envelope) !== text) throw new FormatError('its bytes differ from how `attest` writes them');
  return envelope;
}

/** Whether a parsed JSON value is an object (no array, not null). */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
