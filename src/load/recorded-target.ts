import { LoadError } from './load-error.ts';
import { RecordFile } from './record-file.ts';
import { decodeLine } from './record-line.ts';

/** Checks that records are of a run on this base URL, if they say on which. @throws LoadError */
export function requireRunOn(baseUrl: string, file: string): void {
  const recorded = targetOf(file);
  if (recorded === null || recorded === baseUrl) return;
  throw new LoadError(
    `${file} is of a run on ${recorded}, not on ${baseUrl}`,
    'Leave out --base-url: the records say which target they are of.',
  );
}

/** The base URL in the line that describes the run; null: there is no such line, or it is damaged. */
function targetOf(file: string): string | null {
  const records = new RecordFile(file);
  try {
    for (const lines of records) {
      for (const line of lines) {
        const record = decodeLine(line);
        if (record?.type === 'spec') return String(JSON.parse(record.json).baseUrl);
      }
    }
    return null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  } finally {
    records.close();
  }
}
