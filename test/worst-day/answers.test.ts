import { describe, expect, test } from 'vitest';
import { httpServer, reference } from '../end-to-end/server.test-support.ts';
import { front, headOf, type Passage } from './front.test-support.ts';
import { expectInnocent, rehearse, SCALE } from './rehearsal.test-support.ts';

/** A conforming deployment whose answers a proxy changes. */
async function behind(handle: (passage: Passage) => void) {
  const { baseUrl } = await reference(SCALE);
  return rehearse(await front(baseUrl, { handle }));
}

/** IDs of what failed. */
function ids(failed: readonly string[]): string[] {
  return failed.map((each) => each.split(':')[0] ?? '');
}

const body = ({ answer }: Passage): string =>
  `${headOf(answer, `Content-Length: ${answer.body.length}`)}${answer.body}`;

describe.concurrent('interim answers are no answers', () => {
  test.each([
    ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['103 Early Hints', 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n'],
  ])('%s before every third answer changes nothing', async (_, interim) => {
    expectInnocent(
      await behind((passage) => passage.raw(`${passage.number % 3 === 0 ? interim : ''}${body(passage)}`)),
    );
  });
});

describe.concurrent('another status where 200 is due', () => {
  test('204 fails what speaks of success, and nothing else', async () => {
    const found = await behind((passage) => {
      const { request, answer, pass } = passage;
      if (request.method !== 'DELETE' || answer.status !== 200) return pass();
      passage.raw(headOf({ ...answer, status: 204 }, 'X-Empty: yes'));
    });
    expect(ids(found.failed)).toEqual(['STATUS-200', 'STATUS-SET']);
    expect(found.judgement.exitCode).toBe(1);
  });

  test('304 is no status of the service, and its operation never succeeds', async () => {
    const found = await behind((passage) => {
      const { request, answer, pass } = passage;
      if (!request.url?.endsWith('/labels/1') || request.method !== 'GET' || answer.status !== 200) return pass();
      passage.raw(headOf({ ...answer, status: 304 }, 'ETag: "1"'));
    });
    expect(ids(found.failed)).toContain('STATUS-SET');
    for (const id of ids(found.failed)) expect(id).toMatch(/^(STATUS-(200|SET)|AUTH-[23])$/);
    expect(found.judgement.exitCode).toBe(1);
  });
});

describe.concurrent('HTML with 200 to everything', () => {
  const page = (): Promise<string> =>
    httpServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      response.end('<!doctype html><title>Welcome to nginx!</title>');
    });

  test('does not conform, for what is missing from it', async () => {
    const found = await rehearse(await page());
    expect(found.judgement.exitCode).toBe(1);
    expect(ids(found.failed)).toEqual(expect.arrayContaining(['AUTH-1', 'AUTH-4', 'AUTH-5', 'STATUS-404', 'HDR-1']));
    for (const id of ['HDR-2', 'HDR-4', 'HDR-6', 'LIMIT-R', 'LIMIT-W', 'LIMIT-WINDOW', 'LIMIT-KEY']) {
      expect(found.verdict(id), id).not.toBe('pass');
    }
  });

  test('has no limit: LIMIT-R and LIMIT-W say so, and LIMIT-ATOMIC does not pass on bursts that nothing counted', async () => {
    const found = await rehearse(await page());
    expect(found.verdict('LIMIT-ATOMIC')).not.toBe('pass');
    expect(ids(found.failed)).toEqual(expect.arrayContaining(['LIMIT-R', 'LIMIT-W']));
  });
});
