import { text } from '../../profile/outline.ts';
import type { Fields } from '../openapi/document.ts';

/**
 * Checks whether the document has the two ways of sending a key of clause 5.2: returns a sentence for each missing way,
 * and for the other ways.
 */
export function checkSecurity(schemes: readonly Fields[]): readonly string[] {
  const lower = (value: unknown): string => (text(value) ?? '').toLowerCase();
  const isApiKey = (each: Fields) =>
    lower(each.type) === 'apikey' && lower(each.name) === 'x-api-key' && each.in === 'header';
  const isBearer = (each: Fields) => lower(each.type) === 'http' && lower(each.scheme) === 'bearer';
  const others = schemes.filter((each) => !isApiKey(each) && !isBearer(each));
  const nameOf = (each: Fields) => [each.type, each.scheme ?? each.name].flatMap((part) => text(part) ?? []).join(' ');
  const kinds = [...new Set(others.map(nameOf))].slice(0, 4);
  const sentences: readonly (readonly [is: boolean, says: string])[] = [
    [
      !schemes.some(isApiKey),
      'The document describes no key in the header X-API-Key, but clause 5.2 requires it (AUTH-2).',
    ],
    [
      !schemes.some(isBearer),
      'The document describes no bearer key, but clause 5.2 requires Authorization: Bearer (AUTH-3).',
    ],
    [kinds.length > 0, `The document also describes ${kinds.join(', ')}, which the suite does not send.`],
  ];
  return sentences.filter(([is]) => is).map(([, says]) => says);
}
