/** Ranges of µs, of which low values are far more likely than high ones, as on real networks. */
export type Range = readonly [least: number, most: number];

/** What lies between the suite and the limiter. */
export interface Network {
  /** From the send to the limiter's decision. */
  readonly uplink: Range;
  /** From the decision to the writing of the answer. */
  readonly work: Range;
  readonly downlink: Range;
  /** Fraction of requests without an answer. Some of them are never counted, some at once, some seconds later. */
  readonly lost: number;
}

/** Loopback: half a millisecond, nothing lost. */
export const QUIET_NETWORK: Network = { uplink: [100, 400], work: [50, 200], downlink: [100, 400], lost: 0 };
