/** Numbers from 0 up to, not including, 1. */
export type Random = () => number;

/** A repeatable source of numbers (mulberry32): the same seed gives the same sequence. Not for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A number between the two. */
export function between(random: Random, [least, most]: readonly [number, number]): number {
  return least + (most - least) * random();
}
