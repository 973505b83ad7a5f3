import type { Kind } from '../trace/exchange.ts';

/** How to read the markers of a run. */
export interface MarkerReading {
  /** The precision of markers in µs: their unit, or whole seconds in a finer one; null if no marker could be read. */
  readonly unit: number | null;
  /** Name for reports, such as `seconds since the epoch`. */
  readonly name: string;
  /**
   * Whether the zero is the server's own, such as its start: then a marker tells how far apart two moments are, and not
   * when they are.
   */
  readonly ownZero: boolean;
  /**
   * The marker in µs of the run's clock, as if the server had the client's wall time; null if it is unusable.
   *
   * @param key to whose budget the answer belongs: a calendar time may be that of its zone
   */
  read(lines: readonly string[], key?: string | null): number | null;
}

/**
 * The readings of both kinds, which may be limited in different places. A kind without any marker is read as the other
 * one.
 */
export type Markers = Readonly<Record<Kind, MarkerReading>>;
