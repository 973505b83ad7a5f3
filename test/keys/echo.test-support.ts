import type { IncomingMessage } from 'node:http';
import { TRANSFORMATIONS } from '../../src/profile/transformations.test-support.ts';
import { httpServer } from '../end-to-end/server.test-support.ts';

const WAYS = Object.values(TRANSFORMATIONS);
/** Every header of which a recording may keep something, and some that it does not keep. */
const PLACES = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Date',
  'Age',
  'Allow',
  'Cache-Control',
  'Content-Type',
  'Location',
  'Server',
  'Via',
  'WWW-Authenticate',
  'X-Request-Id',
  'RateLimit-Policy',
  'Set-Cookie',
];

/**
 * A deployment that writes every part of every request into every part of its answer: names and values of headers, the words of the status
 * line, and the body; each request in other encodings than the one before, until each has stood in each place.
 */
export function echoingTarget(): Promise<string> {
  let number = 0;
  return httpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      number += 1;
      const parts = partsOf(request, Buffer.concat(chunks).toString());
      // A part that is a credential comes twice as often: it is what is looked for.
      const part = parts[number % parts.length] ?? '';
      const turn = (place: number): string =>
        writable((WAYS[(number + place) % WAYS.length] ?? String)(place % 3 === 0 ? part : (parts[0] ?? '')));
      response.sendDate = false;
      response.statusCode = 200;
      response.statusMessage = turn(0);
      for (const [place, name] of PLACES.entries()) response.setHeader(name, turn(place));
      response.appendHeader('X-RateLimit-Limit', turn(PLACES.length));
      response.setHeader(
        `X-RateLimit-${turn(7)
          .replace(/[^0-9a-z-]/gi, '-')
          .slice(0, 40)}`,
        '1',
      );
      response.end(JSON.stringify({ id: turn(1), title: turn(2), echo: WAYS.map((way) => way(part)) }));
    });
  });
}

/** First what the request was authenticated with. */
function partsOf(request: IncomingMessage, body: string): readonly string[] {
  const key = request.headers['x-api-key'] ?? request.headers.authorization?.replace(/^\S+ +/, '') ?? '';
  return [`${key}`, `${request.headers.authorization ?? key}`, request.url ?? '', ...request.rawHeaders, body];
}

function writable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, ' ').slice(0, 1_500);
}
