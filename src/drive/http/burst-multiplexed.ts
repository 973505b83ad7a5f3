import { once } from 'node:events';
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2';
import { causeOf } from './failure.ts';
import type { Line } from './line.ts';
import type { Answer, Endpoint, PreparedRequest } from './message.ts';
import { abortOn, causeOfEnd, leadUp } from './release.ts';
import { type Conditions, Reply, unsent } from './reply.ts';

/** The target does not offer what a delivery needs. This does not affect any verdict. */
export class DeliveryError extends Error {
  override name = 'DeliveryError';
}

/**
 * Sends all requests as streams of one HTTP/2 connection, begun in one turn of the event loop, because Node submits the
 * frames of a turn together.
 *
 * @throws DeliveryError if the target does not speak HTTP/2
 */
export async function burstMultiplexed(
  requests: readonly PreparedRequest[],
  line: Line,
  at: number,
  signal?: AbortSignal,
): Promise<Answer[]> {
  const { conditions } = line;
  const endpoint = requests[0]?.endpoint;
  if (!endpoint) return [];
  const number = line.number();
  let session: ClientHttp2Session | null = null;
  try {
    await leadUp(conditions.clock, at, signal);
    session = await openSession(line, endpoint, conditions.timeout, signal);
    await conditions.clock.sleepUntil(at, signal);
    const replies: Reply[] = [];
    for (const request of requests) replies.push(begin(session, request, number, conditions));
    const stop = abortOn(signal, replies);
    const answers = await Promise.all(replies.map(({ answer }) => answer));
    stop.forget();
    return answers;
  } catch (error) {
    if (error instanceof DeliveryError) throw error;
    const cause = causeOfEnd(error, signal);
    return Promise.all(requests.map(() => unsent(number, cause, conditions)));
  } finally {
    session?.destroy();
  }
}

async function openSession(
  line: Line,
  endpoint: Endpoint,
  timeout: number,
  signal?: AbortSignal,
): Promise<ClientHttp2Session> {
  if (endpoint.protocol === 'http:') {
    throw new DeliveryError('HTTP/2 is negotiated in the TLS handshake, so it is not available over cleartext HTTP');
  }
  const socket = await line.openH2(endpoint, signal);
  if (socket.alpnProtocol !== 'h2') {
    socket.destroy();
    throw new DeliveryError('the target does not offer HTTP/2');
  }
  const session = connect(endpoint.origin, { createConnection: () => socket, settings: { enablePush: false } });
  session.on('error', () => {});
  // Until the settings of the other side arrive, Node would queue streams above a guessed number.
  const limit = AbortSignal.timeout(timeout);
  await once(session, 'remoteSettings', { signal: signal ? AbortSignal.any([signal, limit]) : limit });
  return session;
}

function begin(session: ClientHttp2Session, request: PreparedRequest, number: number, conditions: Conditions): Reply {
  const reply = new Reply(number, conditions, request.keepBody);
  const headers = fieldsOf(request);
  // The frames of this stream are sent at the end of this turn, so after this time stamp.
  reply.release();
  try {
    const stream = session.request(headers, { endStream: request.body === null });
    reply.cancel = () => stream.destroy();
    stream.on('response', (fields, _flags, raw: unknown) => {
      reply.begin(Number(fields[':status']), Array.isArray(raw) ? raw : []);
    });
    stream.on('data', (chunk: Buffer) => reply.receive(chunk));
    stream.on('end', () => reply.end());
    stream.on('error', (error) => reply.fail(causeOf(error)));
    stream.on('close', () => reply.fail({ failure: 'reset', detail: 'the stream was closed before an answer came' }));
    if (request.body !== null) stream.end(request.body);
  } catch (error) {
    reply.fail(causeOf(error));
  }
  return reply;
}

function fieldsOf({ method, path, endpoint, headers, body }: PreparedRequest): OutgoingHttpHeaders {
  const fields: Record<string, string | string[]> = {
    ':method': method,
    ':path': path,
    ':scheme': 'https',
    ':authority': new URL(endpoint.origin).host,
  };
  if (body !== null) fields['content-length'] = String(Buffer.byteLength(body));
  for (const [name, value] of headers) {
    const field = name.toLowerCase();
    const before = fields[field];
    fields[field] = before === undefined ? value : [before, value].flat();
  }
  return fields;
}
