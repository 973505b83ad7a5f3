/** A source of numbers in [0, 1) that a printed seed repeats. */
export type Random = () => number;

/**
 * Mulberry32 (Tommy Ettinger, public domain): 32 bits of state, enough for spacing requests. Each consumer forks its
 * own with a label, so that one experiment's draws do not depend on how another one's answers were timed.
 */
export function seededRandom(seed: number, label = ''): Random {
  let state = seed >>> 0;
  for (const character of label) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same things in an order of chance (Fisher and Yates 1938). */
export function shuffled<Thing>(random: Random, things: readonly Thing[]): Thing[] {
  const mixed = [...things];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const [a, b] = [mixed[last], mixed[other]];
    if (a !== undefined && b !== undefined) [mixed[last], mixed[other]] = [b, a];
  }
  return mixed;
}

/** A number between the two. */
export function between(random: Random, [least, most]: readonly [number, number]): number {
  return least + (most - least) * random();
}
