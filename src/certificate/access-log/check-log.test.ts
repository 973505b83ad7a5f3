import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { wholeProfile } from '../../accuracy/virtual/draw-profile.ts';
import { virtualRun } from '../../accuracy/virtual/virtual-run.ts';
import { NOT_RECORDED } from '../../profile/redact.ts';
import { conductOf } from '../../reference/conduct.ts';
import { QUIET_NETWORK } from '../../reference/network.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { Trace } from '../../trace/trace.ts';
import { temporaryFolder } from '../run.test-support.ts';
import { checkAccessLog } from './check-log.ts';

const NONCE = 'n-7f3a';
const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000;
const { trace } = await virtualRun({
  profile: wholeProfile(),
  keys: 2,
  conduct: conductOf(null, null),
  seed: 7,
  epoch: EPOCH,
  network: { ...QUIET_NETWORK, lost: 0.02 },
});

interface Served {
  readonly time: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly agent: string;
}

/** What the deployment would have logged: answered requests, and half of those whose answer was lost. */
const SERVED: readonly Served[] = trace.exchanges.flatMap(
  ({ answered, sent, method, target, status, variation, seq }) => {
    if (answered === null && seq % 2 === 0) return [];
    const agent = variation === 'user-agent' ? 'Mozilla/5.0' : `suite (nonce ${NONCE})`;
    const time = (EPOCH + (answered ?? sent + 5_000_000)) / 1000;
    return [{ time, method, path: `/api/v1${target}`, status: status ?? 499, agent }];
  },
);

const pad = (value: number): string => String(value).padStart(2, '0');

function common({ time, method, path, status }: Served): string {
  const at = new Date(time);
  const clock = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(pad).join(':');
  return `192.0.2.1 - - [${pad(at.getUTCDate())}/Nov/2026:${clock} +0000] "${method} ${path} HTTP/1.1" ${status} 17`;
}

const FORMATS: Readonly<Record<string, (served: Served) => string>> = {
  common,
  combined: (served) => `${common(served)} "-" "${served.agent}"`,
  'JSON lines': ({ time, method, path, status, agent }) =>
    JSON.stringify({ ts: time / 1000, request: { method, uri: `${path}?page=1`, headers: { agent } }, status }),
  'JSON lines as Elastic has them': ({ time, method, path, status, agent }) =>
    JSON.stringify({
      '@timestamp': new Date(time).toISOString(),
      request: `${method} ${path} HTTP/1.1`,
      status_code: `${status}`,
      agent,
    }),
};

/** Lines of others at the same time, and one of no format. */
const OTHERS = [
  ...SERVED.slice(0, 50).map((each) => common({ ...each, path: '/api/v1/labels' })),
  'a line of another program',
];

interface Outcome {
  readonly outcome: string;
  readonly text: string;
  readonly witnessed: boolean;
}

function outcome(lines: readonly string[], changed: Trace = trace): Outcome {
  const file = join(temporaryFolder(), 'access.log');
  writeFileSync(file, `${[...lines, ...OTHERS].join('\n')}\n`);
  const found: { outcome: string; text: string }[] = [];
  const witnessed = checkAccessLog(changed, { file, nonce: NONCE }, (_, outcome, text) => {
    found.push({ outcome, text });
    return outcome === 'established';
  });
  return { outcome: 'nothing was said', text: '', ...found[0], witnessed };
}

describe.each(Object.entries(FORMATS))('a log in the format %s', (name, format) => {
  const lines = SERVED.map(format);
  const nonced = name !== 'common';

  test('has every request of its run, among those of others', () => {
    expect(outcome(lines)).toEqual({
      outcome: 'established',
      text: expect.stringContaining(nonced ? 'all belong to the run' : 'none of its lines has a nonce'),
      witnessed: nonced,
    });
  });

  test('refutes a run of another day, and one that never took place', () => {
    const yesterday = SERVED.map((each) => format({ ...each, time: each.time - 86_400_000 }));
    expect(outcome(yesterday).outcome).toBe('refuted');
    expect(outcome([]).outcome).toBe('refuted');
  });

  test('refutes a trace with a request that was not sent', () => {
    expect(outcome(lines.toSpliced(500, 1))).toMatchObject({
      outcome: 'refuted',
      text: expect.stringContaining('it lacks 1 of'),
    });
  });

  test.runIf(nonced)('refutes a trace from which refusals were taken out', () => {
    const without = {
      ...trace,
      exchanges: trace.exchanges.filter(({ status }, index) => status !== 429 || index > 400),
    };
    expect(outcome(lines, without)).toMatchObject({
      outcome: 'refuted',
      text: expect.stringContaining('that the trace lacks'),
    });
  });

  test.runIf(nonced)('may be by a clock that is minutes ahead, and not by hours', () => {
    const by = (seconds: number) =>
      outcome(SERVED.map((each) => format({ ...each, time: each.time + seconds * 1000 })));
    expect(by(120)).toMatchObject({
      outcome: 'established',
      text: expect.stringMatching(/a clock that is 1[12]\d\.\d s ahead/),
    });
    expect(by(7200)).toMatchObject({
      outcome: 'refuted',
      text: expect.stringMatching(/its times are 7[12]\d\d s away from/),
    });
  });
});

