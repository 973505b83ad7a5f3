import type { Dispatcher } from 'undici';
import type { Connection } from './connection.ts';
import { CauseError, causeOf } from './failure.ts';
import type { PreparedRequest } from './message.ts';
import { type Conditions, Reply } from './reply.ts';

/** A request that waits in a corked socket until it is released. */
export interface HeldRequest {
  readonly reply: Reply;
  /** Resolves when the request has been passed to the socket, or was answered without. */
  readonly ready: Promise<void>;
}

/**
 * Writes a request on an HTTP/1.1 connection.
 *
 * About the times: undici calls `onRequestStart` in the same synchronous code in which it passes the bytes to the
 * kernel. So a time stamp taken there is some microseconds before the write, and never after it. undici calls
 * `onResponseStart` after it has read and parsed the head, so that stamp is never before the arrival.
 */
export function dispatch(connection: Connection, request: PreparedRequest, conditions: Conditions): Reply {
  const reply = new Reply(connection.number, conditions, request.keepBody);
  start(connection, request, reply, () => reply.release());
  return reply;
}

/**
 * Writes a request on a connection whose socket the caller has corked, so its bytes wait in this process. The caller
 * releases them with `reply.release()` and then `socket.uncork()`.
 */
export function hold(connection: Connection, request: PreparedRequest, conditions: Conditions): HeldRequest {
  const reply = new Reply(connection.number, conditions, request.keepBody);
  const { promise, resolve } = Promise.withResolvers<void>();
  start(connection, request, reply, resolve);
  return { reply, ready: Promise.race([promise, reply.answer.then(() => {})]) };
}

function start(connection: Connection, request: PreparedRequest, reply: Reply, onWrite: () => void): void {
  reply.cancel = () => connection.close();
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      reply.cancel = ({ failure, detail }) => controller.abort(new CauseError(failure, detail));
      onWrite();
    },
    onResponseStart(controller, status) {
      const { rawHeaders } = controller;
      if (status >= 200) reply.begin(status, Array.isArray(rawHeaders) ? rawHeaders : []);
    },
    onResponseData: (_, chunk) => reply.receive(chunk),
    onResponseEnd: () => reply.end(),
    onResponseError: (_, error) => reply.fail(causeOf(error)),
  };
  const { method, path, headers, body } = request;
  // `blocking` and `idempotent` matter only on a pipelined connection: no request waits for the ones before it.
  connection.client.dispatch(
    { method, path, headers: headers.flat(), body, blocking: false, idempotent: true },
    handler,
  );
}
