import { describe, expect, test } from 'vitest';
import { isLoopback } from '../profile/loopback.ts';
import type { Operation, Profile } from '../profile/profile.ts';
import { requireAllowed } from './ceilings.ts';
import { extentOf } from './extent.ts';
import { describePlan, specify } from './load-plan.ts';
import type { ScenarioName } from './load-spec.ts';

function operation(rest: Partial<Operation> & Pick<Operation, 'id' | 'method' | 'kind'>): Operation {
  const nothing = { query: {}, headers: {}, body: null, prepare: [], cleanup: [], capture: [] };
  return { group: 'service', path: `/${rest.id}`, ...nothing, ...rest };
}

function profile(operations: readonly Operation[], baseUrl = 'http://127.0.0.1:9/api/v1'): Profile {
  return {
    version: 1,
    target: { name: 'test', version: null },
    baseUrl,
    operations,
    probes: { invalidParameter: [], notFound: [], forbidden: [], internalFailure: [] },
    http: {
      headers: { 'X-Tenant': 'secret' },
      timeoutMs: { connect: 5_000, response: 15_000 },
      tls: { caFile: null, certFile: null, keyFile: null, insecure: false },
      proxy: null,
    },
    pacing: { maxRate: null, maxRequests: null },
    waivers: [],
  };
}

const READ = operation({ id: 'read', method: 'GET', kind: 'read' });
const PUT = operation({ id: 'put', method: 'PUT', kind: 'write' });
const POST = operation({ id: 'post', method: 'POST', kind: 'write' });
const DELETE = operation({ id: 'delete', method: 'DELETE', kind: 'write' });

function choose(scenario: ScenarioName, rest = {}) {
  return { scenario, keys: 2, run: 'r', scale: 1, seconds: null, rate: null, ...rest };
}

describe('specify', () => {
  test('all reads that can be repeated take part, and of the writes the one that does least harm', () => {
    const prepared = operation({ id: 'prepared', method: 'GET', kind: 'read', prepare: ['post'] });
    const counted = operation({ id: 'counted', method: 'GET', kind: 'read', path: '/x?n={{counter}}' });
    const spec = specify(profile([DELETE, POST, PUT, READ, prepared, counted]), choose('kinds'));
    expect(spec.reads.map(({ operation }) => operation)).toEqual(['read', 'counted']);
    expect(spec.writes.map(({ operation }) => operation)).toEqual(['put']);
  });

  test('a POST is better than a DELETE, and the plan says that what it makes stays', () => {
    const spec = specify(profile([READ, DELETE, POST]), choose('kinds'));
    expect(describePlan(spec, extentOf(spec), 1).join('\n')).toContain('what post creates remains');
  });

  test('no value of a header is in it', () => {
    const own = operation({ id: 'own', method: 'GET', kind: 'read', headers: { 'X-Op': 'secret too' } });
    const spec = specify(profile([READ, own, PUT]), choose('kinds'));
    expect(JSON.stringify(spec)).not.toContain('secret');
    expect(spec.reads.map(({ headers }) => headers)).toEqual([{}, { 'X-Op': '…' }]);
  });

  test.each<[string, Profile, ReturnType<typeof choose>, string]>([
    [
      'too few keys',
      profile([READ, PUT]),
      choose('isolation', { keys: 1 }),
      'Scenario isolation needs 2 keys, but SIZE_CHART_KEYS has 1',
    ],
    ['no write', profile([READ]), choose('kinds'), 'The profile has no write operation that can be repeated as it is'],
    [
      'a length where there is none to choose',
      profile([READ]),
      choose('quota-read', { seconds: 5 }),
      'Scenario quota-read has a fixed length and rate',
    ],
  ])('%s', (_, target, choices, message) => {
    expect(() => specify(target, choices)).toThrow(message);
  });

  test("the profile's own rate is kept", () => {
    const slow = { ...profile([READ, PUT]), pacing: { maxRate: 2, maxRequests: null } };
    expect(specify(slow, choose('soak')).rate).toBe(2);
  });
});

describe('requireAllowed', () => {
  const none = { requests: null, rate: null, seconds: null, consent: false };

  test('another machine needs consent, this one does not', () => {
    const away = profile([READ, PUT], 'https://api.example.com/api/v1');
    const spec = specify(away, choose('quota-read'));
    const extent = extentOf(spec);
    expect(() => requireAllowed(spec, extent, away, none)).toThrow('--i-may-load-this-target');
    expect(() => requireAllowed(spec, extent, away, { ...none, consent: true })).not.toThrow();
    expect(() => requireAllowed({ ...spec, baseUrl: 'http://[::1]:8/api/v1' }, extent, away, none)).not.toThrow();
  });

  test.each([
    ['http://localhost/api/v1', true],
    ['http://127.1.2.3:80', true],
    ['http://[::1]:80', true],
    ['http://localhost.example.com', false],
    ['http://127.0.0.1.example.com', false],
    ['http://10.0.0.1', false],
  ])('%s is this machine: %s', (url, answer) => {
    expect(isLoopback(url)).toBe(answer);
  });

  test.each<[string, ScenarioName, object, number | null, string]>([
    ['requests', 'quota-read', { keys: 5 }, 100, 'requests, but at most 100 may be sent'],
    ['a second', 'stampede', { keys: 100 }, null, 'requests in a second, but at most 2000 may be sent'],
    [
      'the second in scaled time',
      'quota-read',
      { keys: 100, scale: 10 },
      null,
      'requests in a second, but at most 2000',
    ],
  ])('a ceiling on %s', (_, scenario, rest, requests, message) => {
    const target = profile([READ, PUT]);
    const spec = specify(target, choose(scenario, rest));
    expect(() => requireAllowed(spec, extentOf(spec), target, { ...none, requests })).toThrow(message);
  });

  test('requests that leave at once are no more in scaled time, and those of several seconds then meet in one', () => {
    const target = profile([READ, PUT]);
    const peak = (scenario: ScenarioName, scale: number) =>
      extentOf(specify(target, choose(scenario, { keys: 2, scale }))).peak;
    const demo = specify(target, choose('demo', { scale: 1_000 }));
    expect(peak('demo', 1_000)).toBe(extentOf(demo).requests);
    expect(() => requireAllowed(demo, extentOf(demo), target, none)).not.toThrow();
    expect(peak('stampede', 10)).toBeGreaterThan(9 * peak('stampede', 1));
    expect(peak('sustained', 10)).toBeGreaterThan(9 * (peak('sustained', 1) - 1));
  });

  test('many keys do not burst at once', () => {
    const spec = specify(profile([READ, PUT]), choose('quota-read', { keys: 300 }));
    expect(extentOf(spec).peak).toBeLessThan(2_000);
  });
});
