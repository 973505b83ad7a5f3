import type { Socket } from 'node:net';
import { Client } from 'undici';
import { CauseError } from './failure.ts';
import { skipContinue } from './interim.ts';
import type { Endpoint } from './message.ts';

/** Longer header sections are not read. */
export const MAX_HEADER_BYTES = 64 * 1024;

/**
 * How long a connection may be idle before it is closed, in real ms. Servers close idle connections after 2 s
 * (Gunicorn), 5 s (Node, Apache) or later. A request that is sent at that moment is lost, and may have been counted.
 */
const IDLE_LIMIT = 1500;

/** One connection, for one endpoint, with a number in the run. It is never reopened, so a lost request is visible. */
export interface Connection {
  readonly number: number;
  readonly endpoint: Endpoint;
  readonly socket: Socket;
  readonly client: Client;
  readonly closed: boolean;
  close(): void;
}

/**
 * An undici client on a socket that is ready.
 *
 * @param pipelining how many requests may be under way at once
 */
export function createConnection(number: number, endpoint: Endpoint, socket: Socket, pipelining = 1): Connection {
  if (pipelining === 1) skipContinue(socket);
  let used = false;
  let closed = false;
  const client = new Client(endpoint.origin, {
    pipelining,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: IDLE_LIMIT,
    keepAliveMaxTimeout: IDLE_LIMIT,
    keepAliveTimeoutThreshold: 500,
    // The suite has its own time-outs, because undici's tick in half seconds, and start before a held request is
    // released.
    headersTimeout: 0,
    bodyTimeout: 0,
    // undici repeats requests over a new connection if it considers that safe. Here it never is, because each may be
    // counted.
    connect: (_, done) => {
      const first = !used;
      used = true;
      // undici checks its queue only if it is told about the connection in a later turn.
      queueMicrotask(() =>
        first
          ? done(null, socket)
          : done(new CauseError('reset', 'the connection was closed before this answer came'), null),
      );
    },
  });
  const markClosed = (): void => {
    closed = true;
  };
  socket.once('close', markClosed);
  socket.once('end', markClosed);
  return {
    number,
    endpoint,
    socket,
    client,
    get closed() {
      return closed || socket.destroyed;
    },
    close() {
      closed = true;
      client.destroy().catch(() => {});
      socket.destroy();
    },
  };
}
