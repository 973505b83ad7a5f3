import type { CapturedHeaders } from './exchange.ts';

/**
 * What is left according to an answer, for code that schedules or repeats requests; null if it cannot be read. Of
 * several values the first counts. (Judges read it with `integerOf`, which also accepts numbers that make no sense
 * here.)
 */
export function remainingOf({ remaining: [text] }: CapturedHeaders): number | null {
  return text !== undefined && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : null;
}
