import type { Connection } from './connection.ts';
import type { OpenSocket } from './connector.ts';
import type { Endpoint } from './message.ts';
import type { Conditions } from './reply.ts';

/** What a client lends to the ways of delivering a burst. All that it opens, it closes at its end. */
export interface Line {
  readonly conditions: Conditions;
  /** The number of the next connection. */
  number(): number;
  /**
   * A connection for HTTP/1.1.
   *
   * @param pipelining how many requests may be under way at once on it; 1 where absent
   * @throws what `causeOf` classifies
   */
  connect(number: number, endpoint: Endpoint, signal?: AbortSignal, pipelining?: number): Promise<Connection>;
  /**
   * A socket over which HTTP/2 has been offered.
   *
   * @throws what `causeOf` classifies
   */
  openH2(endpoint: Endpoint, signal?: AbortSignal): Promise<OpenSocket>;
}
