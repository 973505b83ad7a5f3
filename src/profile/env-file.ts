/** A line of a file of variables that sets one: its name, and the value as written, with what may follow it. */
const SETTING = /^\s*(?:export\s+)?([\w.-]+)(?:\s*=|:\s)\s*(.*)$/;

/**
 * What a file of variables (`.env`) probably means otherwise than it is read, one sentence each, which repeats no
 * value, since it may be a key. Only variables of the suite matter, and lines that set nothing.
 *
 * @param file its name, for the sentences
 */
export function envFileWarnings(text: string, file: string): string[] {
  const warnings: string[] = [];
  const lineOf = new Map<string, number>();
  let open: string | null = null;
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const number = index + 1;
    if (open !== null) {
      if (line.includes(open)) open = null;
      continue;
    }
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const [, name, value = ''] = SETTING.exec(line) ?? [];
    if (name === undefined) {
      warnings.push(
        `${file}:${number}: this line has no "=", so it sets nothing. Write NAME=value, or put # before it.`,
      );
      continue;
    }
    open = unclosedQuote(value);
    if (!name.startsWith('SIZE_CHART_')) continue;
    const earlier = lineOf.get(name);
    lineOf.set(name, number);
    if (earlier !== undefined) {
      warnings.push(
        `${file}:${number}: ${name} is set on line ${earlier} as well. This line counts: remove one of them.`,
      );
    }
    // A comment usually stands after a space.
    if (/^[^"'`#\s]+(?:\s+[^#\s]+)*#/.test(value)) {
      warnings.push(
        `${file}:${number}: # begins a comment, so ${name} ends before it. If it belongs to the value, put the value in quotes.`,
      );
    }
  }
  return warnings;
}

/** The quote with which a value begins, where it ends on a later line; null: it does not. */
function unclosedQuote(value: string): string | null {
  const quote = value.charAt(0);
  if (!['"', "'", '`'].includes(quote)) return null;
  return value.slice(1).replaceAll(`\\${quote}`, '').includes(quote) ? null : quote;
}
