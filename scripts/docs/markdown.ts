/** A table. Bars in cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** A list of points; a paragraph where there is but one. */
export function points(texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] ?? '') : texts.map((text) => `- ${text}`).join('\n');
}

export function code(text: string): string {
  return `\`${text}\``;
}
