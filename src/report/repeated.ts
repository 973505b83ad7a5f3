import type { ReportedProof, ReportedVerdict } from './report.ts';
import { inSentence } from './wording.ts';

/** What a verdict says before its proofs. */
type Head = Pick<ReportedVerdict, 'statement' | 'summary'>;

/**
 * What a proof expects and received, as far as the verdict has not said it already: a whole sentence that its statement
 * or its summary contains is null.
 */
export function unrepeated(
  { expected, received }: Pick<ReportedProof, 'expected' | 'received'>,
  head: Head,
): { readonly expected: string | null; readonly received: string | null } {
  const once = (text: string): string | null => (repeats(text, head) ? null : text);
  return { expected: once(expected), received: once(received) };
}

/** Whether a text is a whole sentence that the verdict has said. A status or a value is none. */
export function repeats(text: string, { statement, summary }: Head): boolean {
  if (!/ .*\.$/.test(text)) return false;
  return [statement, summary].some((each) => plain(each).includes(plain(text)));
}

function plain(text: string): string {
  return inSentence(text.replaceAll('`', '').replace(/\.$/, ''));
}
