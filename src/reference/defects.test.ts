import { describe, expect, test } from 'vitest';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { SECOND, WINDOW } from '../deployment/deployment.ts';
import type { Exchange } from '../trace/exchange.ts';
import { LIKENESSES } from './arrival.ts';
import { conductOf, defectNamed } from './conduct.ts';
import { DEFECTS } from './defects.ts';
import { OPERATIONS, VARIATIONS } from './schedules.test-support.ts';
import { type SimulatedRequest, simulate } from './simulate.test-support.ts';
import { VARIANTS } from './variants.ts';

/**
 * A schedule in which every defect can show: both kinds, two keys, every fault and variation, bursts, and three
 * windows.
 */
function occasions(): SimulatedRequest[] {
  const requests: SimulatedRequest[] = [];
  let connection = 0;
  for (const kind of ['read', 'write'] as const) {
    const plain = { key: 'key-1', kind } as const;
    const from = kind === 'read' ? 0.1 * SECOND : 0.15 * SECOND;
    for (let sent = 0; sent < 6; sent++) requests.push({ ...plain, at: from + sent * 150, connection: ++connection });
    let at = from + 2 * SECOND;
    const next = (): number => (at += 100_000);
    requests.push({ ...plain, ...OPERATIONS[kind].at(-1), at: next(), credential: 'bearer' });
    for (const part of [...OPERATIONS[kind], ...VARIATIONS]) {
      requests.push({ ...plain, ...part, at: next(), connection: ++connection });
      requests.push({ at: next(), kind, key: null, fault: 'no-key', ...part });
    }
    for (const fault of ['missing', 'parameter', 'permission', 'internal'] as const) {
      requests.push({ ...plain, at: next(), fault }, { ...plain, at: next() });
    }
    requests.push({ ...plain, at: next(), fault: 'unstated', variation: 'malformed-body' });
    const bearer = {
      key: 'restricted',
      kind,
      credential: 'bearer',
      operation: 'create-label',
      group: 'labels',
    } as const;
    requests.push({ ...bearer, at: next(), fault: kind === 'write' ? 'permission' : 'none' });
    for (const variation of ['empty', 'unknown', 'altered', ...LIKENESSES]) {
      requests.push({ at: next(), kind, key: 'unknown', fault: 'bad-key', variation });
    }
    requests.push({ ...plain, at: next(), fault: 'bad-key', variation: 'wrong-scheme' });
    requests.push({ at: next(), kind, key: 'revoked', fault: 'bad-key', variation: 'revoked' });
    requests.push({ at: next(), kind, key: 'restricted', fault: kind === 'write' ? 'permission' : 'none' });
    for (const key of ['key-1', 'key-2']) {
      for (let sent = 0; sent < 120; sent++) {
        requests.push({ key, kind, at: from + 12 * SECOND + sent * 200, connection: ++connection });
      }
      for (const second of [
        13, 30, 47, 55, 57, 58.5, 59, 59.9, 60.2, 61, 61.5, 63, 70, 88, 105, 119.5, 122, 126, 185,
      ]) {
        requests.push({ key, kind, at: from + second * SECOND });
      }
      for (let sent = 0; sent < 20; sent++) requests.push({ key, kind, at: from + (59.2 + sent / 20) * SECOND });
      for (let sent = 0; sent < 120; sent++) {
        requests.push({ key, kind, at: from + 76 * SECOND + sent * 200, connection: ++connection });
      }
      // One operation of one group, with the other header.
      for (let sent = 0; sent < 60; sent++) {
        const labels = { operation: kind === 'read' ? 'list-labels' : 'update-label', group: 'labels' } as const;
        requests.push({ ...plain, ...labels, credential: 'bearer', at: from + 400 * SECOND + sent * 200 });
      }
      // After a window that was almost unused.
      for (let sent = 0; sent < 120; sent++) {
        requests.push({ key, kind, at: from + 250 * SECOND + sent * 200, connection: ++connection });
      }
    }
  }
  return requests;
}

