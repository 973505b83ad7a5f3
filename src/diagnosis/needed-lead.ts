import type { History } from '../oracle/history.ts';
import { aloneIn } from '../oracle/together.ts';
import type { Explained } from './explained.ts';
import type { World } from './world.ts';

/**
 * By how much a deviation must be cheaper than use of the keys by others: by chance, this happens once in 64 times, as
 * rarely as a deployment deviates. Of 370 runs with such use, deviations were cheaper by 1 to 5 bits in four, and in
 * the others not at all.
 */
export const CHANCE_BITS = 6;

/**
 * A lead over use by others that nothing later can undo, in bits. A description length is a bet on what is recorded:
 * the probability that a wrong description is ever this far ahead of the right one is one in a million (Ville 1939).
 */
export const FINAL_BITS = 20;

/** The same for several deviations: as much again for each beyond two, since so many more are tried. */
export function finalBits(deviations: Explained['deviations']): number {
  return FINAL_BITS * Math.max(1, deviations.length - 1);
}

/**
 * More for each further deviation, because so many pairs are tried that one may lead by chance. Of 300 runs with use by
 * others, one pair was cheaper, by 16 bits; of 80 runs with a client that took most of each window, three deviations
 * were, by 20. More also if no budget has many exact answers: where requests were under way
 * together, a rule that may concern each of them explains almost any number. Each exact answer that it explains could
 * have contradicted it, which is a bit of evidence at the least. Twice as much if only some keys deviate, since those
 * that somebody uses also differ from the others: a client that sends at even intervals takes about as many of each
 * window as a lower limit does. Of 40 runs with a steady client, one such limit was cheaper, by 7 bits.
 */
export function chanceBits({ deviations }: Explained, { histories }: World): number {
  if (deviations.length > 1) return finalBits(deviations);
  const exact = Math.max(0, ...histories.map(exactAnswers));
  const least = deviations.some(({ keys }) => keys !== undefined) ? 2 * CHANCE_BITS : CHANCE_BITS;
  return Math.max(least, FINAL_BITS - exact);
}

/** How many accepted requests were under way alone, so that what they left is known exactly. */
function exactAnswers({ events }: History): number {
  return aloneIn(events).filter(({ outcome }) => outcome === 'accepted').length;
}
