const LEAST_WIDTH = 3;

/**
 * Pads the cells of all tables of a page so that their bars stand in line, as the formatter of this repository has it.
 */
export function alignTables(markdown: string): string {
  const aligned: string[] = [];
  let rows: string[] = [];
  let fenced = false;
  const endTable = (): void => {
    aligned.push(...alignRows(rows));
    rows = [];
  };
  for (const line of markdown.split('\n')) {
    if (/^\s*```/.test(line)) fenced = !fenced;
    if (!fenced && line.startsWith('|')) rows.push(line);
    else {
      endTable();
      aligned.push(line);
    }
  }
  endTable();
  return aligned.join('\n');
}

function alignRows(rows: readonly string[]): readonly string[] {
  const table = rows.map(cellsOf);
  const width = (column: number): number =>
    Math.max(LEAST_WIDTH, ...table.filter((_, index) => index !== 1).map((cells) => widthOf(cells[column] ?? '')));
  const widths = (table[0] ?? []).map((_, column) => width(column));
  return table.map((cells, index) => {
    const padded = widths.map((each, column) => {
      const cell = cells[column] ?? '';
      return index === 1 ? '-'.repeat(each) : cell + ' '.repeat(each - widthOf(cell));
    });
    return `| ${padded.join(' | ')} |`;
  });
}

function cellsOf(row: string): readonly string[] {
  return row
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function widthOf(text: string): number {
  return [...text].length;
}
