const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 (RFC 4648, section 4) of a text in which each character is one byte. Also for modules that k6 runs. */
export function encodeBase64(bytes: string): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a, b, c] = [bytes.charCodeAt(at), bytes.charCodeAt(at + 1), bytes.charCodeAt(at + 2)];
    const group = (a << 16) | ((Number.isNaN(b) ? 0 : b) << 8) | (Number.isNaN(c) ? 0 : c);
    const digits = [18, 12, 6, 0].map((shift) => DIGITS[(group >> shift) & 63] ?? '');
    text += digits
      .slice(0, Number.isNaN(b) ? 2 : Number.isNaN(c) ? 3 : 4)
      .join('')
      .padEnd(4, '=');
  }
  return text;
}
