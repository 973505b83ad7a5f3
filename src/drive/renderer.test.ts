import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { systemClock } from '../clock/system-clock.ts';
import { operationOf } from '../profile/profile.test-support.ts';
import { clientOf, get, httpServer } from './http/loopback.test-support.ts';
import { makeRenderer } from './renderer.ts';

const OPERATION = operationOf({ id: 'make', kind: 'write', capture: [{ name: 'id', from: { pointer: '/id' } }] });

async function captured(coding: string) {
  const port = await httpServer((_, response) => {
    response.writeHead(200, { 'content-encoding': coding }).end(gzipSync('{"id":7}'));
  });
  const answer = await clientOf(port).send({ ...get(), keepBody: true });
  return makeRenderer(systemClock(), 1).capture(OPERATION, answer);
}

test('values are taken from an encoded body, or it is said which coding prevents it', async () => {
  expect(await captured('gzip')).toEqual({ id: '7' });
  await expect(captured('br')).rejects.toThrow(
    'make: capture id: the body of the answer is not JSON: it is not in its Content-Encoding br, or breaks off',
  );
});
