/** Counts of a few alternatives. Each is expected as often as it was seen (Krichevsky and Trofimov 1981). */
export class Seen {
  readonly #counts: number[];
  #sum: number;

  constructor(things: number) {
    this.#counts = Array.from({ length: things }, () => 1 / 2);
    this.#sum = things / 2;
  }

  /** The alternatives as they were seen so far. */
  mostFrequentFirst(): readonly number[] {
    return [...this.#counts.keys()].sort((one, other) => (this.#counts[other] ?? 0) - (this.#counts[one] ?? 0));
  }

  /** Bits to state that it is this one now. It is counted from then on. */
  bits(thing: number): number {
    const count = this.#counts[thing] ?? 0;
    const bits = Math.log2(this.#sum / count);
    this.#counts[thing] = count + 1;
    this.#sum += 1;
    return bits;
  }
}
