import { text } from '../../profile/outline.ts';
import type { Fields } from './document.ts';
import { matchingString, newString, type StringRules } from './matching-string.ts';

/** Fields whose values a service may require to be unique. */
const UNIQUE_NAME =
  /(^|_|-)(name|title|slug|code|key|sku|handle|label|reference|external_?id)$|(Name|Title|Slug|Code|Key|Sku)$/;
const UUID_LENGTH = 36;
/** Of a timestamp in milliseconds, a hyphen, and a counter with room. */
const STAMP_LENGTH = 18;

const EMAIL = 'someone@example.com';

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '{{uuid}}',
  email: EMAIL,
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  hostname: 'example.com',
  ipv4: '203.0.113.7',
  ipv6: '2001:db8::7',
  duration: 'P1D',
  byte: 'ZXhhbXBsZQ==',
};

/** What a string could not be made to be: what the pattern asks, new in each request, or new in each run. */
export interface Shortcomings {
  readonly unfit: (name: string) => void;
  readonly fixed: (name: string) => void;
  readonly counted: (name: string) => void;
}

/**
 * A string that fits a schema's format, or else its length, and its pattern: `unfit` is called if no such string was
 * found.
 */
export function stringOf(fields: Fields, name: string, { unfit }: Pick<Shortcomings, 'unfit'>): string {
  const format = text(fields.format) ?? '';
  const fixed = Object.hasOwn(BY_FORMAT, format) ? BY_FORMAT[format] : undefined;
  const { least, most } = lengthsOf(fields);
  if (format === 'email' && most < EMAIL.length) return 'a@example.com';
  const plain = fixed ?? 'example'.padEnd(Math.min(least, 1000), 'x').slice(0, most);
  const rules = rulesOf(fields);
  // A variable is checked when it is filled in.
  if (rules === null || plain.includes('{{')) return plain;
  const found = matchingString(rules, plain);
  if (found === null) unfit(name);
  return found ?? plain;
}

/** The string with a part that is new in each request, if the field looks as if it had to be unique. */
export function uniqueString(base: string, fields: Fields, name: string, told: Shortcomings): string {
  if (fields.format === 'uuid') return '{{uuid}}';
  if (fields.format === 'email') return uniqueEmail(base, lengthsOf(fields).most, () => told.fixed(name));
  if (!UNIQUE_NAME.test(name) || 'enum' in fields || 'const' in fields) return base;
  const rules = rulesOf(fields);
  const made = 'format' in fields ? null : rules === null ? lengthened(base, fields, name) : newString(rules, base);
  if (made === null) told.fixed(name);
  else if (rules !== null && made.includes('{{counter}}') && !made.includes('{{timestamp}}')) told.counted(name);
  return made ?? base;
}

/** An address with as much as its length allows that is new in each request. */
function uniqueEmail(base: string, most: number, tell: () => void): string {
  const found = [
    ['someone-{{uuid}}', UUID_LENGTH + 'someone-'.length] as const,
    ['{{timestamp}}-{{counter}}', STAMP_LENGTH] as const,
  ].find(([, length]) => length + '@example.com'.length <= most);
  if (found === undefined) tell();
  return found === undefined ? base : `${found[0]}@example.com`;
}

/** The string with as much as its length allows; null if it allows nothing. */
function lengthened(base: string, fields: Fields, name: string): string | null {
  const most = length(fields.maxLength, 200);
  const separator = /(name|title|label)$/i.test(name) ? ' ' : '-';
  const room = most - UUID_LENGTH - separator.length;
  if (room > 0) return `${base.slice(0, room)}${separator}{{uuid}}`;
  return most >= STAMP_LENGTH ? '{{timestamp}}-{{counter}}' : null;
}

/** The pattern and the lengths of a schema; null without a pattern. */
export function rulesOf(fields: Fields): StringRules | null {
  const pattern = text(fields.pattern);
  return pattern === null ? null : { pattern, ...lengthsOf(fields) };
}

/** The lengths that a schema allows, in characters. */
export function lengthsOf(fields: Fields): { readonly least: number; readonly most: number } {
  return { least: length(fields.minLength, 0), most: length(fields.maxLength, Number.POSITIVE_INFINITY) };
}

function length(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value >= 0 ? Math.floor(value) : otherwise;
}
