/**
 * Durations in µs as counts in log-linear buckets: each power of two is cut into 1,024 equal parts, so a quantile is at
 * most 0.1 % too high, whatever its size. Histograms of the same shape add up exactly, which percentiles do not: this
 * is what lets many instances have one p99. After HdrHistogram (Gil Tene), with the shape fixed.
 */
export class Histogram {
  readonly #counts = new Map<number, number>();
  #count = 0;
  #max = 0;

  /** Takes up one duration in whole µs (≥ 0). */
  add(value: number): void {
    const bucket = bucketOf(value);
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + 1);
    this.#count += 1;
    if (value > this.#max) this.#max = value;
  }

  /** Adds another's counts to this one's. */
  merge(other: Histogram): void {
    for (const [bucket, count] of other.#counts) this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count);
    this.#count += other.#count;
    this.#max = Math.max(this.#max, other.#max);
  }

  get count(): number {
    return this.#count;
  }

  /** Greatest duration in µs, exactly; 0 where there is none. */
  get max(): number {
    return this.#max;
  }

  /** What a report says of a run's latency, in µs. */
  get summary(): { readonly p50: number; readonly p99: number; readonly max: number } {
    return { p50: this.quantile(0.5), p99: this.quantile(0.99), max: this.max };
  }

  /**
   * The least bucket's upper end that at least `share` (0…1) of the durations do not exceed, in µs; 0 where there is
   * none.
   */
  quantile(share: number): number {
    const rank = Math.max(1, Math.ceil(share * this.#count - 1e-9));
    let seen = 0;
    for (const bucket of [...this.#counts.keys()].sort((a, b) => a - b)) {
      seen += this.#counts.get(bucket) ?? 0;
      if (seen >= rank) return Math.min(upperEnd(bucket), this.#max);
    }
    return 0;
  }
}

const PARTS = 1_024;

/** Values below twice the parts have a bucket each; above, 1,024 buckets for each power of two. */
function bucketOf(value: number): number {
  if (value < 2 * PARTS) return Math.max(0, Math.floor(value));
  const power = Math.floor(Math.log2(value / PARTS));
  return power * PARTS + Math.floor(value / 2 ** power);
}

/** Greatest whole number in a bucket. */
function upperEnd(bucket: number): number {
  if (bucket < 2 * PARTS) return bucket;
  const power = Math.floor(bucket / PARTS) - 1;
  return (bucket - power * PARTS + 1) * 2 ** power - 1;
}
