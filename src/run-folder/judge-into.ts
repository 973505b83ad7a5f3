import { quote } from '../replay/curl.ts';
import { printable } from '../report/printable.ts';

/** The command that judges the trace in a run's folder again, and writes its reports there. */
export function judgeInto(folder: string): string {
  const path = quote(printable(folder));
  return `judge ${path} --out ${path}`;
}
