import { list, text } from '../../profile/outline.ts';
import type { Fields } from '../openapi/document.ts';
import { isNumeric, typeOf } from '../openapi/schema.ts';

/** A value that a schema rules out, and what is wrong with it, in words. */
export interface WrongValue {
  readonly value: unknown;
  readonly what: string;
  /** Wrong type or form, which no service can accept; a value out of range may be clamped. */
  readonly plain: boolean;
}

/** A server would refuse a request with longer values because of its length. */
export const LONGEST = 2000;

/**
 * The plainest value that is wrong for the schema in that place; null if the schema accepts anything that can be sent.
 */
export function wrongValue(schema: Fields, place: 'query' | 'body'): WrongValue | null {
  const type = typeOf(schema);
  const word = 'not-valid';
  if (isNumeric(schema)) return { value: 'not-a-number', what: 'A word instead of a number', plain: true };
  if (type === 'boolean') return { value: 'not-a-boolean', what: 'A word instead of a boolean', plain: true };
  if (list(schema.enum).length > 0 && !list(schema.enum).includes(word)) {
    return { value: word, what: 'A value that is not in the list', plain: true };
  }
  if (place === 'body' && (type === 'object' || type === 'array')) {
    return { value: word, what: `A word instead of an ${type}`, plain: true };
  }
  if (type !== 'string') return null;
  if (/^(date|date-time|uuid|email)$/.test(text(schema.format) ?? '')) {
    return { value: word, what: `A value that is not a valid ${text(schema.format)}`, plain: true };
  }
  if (place === 'body') return { value: { wrong: true }, what: 'An object instead of a string', plain: true };
  const most = schema.maxLength;
  if (typeof most !== 'number' || !Number.isInteger(most) || most < 0 || most > LONGEST) return null;
  return { value: 'x'.repeat(most + 1), what: `More than ${most} characters`, plain: false };
}
