import { createHash } from 'node:crypto';

/** Ways in which a target could write a text that it received, by name. Each can be undone, or identifies the text. */
export const TRANSFORMATIONS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in capitals': (text) => text.toUpperCase(),
  'in small letters': (text) => text.toLowerCase(),
  backwards: reversed,
  'percent-encoded': encodeURIComponent,
  'percent-encoded in small letters': (text) => encodeURIComponent(text).toLowerCase(),
  'percent-encoded, every byte': (text) =>
    hexPairs(text)
      .map((pair) => `%${pair}`)
      .join(''),
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'as in a form': (text) => new URLSearchParams({ k: text }).toString(),
  'as a JSON string': (text) => JSON.stringify(text).replaceAll('/', '\\/'),
  'as JSON escapes': (text) =>
    hexPairs(text)
      .map((pair) => `\\u00${pair}`)
      .join(''),
  'as a list of characters': (text) => JSON.stringify([...text]),
  'as HTML entities': (text) => [...text].map((char) => `&#${char.charCodeAt(0)};`).join(''),
  'as hexadecimal HTML entities': (text) =>
    hexPairs(text)
      .map((pair) => `&#x${pair};`)
      .join(''),
  'in HTML': (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  'in hex': (text) => Buffer.from(text).toString('hex'),
  'in hex, in capitals': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'in hex with colons': (text) => hexPairs(text).join(':'),
  'in hex, backwards': (text) => reversed(Buffer.from(text).toString('hex')),
  'as C escapes': (text) =>
    hexPairs(text)
      .map((pair) => `\\x${pair}`)
      .join(''),
  'as octal escapes': (text) =>
    [...text].map((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`).join(''),
  'quoted-printable': (text) =>
    hexPairs(text)
      .map((pair) => `=${pair.toUpperCase()}`)
      .join(''),
  'as bits': (text) => [...text].map((char) => char.charCodeAt(0).toString(2).padStart(8, '0')).join(''),
  'as character codes': (text) => [...text].map((char) => char.charCodeAt(0)).join(' '),
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
  'in base64 of a longer text': (text) => Buffer.from(`user:${text}:rest`).toString('base64'),
  'in base64 twice': (text) => Buffer.from(Buffer.from(text).toString('base64')).toString('base64'),
  'in base64 of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'in base64, backwards': (text) => reversed(Buffer.from(text).toString('base64')),
  'in base64 whose case is lost': (text) => Buffer.from(text).toString('base64').toLowerCase(),
  'in base64, in lines': (text) => Buffer.from(text).toString('base64').replace(/.{8}/g, '$& '),
  'in base32': base32,
  'in ROT13': rot13,
  'with hyphens': (text) => text.replace(/.{4}/g, '$&-'),
  'with spaces between characters': (text) => [...text].join(' '),
  'its first twelve letters and digits': (text) => letters(text).slice(0, 12),
  'its last twelve letters and digits': (text) => letters(text).slice(-12),
  'without its first and last character': (text) => text.slice(1, -1),
  'its SHA-256': (text) => createHash('sha256').update(text).digest('hex'),
  'its SHA-256 in base64': (text) => createHash('sha256').update(text).digest('base64'),
  'the SHA-256 of its header': (text) => createHash('sha256').update(`Bearer ${text}`).digest('hex'),
  'its MD5 in capitals': (text) => createHash('md5').update(text).digest('hex').toUpperCase(),
};

function letters(text: string): string {
  return text.replace(/[^0-9a-z]/gi, '');
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}

function hexPairs(text: string): string[] {
  return [...Buffer.from(text)].map((byte) => byte.toString(16).padStart(2, '0'));
}

function rot13(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const turned = 'NOPQRSTUVWXYZABCDEFGHIJKLMnopqrstuvwxyzabcdefghijklm';
  return [...text].map((char) => turned[alphabet.indexOf(char)] ?? char).join('');
}

function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}
