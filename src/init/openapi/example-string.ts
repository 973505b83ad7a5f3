import { text } from '../../profile/outline.ts';
import type { Fields } from './document.ts';

/** Fields whose values a service may require to be unique. */
const UNIQUE_NAME =
  /(^|_|-)(name|title|slug|code|key|sku|handle|label|reference|external_?id)$|(Name|Title|Slug|Code|Key|Sku)$/;
const UUID_LENGTH = 36;
/** Of a timestamp in seconds, a hyphen, and a counter with room. */
const STAMP_LENGTH = 16;

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '{{uuid}}',
  email: 'someone@example.com',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  hostname: 'example.com',
  ipv4: '203.0.113.7',
  ipv6: '2001:db8::7',
};

/** A string that fits a schema's format, or else its length. */
export function stringOf(fields: Fields): string {
  const format = text(fields.format) ?? '';
  const fixed = Object.hasOwn(BY_FORMAT, format) ? BY_FORMAT[format] : undefined;
  if (fixed !== undefined) return fixed;
  const least = Math.min(length(fields.minLength, 0), 1000);
  return 'example'.padEnd(least, 'x').slice(0, length(fields.maxLength, Number.POSITIVE_INFINITY));
}

/**
 * The string with a part that is new in each request, if the field looks as if it had to be unique. A pattern is a program by the
 * document's author, so it is not run: then the string stays, and `fixed` is called.
 */
export function uniqueString(base: string, fields: Fields, name: string, fixed: (name: string) => void): string {
  if (fields.format === 'uuid') return '{{uuid}}';
  if (fields.format === 'email') return 'someone-{{uuid}}@example.com';
  if (!UNIQUE_NAME.test(name) || 'enum' in fields || 'const' in fields) return base;
  if ('pattern' in fields || 'format' in fields) {
    fixed(name);
    return base;
  }
  const most = length(fields.maxLength, 200);
  const separator = /(name|title|label)$/i.test(name) ? ' ' : '-';
  const room = most - UUID_LENGTH - separator.length;
  if (room > 0) return `${base.slice(0, room)}${separator}{{uuid}}`;
  if (most >= STAMP_LENGTH) return '{{timestamp}}-{{counter}}';
  fixed(name);
  return base;
}

function length(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value >= 0 ? Math.floor(value) : otherwise;
}
