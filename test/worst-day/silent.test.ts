import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { httpServer } from '../end-to-end/server.test-support.ts';
import { rehearse } from './rehearsal.test-support.ts';

/** Targets at which nothing works, and what can still be said about them. */
const TARGETS: readonly (readonly [string, readonly string[], (response: ServerResponse) => void])[] = [
  ['503 to everything', [], (response) => void response.writeHead(503).end()],
  ['500 to everything', [], (response) => void response.writeHead(500).end('{}')],
  ['404 to everything', [], (response) => void response.writeHead(404).end()],
  ['401 to everything', [], (response) => void response.writeHead(401).end()],
  ['429 to everything', [], (response) => void response.writeHead(429).end()],
  [
    // A target that accepts everybody also accepts the keys. AUTH-4 and AUTH-5 say that it should not accept everybody.
    'a page with 200 to everything',
    ['AUTH-2', 'AUTH-3', 'AUTH-7', 'STATUS-200', 'STATUS-SET', 'STATUS-NO5XX'],
    (response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Welcome'),
  ],
];

describe.concurrent('nothing passes without a witness', () => {
  test.each(TARGETS)('%s', async (_, allowed, answer) => {
    const found = await rehearse(
      await httpServer((request, response) => {
        request.resume().on('end', () => answer(response));
      }),
    );
    const passed = found.judgement.verdicts.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
    expect(passed).toEqual(allowed);
    expect(found.judgement.exitCode).not.toBe(0);
  });
});
