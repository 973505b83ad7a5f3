import type { Connection } from './connection.ts';
import type { Connector } from './connector.ts';
import type { Endpoint } from './message.ts';
import type { Conditions } from './reply.ts';

/** What a client lends to the ways of delivering a burst. */
export interface Line {
  readonly conditions: Conditions;
  readonly connector: Connector;
  /** The number of the next connection. */
  number(): number;
  /**
   * Opens a connection that this client closes at its end.
   *
   * @param pipelining how many requests may be under way at once on it; 1 where absent
   * @throws what `causeOf` classifies
   */
  connect(number: number, endpoint: Endpoint, signal?: AbortSignal, pipelining?: number): Promise<Connection>;
}
