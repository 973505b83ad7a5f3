/**
 * Text that came from a target, made safe to show: control characters (C0, C1, DEL), line separators, and the marks
 * that reorder or hide text become visible escapes such as `\x1b` or `\u202e`. Line breaks become `\n`.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\ufffe\uffff]/gu, (mark) => {
    if (mark === '\n') return '\\n';
    if (mark === '\t') return '\\t';
    const code = mark.codePointAt(0) ?? 0;
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** At most `limit` characters; the last one is an ellipsis if the text was shortened. */
export function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}
