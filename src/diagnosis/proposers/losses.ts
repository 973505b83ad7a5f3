import type { Kind } from '../../trace/exchange.ts';
import { bitsOfNumber, bitsToChoose, DEVIATION_BITS, type Description } from '../proposal.ts';

/** How many were lost of some requests that came together. */
export interface Loss {
  readonly lost: number;
  readonly of: number;
}

/** Bits to say how many were lost each time, where it is known how many in all and each request is as likely to be lost as any other. */
export function bitsAmongAll(losses: readonly Loss[]): number {
  const { lost, of } = inAll(losses);
  return losses.reduce((bits, each) => bits - bitsToChoose(each.of, each.lost), bitsToChoose(of, lost));
}

/**
 * Bits to say what a race has lost of crowds, where any number of each is as likely as any other: of each by itself, or of all alike. A race that loses few
 * of many takes as many bits as one that loses most.
 */
export function bitsOfRace(losses: readonly Loss[]): number {
  const ofEach = losses.reduce((sum, each) => sum + bitsOfAny(each), 0);
  return Math.min(ofEach, bitsOfAny(inAll(losses)) + bitsAmongAll(losses));
}

/** Bits to say how many were lost, where any number is as likely as any other. */
function bitsOfAny({ of }: Loss): number {
  return Math.log2(of + 1);
}

/** Bits to say how many of some crowds did not see each other, the more, the likelier: of each by itself, or of all alike, which takes to say that it is so. */
export function bitsOfUnseen(losses: readonly Loss[]): number {
  const bits = ({ lost, of }: Loss): number => Math.log2((of + 1) / (lost + 1));
  const ofEach = losses.reduce((sum, each) => sum + bits(each), 0);
  return Math.min(ofEach, bits(inAll(losses)) + Math.log2(losses.length));
}

/** Requests that cost another number than one now and then, as likely in a crowd as alone. @param weight 0: none; 2: two */
export function nowAndThen(kind: Kind, weight: 0 | 2, losses: readonly Loss[]): Description {
  const { lost, of } = inAll(losses);
  const oneIn = Math.max(2, Math.round(of / lost));
  return {
    deviations: [{ operator: 'sporadic-weight', parameters: { kinds: [kind], oneIn, weight } }],
    bits: DEVIATION_BITS + Math.min(bitsOfNumber(lost), bitsOfAny({ lost, of })) + bitsAmongAll(losses),
  };
}

/** All of them together. */
export function inAll(losses: readonly Loss[]): Loss {
  return losses.reduce((sum, { lost, of }) => ({ lost: sum.lost + lost, of: sum.of + of }), { lost: 0, of: 0 });
}
