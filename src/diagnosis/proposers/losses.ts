import type { RequestClass } from '../../deployment/attribute.ts';
import type { Kind } from '../../trace/exchange.ts';
import { bitsOfNumber, bitsToChoose, DEVIATION_BITS, type Description } from '../proposal.ts';

/** How many of some simultaneous requests were lost. */
export interface Loss {
  readonly lost: number;
  readonly of: number;
}

/** How many of some simultaneous requests were lost. */
export function lossIn<Part>(group: readonly Part[], isLost: (part: Part) => boolean): Loss {
  return { lost: group.filter(isLost).length, of: group.length };
}

/**
 * Bits to state how many were lost each time, if their total is known and every request is equally likely to be lost.
 */
export function bitsAmongAll(losses: readonly Loss[]): number {
  const { lost, of } = inAll(losses);
  return losses.reduce((bits, each) => bits - bitsToChoose(each.of, each.lost), bitsToChoose(of, lost));
}

/**
 * Bits to state the losses of a race, if any number in each group is equally likely: for each group by itself, or the
 * same for all. A race that loses few of many takes as many bits as one that loses most.
 */
export function bitsOfRace(losses: readonly Loss[]): number {
  const ofEach = losses.reduce((sum, each) => sum + bitsOfAny(each), 0);
  return Math.min(ofEach, bitsOfAny(inAll(losses)) + bitsAmongAll(losses));
}

/** Bits to state how many were lost, if any number is equally likely. */
function bitsOfAny({ of }: Loss): number {
  return Math.log2(of + 1);
}

/**
 * Bits to state how many requests of some groups did not see each other. More are more likely. For each group by
 * itself; or for those in which any did not, with the bits to state which these are; or for all together, with how they
 * are divided.
 */
export function bitsOfUnseen(losses: readonly Loss[]): number {
  const bits = ({ lost, of }: Loss): number => Math.log2((of + 1) / (lost + 1));
  const inSome = losses.filter(({ lost }) => lost > 0);
  const which = Math.log2(losses.length + 1) + bitsToChoose(losses.length, inSome.length);
  return Math.min(sumOf(losses, bits), which + sumOf(inSome, bits), bits(inAll(losses)) + bitsAmongAll(losses));
}

function sumOf(losses: readonly Loss[], bits: (loss: Loss) => number): number {
  return losses.reduce((sum, each) => sum + bits(each), 0);
}

/**
 * Requests that sometimes cost another number than one, equally likely alone or with others.
 *
 * @param weight 0: none; 2: two
 * @param among the requests that are meant; left out: all
 */
export function nowAndThen(kind: Kind, weight: 0 | 2, losses: readonly Loss[], among?: RequestClass): Description {
  const { lost, of } = inAll(losses);
  const oneIn = Math.max(2, Math.round(of / lost));
  return {
    deviations: [
      { operator: 'sporadic-weight', parameters: { kinds: [kind], oneIn, weight, ...(among && { of: among }) } },
    ],
    bits: DEVIATION_BITS + Math.min(bitsOfNumber(lost), bitsOfAny({ lost, of })) + bitsAmongAll(losses),
  };
}

/**
 * Bits to state after which requests of each crowd what is left did not fall: after any of those behind the first, if
 * those that lose their count saw the one before them.
 */
export function bitsOfRepeats(losses: readonly Loss[]): number {
  return sumOf(losses, ({ lost, of }) => bitsToChoose(Math.max(of - 1, lost), lost));
}

/** The sum of all losses. */
export function inAll(losses: readonly Loss[]): Loss {
  return losses.reduce((sum, { lost, of }) => ({ lost: sum.lost + lost, of: sum.of + of }), { lost: 0, of: 0 });
}
