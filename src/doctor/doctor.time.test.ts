import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { examineTarget } from '../cli/commands/doctor.ts';
import { systemClock } from '../clock/system-clock.ts';
import { init } from '../init/init.ts';
import type { Keys } from '../profile/profile.ts';
import { readProfile } from '../profile/read-profile.ts';
import { referenceProfile } from '../reference/profile.ts';
import { startReference } from '../reference/server.ts';
import type { Diagnosis, Finding } from './diagnosis.ts';
import { diagnosisText } from './diagnosis-text.ts';
import { NEEDS, REMEDIES } from './needs.ts';

const KEYS: Keys = {
  full: ['full-key-number-one', 'full-key-number-two'],
  restricted: 'restricted-key-0',
  revoked: 'revoked-key-0',
};
const SCALE = 30;
const ALL = REQUIREMENTS.map(({ id }) => id);

interface Circumstances {
  readonly defect?: string;
  readonly keys?: Partial<Keys>;
  /** Changes the profile's text. */
  readonly edit?: (profile: string) => string;
}

/** Examines the reference server with its own profile, but for what is said. */
async function examined({ defect, keys, edit = (text) => text }: Circumstances = {}): Promise<Diagnosis> {
  const server = await startReference({ keys: KEYS, clock: systemClock(SCALE), defect });
  try {
    return await examineProfile(edit(referenceProfile(server.baseUrl)), { ...KEYS, ...keys });
  } finally {
    await server.close();
  }
}

function examineProfile(text: string, keys: Keys): Promise<Diagnosis> {
  const read = readProfile(text, { file: 'p.yaml' });
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  return examineTarget({ profile: read.profile, keys }, ALL, SCALE, new AbortController().signal);
}

const untestable = ({ requirements }: Diagnosis): readonly string[] =>
  requirements.filter(({ testable }) => !testable).map(({ id }) => id);
const bad = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ standing }) => standing === 'bad').map(({ subject, text }) => `${subject}: ${text}`);

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

