import type { Connection } from './connection.ts';
import type { OpenSocket } from './connector.ts';
import type { Endpoint } from './message.ts';
import type { Conditions } from './reply.ts';

/** What a client provides to the deliveries of bursts. A delivery closes everything that it has opened. */
export interface Line {
  readonly conditions: Conditions;
  /** The number of the next connection. */
  number(): number;
  /**
   * A connection for HTTP/1.1.
   *
   * @param pipelining how many requests may be under way on it at once; default: 1
   * @throws what `causeOf` classifies
   */
  connect(number: number, endpoint: Endpoint, signal?: AbortSignal, pipelining?: number): Promise<Connection>;
  /**
   * A socket on which HTTP/2 was offered.
   *
   * @throws what `causeOf` classifies
   */
  openH2(endpoint: Endpoint, signal?: AbortSignal): Promise<OpenSocket>;
}
