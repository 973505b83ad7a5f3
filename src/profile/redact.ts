import { namedKeys } from './keys.ts';
import type { Keys } from './profile.ts';

/**
 * A function that replaces each key in a text by its alias: as it is, percent-encoded, as in a JSON string (with and
 * without `\/`), and in base64 or base64url, also inside of a longer base64 text such as that of `user:key`.
 */
export function redactor(keys: Keys): (text: string) => string {
  const aliases = new Map<string, string>();
  for (const { key, alias } of namedKeys(keys)) {
    for (const form of formsOf(key)) if (!aliases.has(form)) aliases.set(form, alias);
  }
  if (aliases.size === 0) return (text) => text;
  // Longest first: of two keys of which one starts with the other, the longer is named whole.
  const forms = [...aliases.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(forms.map(literally).join('|'), 'g');
  return (text) => text.replace(pattern, (form) => aliases.get(form) ?? '…');
}

/** Every spelling of a key that is looked for. Empty for an empty key, which would match anywhere. */
export function formsOf(key: string): readonly string[] {
  if (key === '') return [];
  const json = JSON.stringify(key).slice(1, -1);
  const percent = encodeURIComponent(key);
  const spellings = [
    key,
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (triplet) => triplet.toLowerCase()),
    percent.replaceAll('%20', '+'),
    encodeURI(key),
    json,
    json.replaceAll('/', '\\/'),
    ...base64Forms(key),
  ];
  return [...new Set(spellings)];
}

/** Shorter pieces of base64 would be found in texts that have nothing to do with the key. */
const SHORTEST_PIECE = 8;

/** The key's base64, and for each of the three alignments the digits that its neighbours in a longer text cannot change. */
function base64Forms(key: string): readonly string[] {
  const whole = Buffer.from(key).toString('base64');
  const pieces = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(key)]);
    const digits = bytes.toString('base64').replaceAll('=', '');
    const end = bytes.length % 3 === 0 ? digits.length : digits.length - 1;
    return digits.slice(offset === 0 ? 0 : offset + 1, end);
  });
  const standard = [whole, whole.replaceAll('=', ''), ...pieces.filter((piece) => piece.length >= SHORTEST_PIECE)];
  const kept = standard.filter((form) => form.length >= SHORTEST_PIECE || form === whole);
  return [...kept, ...kept.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