const OTHERS_NONCE: Readonly<Record<string, (served: Served) => string>> = {
  'as the documentation shows': (served) => `${common(served)} "-" "another-nonce"`,
  'in the User-Agent': (served) =>
    `${common(served)} "-" "size-chart-conformance/0.2.0 (conformance test; nonce n-7f3b)"`,
  'in a field of JSON': ({ time, method, path, status }) =>
    JSON.stringify({ ts: time, method, path, status, nonce: 'other' }),
  'in a list of headers': ({ time, method, path, status }) =>
    JSON.stringify({ ts: time, request: { method, uri: path, headers: { 'X-Conformance-Nonce': ['other'] } }, status }),
};

test.each(Object.entries(OTHERS_NONCE))('lines with another nonce, %s, witness no request of the run', (_, format) => {
  const all = outcome(SERVED.map(format));
  expect(all).toMatchObject({ outcome: 'refuted', witnessed: false });
  expect(all.text).toMatch(
    /it lacks \d+ of the .* \(\d+ of its lines at that time have the nonce of another run, or none\)/,
  );
  const own = FORMATS.combined ?? common;
  expect(outcome(SERVED.map((each, index) => (index === 500 ? format : own)(each))).text).toContain('it lacks 1 of');
  // Beside its own lines, those of another run are anybody's.
  expect(outcome([...SERVED.map(own), ...SERVED.map(format)])).toMatchObject({
    outcome: 'established',
    witnessed: true,
  });
});

test("a User-Agent that the profile sets is not another run's nonce", () => {
  const lines = SERVED.map((each) => `${common(each)} "-" "acme-tester"`);
  expect(outcome(lines).outcome).toBe('refuted');
  const { profile } = trace.header;
  const http = { ...profile.http, headers: { 'User-Agent': '…' } };
  const named = { ...trace, header: { ...trace.header, profile: { ...profile, http } } };
  expect(outcome(lines, named)).toMatchObject({ outcome: 'established', witnessed: false });
});

describe('requests whose target was not recorded', () => {
  const lines = SERVED.map(common);
  const at = trace.exchanges.findIndex(({ answered, seq }) => answered !== null && seq > 500);
  /** Without the targets of some requests: those at the same time have the same method, path and status. */
  const withoutTargets = (from: number, to: number): Trace => {
    const unread = (each: Exchange, index: number): Exchange =>
      index >= from && index < to ? { ...each, target: NOT_RECORDED } : each;
    return { ...trace, exchanges: trace.exchanges.map(unread) };
  };

  test.each([
    ['one', at, at + 1],
    ['a tenth of all', at, at + Math.floor(trace.exchanges.length / 10)],
    ['all', 0, trace.exchanges.length],
  ])('%s: a line of the same method, status and time fits each', (_, from, to) => {
    expect(outcome(lines, withoutTargets(from, to)).outcome).toBe('established');
  });

  test('a log without the line of such a request does not fit', () => {
    const served = SERVED.findIndex(({ time }) => time === (EPOCH + (trace.exchanges[at]?.answered ?? 0)) / 1000);
    expect(outcome(lines.toSpliced(served, 1), withoutTargets(at, at + 1))).toMatchObject({
      outcome: 'refuted',
      text: expect.stringContaining('it lacks 1 of'),
    });
  });
});

test('what is no access log is said to be none', () => {
  const file = join(temporaryFolder(), 'notes.txt');
  writeFileSync(file, 'hello\n{"a":1}\n');
  const check = (): void => {
    checkAccessLog(trace, { file, nonce: null }, () => true);
  };
  expect(check).toThrow('contains no line of an access log');
  expect(() => checkAccessLog(trace, { file: '/nowhere', nonce: null }, () => true)).toThrow('there is no such file');
});
