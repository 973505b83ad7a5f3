import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../random/random.ts';
import { judgeBrokenOff } from './broken-off.ts';
import { judgeOverLimit } from './over-limit.ts';
import { CONTROLS, exchanges, KEYLESS, type Sketch, traceOf } from './trace-builder.test-support.ts';
import { viewOf } from './view.ts';

const SECOND = 1_000_000;

interface Network {
  readonly seed: number;
  /** Share of requests that get no answer, at random. */
  readonly lost: number;
  /** When nothing gets through at all, in seconds. */
  readonly out: readonly [from: number, to: number];
}

const CALM: Network = { seed: 1, lost: 0, out: [0, 0] };

/**
 * A key whose reads are spent within twenty seconds and asked for again now and then in two windows, as by a server
 * with windows on the clock's minutes, each silence followed by a request without a key.
 */
function history(over: Sketch, { seed, lost, out }: Network, witnesses = true): readonly Sketch[] {
  const random = seededRandom(seed);
  const used = new Map<number, number>();
  const all: Sketch[] = [];
  const send = (time: number, answer: Sketch): boolean => {
    const sent = Math.round(time * SECOND);
    const isLost = random() < lost || (time >= out[0] && time < out[1]);
    const failure = isLost ? 'reset' : answer.failure;
    all.push({ ...answer, sent, ...(failure ? { failure, status: null, answered: null } : { answered: sent + 9000 }) });
    return !isLost && failure === undefined;
  };
  for (const [index, control] of [...CONTROLS, ...CONTROLS].entries()) send(0.1 + index * 0.02, control);
  for (let time = 1; time < 118; ) {
    const window = Math.floor(time / 60);
    const before = used.get(window) ?? 0;
    const isOver = before >= 100 - (window === 0 ? 8 : 0);
    used.set(window, before + 1);
    const heard = send(time, isOver ? over : { operation: 'get-service' });
    if (!heard && witnesses) send(time + 0.05, { operation: 'get-service', ...KEYLESS, status: 401 });
    time += isOver ? 1.7 : 0.19;
  }
  return all.sort((one, other) => (one.sent ?? 0) - (other.sent ?? 0));
}

function judged(sketches: readonly Sketch[]) {
  return judgeBrokenOff(viewOf({ ...traceOf([]), exchanges: exchanges(...sketches) }), 'read');
}

const broken: Sketch = { operation: 'get-service', failure: 'reset' };
const refused: Sketch = { operation: 'get-service', status: 429 };

test('who breaks off over the limit, and nowhere else, does not answer 429', () => {
  const finding = judged(history(broken, CALM));
  expect(finding?.verdict).toBe('fail');
  expect(finding?.proofs?.[0]?.received).toContain('no answer (reset)');
  expect(finding?.proofs?.[0]?.evidence.length).toBeLessThanOrEqual(5);
});

test('who answers some of them, and breaks off the others, does neither', () => {
  const mixed = history(broken, CALM).map((each, index) =>
    each.failure && index % 3 === 0 ? { ...each, ...refused, failure: null } : each,
  );
  expect(judged(mixed)?.verdict).toBe('fail');
});

test('where silence proves nothing, it is said how many requests got no answer', () => {
  const sketches = history(broken, CALM, false);
  const opinion = judgeOverLimit(viewOf({ ...traceOf([]), exchanges: exchanges(...sketches) }), []);
  const silent = sketches.filter(({ failure }) => failure).length;
  expect(opinion).toMatchObject({ verdict: 'inconclusive' });
  expect(opinion.summary).toContain(`${silent} of ${sketches.length} got no answer`);
});

test('silence that nothing interrupts may be the network’s', () => {
  expect(judged(history(broken, CALM, false))).toBeNull();
});

test('one silence below the limit blames the network', () => {
  const all = history(broken, CALM);
  const [first, ...others] = all;
  expect(judged([{ ...first, failure: 'timeout', status: null, answered: null }, ...others])).toBeNull();
});

test('in a burst over the limit, those that left first may have come last', () => {
  const start = 0.45 * SECOND;
  const burst = Array.from({ length: 40 }, (_, index): Sketch => {
    const sent = start + index * 10;
    return index < 4
      ? { ...broken, sent, status: null, answered: null }
      : { operation: 'get-service', sent, answered: sent + 9000 };
  });
  const calm = history(broken, CALM);
  const spent = Array.from({ length: 60 }, (_, index): Sketch => {
    const sent = 0.3 * SECOND + index * 100;
    return { operation: 'get-service', sent, answered: sent + 90 };
  });
  const later = calm.filter(({ sent = 0 }) => sent < start || sent > 19 * SECOND);
  const all = [...later, ...spent, ...burst].sort((one, other) => (one.sent ?? 0) - (other.sent ?? 0));
  expect(judged(all)?.verdict).toBe('fail');
});

test('no network fails a server that refuses with 429', () => {
  const networks = fc.record({
    seed: fc.nat(),
    lost: fc.oneof(fc.constant(0.05), fc.double({ min: 0, max: 0.3, noNaN: true })),
    out: fc.tuple(fc.double({ min: 0, max: 118, noNaN: true }), fc.double({ min: 0, max: 118, noNaN: true })),
  });
  fc.assert(
    fc.property(networks, (network) => {
      expect(judged(history(refused, network))).toBeNull();
    }),
    { numRuns: 300 },
  );
});

test('what was sent while others were under way is over the limit if a whole limit was answered before', () => {
  const slow: Sketch = {
    operation: 'get-service',
    status: 404,
    fault: 'missing',
    sent: 0.5 * SECOND,
    answered: 117 * SECOND,
  };
  const all = [...history(broken, CALM), slow].sort((one, other) => (one.sent ?? 0) - (other.sent ?? 0));
  expect(judged(all)?.verdict).toBe('fail');
});
