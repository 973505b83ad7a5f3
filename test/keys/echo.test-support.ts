import type { IncomingMessage } from 'node:http';
import { TRANSFORMATIONS } from '../../src/profile/transformations.test-support.ts';
import { httpServer } from '../end-to-end/server.test-support.ts';

const WAYS = Object.values(TRANSFORMATIONS);
/** Every header that a recording may keep, and some that it does not keep. */
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
 * A deployment that writes every part of every request into every part of its answer: names and values of headers, the
 * reason phrase, and the body. Each request uses other encodings than the one before, until each encoding has occurred
 * in each place.
 */
export function echoingTarget(): Promise<string> {
  let number = 0;
  return httpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      number += 1;
      const parts = partsOf(request, Buffer.concat(chunks).toString());
      // A credential occurs twice as often, because the tests look for it.
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

/** The credential of the request comes first. */
function partsOf(request: IncomingMessage, body: string): readonly string[] {
  const key = request.headers['x-api-key'] ?? request.headers.authorization?.replace(/^\S+ +/, '') ?? '';
  return [`${key}`, `${request.headers.authorization ?? key}`, request.url ?? '', ...request.rawHeaders, body];
}

function writable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, ' ').slice(0, 1_500);
}
