import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { atTheEnd } from '../end-to-end/at-the-end.test-support.ts';
import { listening } from '../end-to-end/server.test-support.ts';

/** The complete answer of the deployment behind the proxy. */
export interface Answer {
  readonly status: number;
  /** Names and values in turn, as received. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** One request that passed through the proxy. */
export interface Passage {
  /** Counted from 1 in the order of arrival. */
  readonly number: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answer: Answer;
  /** Passes the answer on unchanged. */
  pass(): void;
  /** Writes bytes instead of an answer. */
  raw(text: string): void;
}

export interface FrontOptions {
  /** The origin of a request, by its number and that of its connection. */
  readonly route?: (number: number, connection: number) => string;
  /** What happens to the answer; without it, this is a plain reverse proxy. */
  readonly handle?: (passage: Passage) => void | Promise<void>;
}

/**
 * A reverse proxy on loopback, in front of the deployment at `origin`, that can damage answers like bad networks and
 * servers.
 */
export async function front(origin: string, { route = () => origin, handle }: FrontOptions): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  atTheEnd(() => agent.destroy());
  const connections = new WeakMap<object, number>();
  let connected = 0;
  let arrived = 0;
  const server = createServer((incoming, response) => {
    arrived += 1;
    const number = arrived;
    const base = new URL(route(number, connections.get(incoming.socket) ?? 0));
    const outgoing = request({
      agent,
      host: base.hostname,
      port: base.port,
      method: incoming.method,
      path: incoming.url,
      headers: endToEnd(incoming.rawHeaders),
    });
    outgoing.on('error', () => incoming.socket.destroy());
    outgoing.on('response', (behind) => {
      const chunks: Buffer[] = [];
      behind.on('error', () => incoming.socket.destroy());
      behind.on('data', (chunk: Buffer) => chunks.push(chunk));
      behind.on('end', () => {
        const answer = { status: behind.statusCode ?? 0, headers: behind.rawHeaders, body: Buffer.concat(chunks) };
        const pass = (): void => {
          response.sendDate = false;
          response.writeHead(answer.status, endToEnd(answer.headers));
          response.end(answer.body);
        };
        const raw = (text: string): void => void incoming.socket.write(text);
        const handled = handle ? handle({ number, request: incoming, response, answer, pass, raw }) : pass();
        Promise.resolve(handled).catch(() => incoming.socket.destroy());
      });
    });
    incoming.pipe(outgoing);
  });
  server.keepAliveTimeout = 120_000;
  server.on('connection', (socket) => connections.set(socket.setNoDelay(true), ++connected));
  return listening(server);
}

/** The head of an answer as bytes, with the deployment's headers, but different framing headers. */
export function headOf({ status, headers }: Answer, framing: string): string {
  const lines: string[] = [];
  const kept = endToEnd(headers);
  for (let at = 0; at < kept.length; at += 2) {
    if (kept[at]?.toLowerCase() !== 'content-length') lines.push(`${kept[at]}: ${kept[at + 1]}`);
  }
  return [`HTTP/1.1 ${status} Whatever`, ...lines, framing, '', ''].join('\r\n');
}

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding']);

function endToEnd(raw: readonly string[]): string[] {
  return raw.filter((_, index) => !HOP_BY_HOP.has((raw[index - (index % 2)] ?? '').toLowerCase()));
}
