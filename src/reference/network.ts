/** A range of µs. As on real networks, low values are much more likely than high ones. */
export type Range = readonly [least: number, most: number];

/** The delays and losses between the suite and the limiter. */
export interface Network {
  /** From sending to the limiter's decision. */
  readonly uplink: Range;
  /** From the decision until the answer is written. */
  readonly work: Range;
  readonly downlink: Range;
  /** Fraction of requests without an answer. Some of these are never counted, some at once, and some seconds later. */
  readonly lost: number;
}

/** Loopback: half a millisecond, no losses. */
export const QUIET_NETWORK: Network = { uplink: [100, 400], work: [50, 200], downlink: [100, 400], lost: 0 };
