import { expect, test } from 'vitest';
import { thorough } from '../../test/sampled.test-support.ts';
import { EPOCH, exchanges, headers, type Sketch } from '../judge/trace-builder.test-support.ts';
import { makeHistory } from '../oracle/make-history.ts';
import { inferMarker } from '../oracle/marker.ts';
import { dateOffset } from '../oracle/server-clock.ts';
import { diagnoseRun } from './run.ts';

const LIMIT = 30;

/**
 * The writes of a key in windows from the first request, of which the first window is open before: as many as fit and
 * two more in each, and one more just before each ends. Times in s.
 *
 * @param left what is left after the first request
 */
function writesOf(key: string, firstEnd: number, left = LIMIT - 1): readonly Sketch[] {
  const windows = [
    { begins: 2, end: firstEnd },
    { begins: firstEnd + 1, end: firstEnd + 61 },
    { begins: firstEnd + 64, end: firstEnd + 124 },
  ];
  return windows.flatMap(({ begins, end }, window) => {
    const most = window === 0 ? left + 1 : LIMIT;
    return Array.from({ length: most + 3 }, (_, at): Sketch => {
      const sent = (at < most + 2 ? begins + at * 0.01 : end - 0.2) * 1e6;
      const values = {
        limit: [String(LIMIT)],
        remaining: [String(Math.max(0, most - 1 - at))],
        reset: [String(EPOCH / 1e3 + end * 1e3)],
        date: [new Date((EPOCH + sent) / 1000).toUTCString()],
      };
      const status = at < most ? 200 : 429;
      return {
        key,
        operation: 'put-label',
        kind: 'write',
        status,
        sent,
        answered: sent + 1000,
        headers: headers(values),
      };
    });
  });
}

function outcomeOf(...sketches: readonly (readonly Sketch[])[]) {
  const histories = sketches.map((own) => {
    const sent = exchanges(...own);
    return makeHistory(
      sent,
      { key: own[0]?.key ?? '', kind: 'write' },
      inferMarker(sent, EPOCH),
      dateOffset(sent, EPOCH),
    );
  });
  const { kinds } = diagnoseRun(histories, []);
  return kinds.map(({ outcome, diagnosis }) => [outcome, diagnosis.conforming?.usedBefore]);
}

test('the first window of each key may have begun before its first request, with nothing counted in it', () => {
  expect(outcomeOf(writesOf('key-1', 52), writesOf('key-2', 49))).toEqual([['conforms', []]]);
  // All windows from the first request, too.
  expect(outcomeOf(writesOf('key-1', 62), writesOf('key-2', 62))).toEqual([['conforms', []]]);
});

test('if something was counted in it, somebody used the key before the run', () => {
  expect(outcomeOf(writesOf('key-1', 52, 20), writesOf('key-2', 49))).toEqual([['conforms', ['key-1']]]);
});

thorough('a window that begins with a request is a minute long', () => {
  const short = writesOf('key-1', 52).filter(({ sent = 0 }) => sent > 52e6);
  const later = short.map((each) => {
    const [told] = each.headers?.reset ?? [];
    return { ...each, headers: headers({ ...each.headers, reset: [String(Number(told) - 8000)] }) };
  });
  const outcomes = outcomeOf(
    later,
    later.map((each) => ({ ...each, key: 'key-2' })),
  );
  expect(outcomes.map(([outcome]) => outcome)).not.toContain('conforms');
});
