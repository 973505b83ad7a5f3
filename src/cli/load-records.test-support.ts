import { readFile } from 'node:fs/promises';

/** Resolves when the records have this many lines. */
export async function recorded(file: string, lines: number): Promise<void> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.split('\n').length > lines) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The complete lines in the records of an instance. */
export async function logOf(file: string): Promise<{ readonly name: string; readonly lines: readonly string[] }> {
  // The text after the last line end may be an incomplete line.
  return { name: file, lines: (await readFile(file, 'utf8')).split('\n').slice(0, -1) };
}