const SCHEDULE = occasions();
/** Some seconds into a minute of the server's clock, so that the first window is short. */
const EPOCH = Date.UTC(2026, 10, 21, 8, 0, 0, 250) * 1000;

function history(variant: string, defect: string | null): Exchange[] {
  return simulate(SCHEDULE, { conduct: conductOf(variant, defect), seed: 11, epoch: EPOCH });
}

function shown({ status, headers: { limit, remaining, reset, other } }: Exchange): string {
  return JSON.stringify([status, limit, remaining, reset, other]);
}

test('every one of the seventy that limiters are known for is there, and each has a name of its own', () => {
  const numbers = new Set(DEFECTS.map(({ number }) => number));
  expect(Array.from({ length: 70 }, (_, index) => index + 1).filter((number) => !numbers.has(number))).toEqual([]);
  expect(new Set(DEFECTS.map(({ name }) => name)).size).toBe(DEFECTS.length);
});

test('every requirement that can fail is broken by some defect', () => {
  const broken = new Set(DEFECTS.flatMap(({ must, may }) => [...must, ...may]));
  const unbroken = REQUIREMENTS.filter(({ id, level }) => level !== 'observed' && !broken.has(id));
  expect(unbroken.map(({ id }) => id)).toEqual([]);
});

test('an unknown defect is refused with its name', () => {
  expect(() => defectNamed('none')).toThrow('no defect none');
});

describe.each(DEFECTS.filter(({ name }) => !name.startsWith('prefix-')))('$name', (defect) => {
  const variant = defect.variant ?? VARIANTS[0]?.name ?? '';

  test('is told from the conforming server where it can be seen, and breaks something then', () => {
    if (defect.name === 'late-read') return expect(defect.observable).not.toBe(true);
    const differing = history(variant, defect.name).filter(
      (exchange, index) => shown(exchange) !== shown(conforming(variant)[index] as Exchange),
    );
    expect(differing.length).toBeGreaterThan(0);
    expect(defect.must.length > 0).toBe(defect.observable === true);
  });
});

const conformingHistories = new Map<string, Exchange[]>();

function conforming(variant: string): Exchange[] {
  const known = conformingHistories.get(variant) ?? history(variant, null);
  conformingHistories.set(variant, known);
  return known;
}

describe('what they do is what they are called', () => {
  const accepted = (exchanges: readonly Exchange[], from: number, until: number, kind = 'read'): number =>
    exchanges.filter(
      ({ key, sent, status, ...each }) =>
        key === 'key-2' && each.kind === kind && status === 200 && sent >= from * SECOND && sent < until * SECOND,
    ).length;

  test.each([
    ['limit-plus-one', 101],
    ['limit-minus-one', 99],
    ['bursts-above-limit', 110],
    ['two-nodes', 122],
  ])('%s lets %i of a burst through', (name, expected) => {
    const conducted = history('grid-clock', name);
    expect(accepted(conducted, 12, 59)).toBeGreaterThanOrEqual(Math.min(expected, 120));
    expect(accepted(conducted, 12, 12.9)).toBeLessThanOrEqual(expected);
  });

  test.each(['read-then-write', 'check-then-increment', 'counted-after-answer', 'stale-replica', 'synced-nodes'])(
    '%s overshoots in a burst',
    (name) => {
      expect(accepted(history('grid-clock', name), 12, 12.9)).toBeGreaterThan(100);
    },
  );

  test.each(['never-back', 'refreshed-by-requests'])('%s keeps a spent key out', (name) => {
    expect(accepted(history('anchored', name), 13, (2 * WINDOW) / SECOND)).toBe(0);
  });

  test.each(['token-bucket', 'gcra', 'leaky-bucket'])('%s lets some through long before the minute is over', (name) => {
    expect(accepted(history('grid-clock', name), 29, 31)).toBe(1);
    expect(accepted(history('grid-clock', null), 29, 31)).toBe(0);
  });
});
