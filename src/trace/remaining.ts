import type { CapturedHeaders } from './exchange.ts';

/**
 * What an answer says is left, for whoever places or repeats requests; null where that cannot be read. Of several values the first counts. (Judges read it by
 * `integerOf`, which also takes what is no such number.)
 */
export function remainingOf({ remaining: [text] }: CapturedHeaders): number | null {
  return text !== undefined && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : null;
}
