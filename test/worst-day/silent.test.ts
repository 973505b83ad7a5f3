import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { httpServer } from '../end-to-end/server.test-support.ts';
import { rehearse } from './rehearsal.test-support.ts';

/** Targets of which nothing can be said to be right, and what may be said of them all the same. */
const TARGETS: readonly (readonly [string, readonly string[], (response: ServerResponse) => void])[] = [
  ['503 to everything', [], (response) => void response.writeHead(503).end()],
  ['500 to everything', [], (response) => void response.writeHead(500).end('{}')],
  ['404 to everything', [], (response) => void response.writeHead(404).end()],
  ['401 to everything', [], (response) => void response.writeHead(401).end()],
  ['429 to everything', [], (response) => void response.writeHead(429).end()],
  [
    // Whoever lets everybody in lets the keys in, too. That it should not, AUTH-4 and AUTH-5 say.
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
