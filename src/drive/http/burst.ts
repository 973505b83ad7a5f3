import type { Clock } from '../../clock/clock.ts';
import { type HeldRequest, hold } from './dispatch.ts';
import { CauseError, causeOf } from './failure.ts';
import type { Line } from './line.ts';
import { type Answer, type PreparedRequest, RequestError } from './message.ts';
import { unsent } from './reply.ts';

/**
 * Connections are opened so many real ms before the release: enough for a slow handshake, and short enough that no server
 * gives up on a connection that says nothing.
 */
const LEAD = 1500;

/** Waits until connections for a burst at `at` should be opened. */
export async function leadUp(clock: Clock, at: number, signal?: AbortSignal): Promise<void> {
  await clock.sleepUntil(at - LEAD * 1000 * clock.scale, signal);
}

/** Every request over its own connection. Each connection is closed once its answer is here. */
export async function burstOverConnections(
  requests: readonly PreparedRequest[],
  line: Line,
  at: number,
  signal?: AbortSignal,
): Promise<Answer[]> {
  const { conditions } = line;
  const slots = requests.map((request) => ({ request, number: line.number() }));
  try {
    await leadUp(conditions.clock, at, signal);
    const held = await Promise.all(
      slots.map(async ({ request, number }) => {
        try {
          const connection = await line.connect(number, request.endpoint, signal);
          connection.socket.cork();
          const { reply, ready } = hold(connection, request, conditions);
          const answer = reply.answer.finally(() => connection.close());
          await ready;
          return { reply, answer, socket: connection.socket };
        } catch (error) {
          return { answer: unsent(number, causeOf(error), conditions) };
        }
      }),
    );
    const replies = held.flatMap(({ reply }) => (reply ? [reply] : []));
    const stop = abortOn(signal, replies);
    await conditions.clock.sleepUntil(at, signal).catch(stop.now);
    for (const { reply, socket } of held) {
      reply?.release();
      socket?.uncork();
    }
    const answers = await Promise.all(held.map(({ answer }) => answer));
    stop.forget();
    return answers;
  } catch (error) {
    if (!signal?.aborted) throw error;
    return Promise.all(slots.map(({ number }) => unsent(number, causeOf(abortedError()), conditions)));
  }
}

/** All requests in a row over one connection, without waiting for answers, which come in the same order (RFC 9112, clause 9.3.2). */
export async function burstPipelined(
  requests: readonly PreparedRequest[],
  line: Line,
  at: number,
  signal?: AbortSignal,
): Promise<Answer[]> {
  const { conditions } = line;
  const endpoint = requests[0]?.endpoint;
  if (!endpoint) return [];
  const unfit = requests.find(({ method, body }) => !canFollow(method, body));
  if (unfit) throw new RequestError(`a ${unfit.method} request ${unfit.body ? 'with a body ' : ''}cannot be pipelined`);
  const number = line.number();
  try {
    await leadUp(conditions.clock, at, signal);
    const connection = await line.connect(number, endpoint, signal, requests.length);
    connection.socket.cork();
    const held: HeldRequest[] = requests.map((request) => hold(connection, request, conditions));
    await Promise.all(held.map(({ ready }) => ready));
    const replies = held.map(({ reply }) => reply);
    const stop = abortOn(signal, replies);
    await conditions.clock.sleepUntil(at, signal).catch(stop.now);
    for (const reply of replies) reply.release();
    connection.socket.uncork();
    const answers = await Promise.all(replies.map(({ answer }) => answer));
    stop.forget();
    connection.close();
    return answers;
  } catch (error) {
    return Promise.all(
      requests.map(() => unsent(number, causeOf(signal?.aborted ? abortedError() : error), conditions)),
    );
  }
}

/** undici closes a connection after HEAD, and after a body that the method does not call for: nothing can follow those. */
function canFollow(method: string, body: string | null): boolean {
  return body === null ? method !== 'HEAD' : ['POST', 'PUT', 'PATCH'].includes(method);
}

/** Gives up on these replies when the signal says so; `forget` once they are all here. */
export function abortOn(signal: AbortSignal | undefined, replies: readonly HeldRequest['reply'][]) {
  const now = (): void => {
    for (const reply of replies) reply.abort(causeOf(abortedError()));
  };
  signal?.addEventListener('abort', now, { once: true });
  return { now, forget: () => signal?.removeEventListener('abort', now) };
}

export function abortedError(): CauseError {
  return new CauseError('aborted', 'the run was ended');
}
