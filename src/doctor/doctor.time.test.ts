import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../clock/system-clock.ts';
import { init } from '../init/init.ts';
import { referenceProfile } from '../reference/profile.ts';
import { startReference } from '../reference/server.ts';
import { diagnosisText } from './diagnosis-text.ts';
import { bad, examined, examineProfile, KEYS, SCALE, untestable } from './examined.test-support.ts';
import { REMEDIES } from './needs.ts';

describe('a conforming server with a whole profile', () => {
  test('is ready, at the cost of some thirty requests', async () => {
    const diagnosis = await examined();
    expect(diagnosis).toMatchObject({ obstacle: null, ready: true });
    expect(untestable(diagnosis)).toEqual([]);
    expect(diagnosis.requests).toBeLessThanOrEqual(35);
    const { keys, operations, probes, headers } = diagnosis;
    expect(bad([...keys, ...operations, ...probes, ...headers])).toEqual([]);
    expect(headers.map(({ subject }) => subject)).toEqual(['200', '400', '401', '403', '404', '500']);
  });

  test('is ready with the profile that init proposes from its interface description', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'doctor-test-'));
    const server = await startReference({ keys: KEYS, clock: systemClock(SCALE) });
    try {
      const file = join(folder, 'p.yaml');
      const openapi = fileURLToPath(new URL('../init/fixtures/size-chart.openapi.yaml', import.meta.url));
      await init(file, { openapi, baseUrl: server.baseUrl, name: null });
      const diagnosis = await examineProfile(readFileSync(file, 'utf8'), KEYS);
      expect(diagnosis.ready).toBe(true);
      expect(untestable(diagnosis)).toEqual(['STATUS-500']);
      expect(bad([...diagnosis.operations, ...diagnosis.probes])).toEqual([]);
    } finally {
      await server.close();
      rmSync(folder, { recursive: true });
    }
  });
});

/** A gateway in front of a server, which forbids the restricted key all but one path. */
async function forbiddingAllBut(path: string, baseUrl: string) {
  const headers = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '99', 'x-ratelimit-reset': '1800000000' };
  const gateway = createServer(async (request, response) => {
    const { method = 'GET', url = '' } = request;
    const key = request.headers['x-api-key'] ?? request.headers.authorization?.replace('Bearer ', '');
    if (key === KEYS.restricted && !url.endsWith(path)) return response.writeHead(403, headers).end();
    let body = '';
    for await (const part of request) body += part;
    const sent = Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' && /^(x-api-key|authorization|content-type)$/.test(name)
        ? [[name, value] as const]
        : [],
    );
    const answer = await fetch(`${new URL(baseUrl).origin}${url}`, {
      method,
      headers: Object.fromEntries(sent),
      ...(method === 'GET' ? {} : { body }),
    });
    const told = [...answer.headers].filter(([name]) => name.startsWith('x-ratelimit'));
    response.writeHead(answer.status, Object.fromEntries(told)).end(await answer.text());
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const { port } = gateway.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/api/v1`, close: () => gateway.close() };
}

test('a restricted key that may do a single operation is enough', async () => {
  const server = await startReference({ keys: KEYS, clock: systemClock(SCALE) });
  const gateway = await forbiddingAllBut('/labels/1', server.baseUrl);
  try {
    const { keys } = await examineProfile(referenceProfile(gateway.baseUrl), KEYS);
    expect(keys.filter(({ alias }) => alias === 'restricted')).toMatchObject([
      { standing: 'good', text: 'accepted (200)' },
    ]);
  } finally {
    gateway.close();
    await server.close();
  }
});

test('a text for people names every requirement that is not testable, and no key', async () => {
  const diagnosis = await examined({ keys: { restricted: null } });
  const text = diagnosisText(diagnosis, { colour: false });
  for (const id of untestable(diagnosis)) expect(text).toMatch(new RegExp(`${id}[ ,)]`));
  expect(text).not.toMatch(/AUTH-1[ ,)]/);
  expect(text).toMatch(new RegExp(`✗ AUTH-6[A-Z0-9, -]* needed: ${REMEDIES['restricted key']}`));
  expect(text).toMatch(/A full run takes at most \d+ requests and about \d+ s\./);
  for (const key of [...KEYS.full, 'revoked-key-0']) expect(JSON.stringify(diagnosis) + text).not.toContain(key);
});
