/** What a caught value says: the message of an error, else the value as text. */
export function messageOf(caught: unknown): string {
  return caught instanceof Error ? caught.message : String(caught);
}

/** The code of an error of the system or of Node.js, such as `ENOENT`; null: it has none. */
export function codeOf(caught: unknown): string | null {
  return caught instanceof Error && 'code' in caught ? String(caught.code) : null;
}