describe('what is missing is named with what to add', () => {
  test.each<[string, Circumstances, readonly string[], string]>([
    [
      'no restricted key',
      { keys: { restricted: null } },
      ['AUTH-6', 'STATUS-403', 'HDR-1'],
      REMEDIES['restricted key'],
    ],
    ['one key only', { keys: { full: ['full-key-number-one'] } }, ['LIMIT-KEY'], REMEDIES['two keys']],
    [
      'no probe for 400',
      { edit: (text) => text.replace(/ {2}invalid_parameter:[\s\S]*?(?= {2}not_found)/, '') },
      ['STATUS-400', 'HDR-1'],
      REMEDIES['invalid parameter'],
    ],
    [
      'no operation of a group',
      { edit: (text) => text.replaceAll('group: service', 'group: labels') },
      ['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4', 'AUTH-5'],
      REMEDIES.service,
    ],
    [
      'an operation that fails',
      { edit: (text) => text.replace('path: /labels/1 }', 'path: /labels/none }') },
      ['STATUS-200', 'VERSION-1'],
      REMEDIES['every operation'],
    ],
  ])('%s', async (_, circumstances, ids, remedy) => {
    const diagnosis = await examined(circumstances);
    expect(diagnosis.ready).toBe(false);
    expect([...untestable(diagnosis)].sort()).toEqual([...ids].sort());
    const todo = diagnosis.requirements.find(({ id }) => id === ids[0])?.todo;
    expect(todo).toContain(remedy);
  });

  test('a key that is not accepted', async () => {
    const diagnosis = await examined({ keys: { full: ['no-such-key-at-all'] } });
    expect(bad(diagnosis.keys)).toEqual([
      'key-1 (x-api-key): not accepted (401)',
      'key-1 (bearer): not accepted (401)',
    ]);
    expect(diagnosis.requirements.find(({ id }) => id === 'LIMIT-R')?.todo).toEqual([REMEDIES['accepted keys']]);
    expect(diagnosis.requests).toBe(5);
  });

  test('of several keys, each that is not accepted is named, and the others try the rest', async () => {
    const wrong = ['no-such-key-at-all', 'nor-is-there-this-one'] as const;
    const [good = ''] = KEYS.full;
    const diagnosis = await examined({ keys: { full: [wrong[0], good, wrong[1]] } });
    expect(bad(diagnosis.keys)).toEqual([
      'key-1 (x-api-key): not accepted (401)',
      'key-1 (bearer): not accepted (401)',
      'key-3: not accepted (401)',
    ]);
    expect(bad(diagnosis.operations)).toEqual([]);
    expect(diagnosis.operations.every(({ standing }) => standing === 'good')).toBe(true);
    expect(diagnosis).toMatchObject({ sound: false, ready: false });
  });

  test.each<[string, readonly string[], RegExp]>([
    ['bearer-rejected', ['LIMIT-HEADER'], /^key-1 \(bearer\): not accepted \(401\)$/m],
    ['revoked-key-accepted', [], /^revoked: should no longer be accepted: 200$/m],
    [
      'no-headers',
      ['HDR-3', 'HDR-4', 'HDR-5', 'HDR-6', 'HDR-7', 'HDR-8'],
      /^200: X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset missing: HDR-1 would fail$/m,
    ],
  ])('the defect %s', async (defect, ids, shown) => {
    const diagnosis = await examined({ defect });
    expect(untestable(diagnosis)).toEqual(ids);
    expect(bad([...diagnosis.keys, ...diagnosis.headers]).join('\n')).toMatch(shown);
  });

  test('a probe that succeeds is shown with what is due', async () => {
    const edit = (text: string) => text.replace('query: { page: "-1" }', 'query: { page: "1" }');
    const diagnosis = await examined({ edit });
    expect(bad(diagnosis.probes)).toEqual([expect.stringMatching(/^invalid-parameter-1 .*200, expected 400/)]);
  });

  test('what no probe provokes cannot be tested, and which to correct is said', async () => {
    const edit = (text: string) =>
      text.replace('{ page: "-1" }', '{ page: "1" }').replace('{ name: 7 }', '{ name: good }');
    const diagnosis = await examined({ edit });
    expect(untestable(diagnosis)).toEqual(['STATUS-400', 'HDR-1']);
    expect(diagnosisText(diagnosis, { colour: false })).toContain('invalid_parameter: none was answered 400');
  });

  test.each<[string, string | RegExp, string, RegExp]>([
    [
      'a write that is called a read',
      '{ id: update-service, group: service, kind: write',
      '{ id: update-service, group: service, kind: read',
      /^update-service .*X-RateLimit-Limit is 30.*the kind in the profile must be write/,
    ],
    [
      'a thing that is removed once and not made again',
      /path: "\/labels\/\{\{label_id\}\}"\n {4}prepare: \[create-label\]/,
      'path: /labels/2',
      /^delete-label .*200, and then 404: it must succeed each time it is sent\. The answer says: /,
    ],
    [
      'a path with nothing there',
      'method: GET, path: /service }',
      'method: GET, path: /servise }',
      /^get-service .*404\. The answer says: /,
    ],
    [
      'a probe of a wrong status',
      'path: /labels/does-not-exist',
      'path: /labels/1',
      /^not-found-\d .*200, expected 404/,
    ],
  ])('%s: it is not sound, since certify might fail what conforms', async (_, part, instead, shown) => {
    const edit = (text: string) => text.replace(part, instead);
    expect(edit(referenceProfile('http://127.0.0.1/api/v1'))).not.toBe(referenceProfile('http://127.0.0.1/api/v1'));
    const diagnosis = await examined({ edit });
    expect(diagnosis).toMatchObject({ sound: false, ready: false });
    expect(bad([...diagnosis.operations, ...diagnosis.probes])).toContainEqual(expect.stringMatching(shown));
    expect(diagnosisText(diagnosis, { colour: false })).toContain('certify might fail a deployment');
  });

  test('a base URL where nothing is', async () => {
    const diagnosis = await examined({ edit: (text) => text.replace('/api/v1', '/ap/v1') });
    const todo = new Set(diagnosis.requirements.flatMap((each) => each.todo));
    expect([...todo]).toEqual([expect.stringMatching(/^correct base_url: at http\S+\/ap\/v1, every .*answered 404$/)]);
  });

  test('the operation with which keys are tried, where no key is refused', async () => {
    const edit = (text: string) => text.replace('method: GET, path: /service }', 'method: GET, path: /servise }');
    const diagnosis = await examined({ edit });
    expect(diagnosis.requirements.find(({ id }) => id === 'LIMIT-R')?.todo).toEqual([
      'correct what the lines under Keys show: no key was refused (401), but not all were accepted',
    ]);
  });

  test('a capture that finds nothing', async () => {
    const edit = (text: string) => text.replace(/label_id: "?\/id"?/, 'label_id: /data/id');
    const diagnosis = await examined({ edit });
    expect(bad(diagnosis.operations)).toEqual([
      expect.stringMatching(/^delete-label .*: not tried: create-label: capture label_id: .* has nothing at \/data$/),
    ]);
  });

  test('a target that cannot be reached', async () => {
    const server = await startReference({ keys: KEYS });
    await server.close();
    const diagnosis = await examineProfile(referenceProfile(server.baseUrl), KEYS);
    expect(diagnosis).toMatchObject({ ready: false, requests: 0 });
    expect(diagnosis.obstacle).toContain('nothing listens');
    expect(diagnosisText(diagnosis, { colour: false })).toContain('Nothing could be tried: nothing listens');
  });
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

test('everything that can be missing is needed by some requirement', () => {
  const needed = new Set<string>(Object.values(NEEDS).flat());
  expect(Object.keys(REMEDIES).filter((need) => !needed.has(need))).toEqual([]);
});
