import { hold } from './dispatch.ts';
import type { Line } from './line.ts';
import { type Answer, type PreparedRequest, RequestError } from './message.ts';
import { abortOn, causeOfEnd, leadUp } from './release.ts';
import { unsent } from './reply.ts';

/**
 * Sends all requests in a row over one connection, without waiting for answers. The answers come in the same order (RFC
 * 9112, clause 9.3.2).
 */
export async function burstPipelined(
  requests: readonly PreparedRequest[],
  line: Line,
  at: number,
  signal?: AbortSignal,
): Promise<Answer[]> {
  const { conditions } = line;
  const endpoint = requests[0]?.endpoint;
  if (!endpoint) return [];
  checkPipelined(requests);
  const number = line.number();
  try {
    await leadUp(conditions.clock, at, signal);
    const connection = await line.connect(number, endpoint, signal, requests.length);
    connection.socket.cork();
    const held = requests.map((request) => hold(connection, request, conditions));
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
    return Promise.all(requests.map(() => unsent(number, causeOfEnd(error, signal), conditions)));
  }
}

/** @throws RequestError if a request ends the connection that later ones need */
export function checkPipelined(requests: readonly Pick<PreparedRequest, 'method' | 'body'>[]): void {
  const unfit = requests.find(({ method, body }) => !canFollow(method, body));
  if (unfit) throw new RequestError(`a ${unfit.method} request ${unfit.body ? 'with a body ' : ''}cannot be pipelined`);
}

/** undici closes a connection after HEAD, and after a body that is unusual for the method, so no request can follow. */
function canFollow(method: string, body: string | null): boolean {
  return body === null ? method !== 'HEAD' : ['POST', 'PUT', 'PATCH'].includes(method);
}
