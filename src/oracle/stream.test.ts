import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tried } from '../../test/sampled.test-support.ts';
import { seededRandom } from '../random/random.ts';
import { conductOf } from '../reference/conduct.ts';
import { DEFECTS } from '../reference/defects.ts';
import { randomSchedule } from '../reference/schedules.test-support.ts';
import { type SimulatedRequest, simulate } from '../reference/simulate.test-support.ts';
import { VARIANTS } from '../reference/variants.ts';
import { ALL_LAYERS, check } from './check.ts';
import { slidingCounter } from './counter.ts';
import { countsOf } from './counts.ts';
import { type Event, type History, type Range, WINDOW } from './history.ts';
import { slidingLog } from './log.ts';
import { makeHistory } from './make-history.ts';
import { inferMarker } from './marker.ts';
import { phaseByMarkers } from './marker-phase.ts';
import type { ModelInput } from './model.ts';
import { dateOffset } from './server-clock.ts';
import { SHAPES, variantOf } from './shapes.ts';
import { StreamedCheck } from './stream.ts';
import type { Variant } from './variant.ts';
import { fixedWindows, gridSpans } from './windows.ts';
import { findWitness } from './witnessed.ts';

const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000;

function historiesOf(variant: string | null, defect: string | null, seed: number, network: Network): History[] {
  const shape = { keys: 1, seconds: 60 + (seed % 5) * 60, requests: 100 + (seed % 5) * 80 };
  return historiesFrom(randomSchedule(seededRandom(seed), shape), variant, defect, seed, network);
}

/** The histories that a server with this behaviour makes of a schedule of one key. */
function historiesFrom(
  schedule: readonly SimulatedRequest[],
  variant: string | null,
  defect: string | null,
  seed: number,
  { slowest, lost }: Network,
): History[] {
  const links = { uplink: [100, slowest], work: [50, slowest], downlink: [100, slowest], lost } as const;
  const exchanges = simulate(schedule, { conduct: conductOf(variant, defect), seed, network: links, epoch: EPOCH });
  const marker = inferMarker(exchanges, EPOCH);
  const offset = dateOffset(exchanges, EPOCH);
  return (['read', 'write'] as const).map((kind) => {
    const own = exchanges.filter((each) => each.key === 'key-1' && each.kind === kind && each.fault !== 'bad-key');
    return makeHistory(own, { key: 'key-1', kind }, marker, offset);
  });
}

interface Network {
  readonly slowest: number;
  readonly lost: number;
}

const network = fc.record({
  slowest: fc.constantFrom(200, 20_000, 400_000, 2_000_000),
  lost: fc.constantFrom(0, 0, 0.03),
});

const conduct = fc.constantFrom(
  ...VARIANTS.map(({ name }) => ({ variant: name, defect: null })),
  ...DEFECTS.map(({ name }) => ({ variant: null, defect: name })),
);

/** The same check in one piece. */
function inOnePiece(variant: Variant, phase: Range | null, history: History): boolean {
  const { events, limit } = history;
  const { counting, lag, latch, marker, mechanism, reset } = variant;
  const input: ModelInput = {
    counts: countsOf(events, counting),
    counting,
    events,
    limit,
    window: WINDOW,
    lag,
    shared: false,
  };
  const low = phase ? (((phase.low - (events[0]?.from ?? 0)) % WINDOW) + WINDOW) % WINDOW : 0;
  const spans = phase ? gridSpans(input, low, low + phase.high - phase.low) : [];
  const model =
    mechanism === 'log'
      ? slidingLog(input, reset)
      : mechanism === 'grid'
        ? fixedWindows(spans, input)
        : slidingCounter(spans, input, latch, marker);
  return check(model, history, counting, ALL_LAYERS, lag).contradiction === null;
}

function inPieces(variant: Variant, phase: Range | null, history: History, piece: number): boolean {
  const stream = new StreamedCheck(history, variant, phase, piece);
  for (const event of history.events) stream.push(event);
  return stream.finish();
}

const streamed = SHAPES.filter(({ mechanism }) => ['grid', 'log', 'counter'].includes(mechanism));

test('a check in pieces says what the check of the whole says, whatever the target and the mechanism', () => {
  const seen = { explained: 0, refuted: 0 };
  const shapes = fc.constantFrom(...streamed);
  const sizes = fc.integer({ min: 1, max: 60 });
  fc.assert(
    fc.property(conduct, shapes, fc.nat(1e6), network, sizes, ({ variant, defect }, form, seed, links, piece) => {
      for (const history of historiesOf(variant, defect, seed, links)) {
        if (history.events.length === 0) continue;
        const groups = new Set(history.events.map(({ group }) => group).filter((group) => group !== ''));
        const choice = { failedCounted: seed % 2 === 0 ? groups : new Set<string>(), undecided: new Set<string>() };
        const guess = phaseByMarkers(history) ?? { low: seed, high: seed + 30_000_000 };
        const phase = form.mechanism === 'log' ? null : guess;
        const whole = inOnePiece(variantOf(form, choice), phase, history);
        const pieces = inPieces(variantOf(form, choice), phase, history, piece);
        // A piece knows only refunds near it, so it cannot use others to explain a refusal.
        const refunds = form.mechanism === 'grid' && groups.size > choice.failedCounted.size;
        expect(pieces || (refunds && whole)).toBe(whole);
        seen[whole ? 'explained' : 'refuted']++;
      }
    }),
    { numRuns: tried(600), seed: 11 },
  );
  expect(Math.min(seen.explained, seen.refuted)).toBeGreaterThan(tried(50));
}, 120_000);

/** A budget of 100 a minute that gets 150 requests a minute, for 20 minutes. */
const LOAD = Array.from(
  { length: 3_000 },
  (_, index): SimulatedRequest => ({ at: Math.round(400_000 * (index + Math.sin(index))), key: 'key-1', kind: 'read' }),
).toSorted((one, other) => one.at - other.at);

const LOOPBACK: Network = { slowest: 400, lost: 0 };

test.each(['log', 'log-refused', 'counter'])('a long history is explained in one pass: %s', (variant) => {
  for (const links of [LOOPBACK, { slowest: 400_000, lost: 0.01 }]) {
    const [history] = historiesFrom(LOAD, variant, null, 3, links);
    const found = history ? findWitness(history) : null;
    expect(found?.variant.mechanism).toBe(variant.split('-')[0]);
    for (const event of history?.events ?? []) {
      if (event.outcome === 'accepted') expect(found?.model.alternatives(event)).not.toEqual([]);
    }
  }
});

test('one Remaining in thousands that no mechanism gives leaves a long history to the search', () => {
  const [history] = historiesFrom(LOAD, 'log', null, 3, LOOPBACK);
  const raise = (event: Event, at: number): Event =>
    at === 2_500 ? { ...event, outcome: 'accepted', remaining: 70 } : event;
  expect(history && findWitness(history)).not.toBeNull();
  expect(history && findWitness({ ...history, events: history.events.map(raise) })).toBeNull();
});

test('a mechanism on a grid is not streamed without a phase', () => {
  const [history] = historiesFrom(LOAD, 'log', null, 3, LOOPBACK);
  const form = SHAPES.find(({ mechanism }) => mechanism === 'counter');
  const choice = { failedCounted: new Set<string>(), undecided: new Set<string>() };
  expect(() => history && form && new StreamedCheck(history, variantOf(form, choice), null)).toThrow(RangeError);
});
