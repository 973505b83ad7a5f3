import { createDecoder } from '../trace/codec.ts';
import type { Exchange } from '../trace/exchange.ts';
import { RecordFile } from './record-file.ts';

/**
 * The exchanges of some budgets (`key-1 read`) from a trace that the suite has just written, as far as it has come.
 * Most lines belong to others: it recognises these by their text and does not parse them.
 */
export function gatherBudgets(file: string, budgets: ReadonlySet<string>): readonly Exchange[] {
  const decoder = createDecoder();
  const trace = new RecordFile(file);
  const gathered: Exchange[] = [];
  for (const lines of trace) {
    for (const text of lines) {
      if (!budgets.has(`${fieldOf(text, 'key')} ${fieldOf(text, 'kind')}`)) continue;
      const decoded = decoder.decode(text);
      if ('line' in decoded && decoded.line.type === 'exchange') gathered.push(decoded.line);
    }
  }
  trace.close();
  return gathered;
}

/** The value of a field without quotation marks. */
function fieldOf(text: string, name: string): string {
  const from = text.indexOf(`"${name}":"`) + name.length + 4;
  return text.slice(from, text.indexOf('"', from));
}
