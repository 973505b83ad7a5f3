import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { Work } from '../../oracle/work.ts';
import { Fitter } from '../fitter.ts';
import type { SearchContext } from '../proposal.ts';
import { conformingWorld } from '../world.ts';
import { proposeBlocks } from './block.ts';
import { foundBy, runOfDraw } from './deviating-world.test-support.ts';

const SECOND = 1_000_000;
const LIMIT = 5;

/** What a sliding log says that blocks a budget at its first refusal, and forgets everything when the block ends. */
function historyOf(pauses: readonly number[], block: number): History {
  let now = 0;
  let counted: number[] = [];
  let until = Number.NEGATIVE_INFINITY;
  const events = pauses.map((pause, seq) => {
    now += pause;
    if (until !== Number.NEGATIVE_INFINITY && now >= until) {
      counted = [];
      until = Number.NEGATIVE_INFINITY;
    }
    counted = counted.filter((at) => at > now - WINDOW);
    const isOver = until === Number.NEGATIVE_INFINITY && counted.length >= LIMIT;
    if (isOver) until = now + block;
    const isRefused = until !== Number.NEGATIVE_INFINITY;
    if (!isRefused) counted.push(now);
    const remaining = isRefused ? 0 : LIMIT - counted.length;
    const outcome = isRefused ? 'refused' : 'accepted';
    return {
      exchange: { seq, connection: seq },
      from: now,
      to: now + 1000,
      outcome,
      group: '',
      remaining,
      reset: null,
    };
  });
  const rest = { key: 'key-1', kind: 'read', limit: LIMIT, shown: LIMIT, offset: { low: 0, high: 0 }, unit: null };
  return { ...rest, until: Number.POSITIVE_INFINITY, events: events as unknown as readonly Event[] } as History;
}

/** What windows from the first request say behind a memory of refusals, which blocks a budget at each that it lets by. */
function behindMemory(pauses: readonly number[], block: number): History {
  let [now, count, end, until] = [0, 0, 0, 0];
  const events = pauses.map((pause, seq) => {
    now += pause;
    const isBlocked = now < until;
    if (!isBlocked && now >= end) [count, end] = [0, now + WINDOW];
    if (!isBlocked) count += 1;
    const isRefused = isBlocked || count > LIMIT;
    if (isRefused && !isBlocked) until = now + block;
    return {
      exchange: { seq, connection: seq },
      from: now,
      to: now + 1000,
      outcome: isRefused ? 'refused' : 'accepted',
      group: '',
      remaining: isRefused ? 0 : LIMIT - count,
      reset: isRefused ? until : end,
    };
  });
  return { ...historyOf([], 0), unit: 1000, events: events as unknown as readonly Event[] };
}

const found = (history: History) => {
  const work = new Work(Number.MAX_SAFE_INTEGER);
  const fitter = new Fitter(work);
  const world = conformingWorld([history]);
  return [...proposeBlocks(world, { kind: 'read', work, fitter } as SearchContext)].filter(
    (each) => fitter.fit(each.world) !== null,
  );
};

test('a log that blocks a budget for some time, and then begins anew, is explained by a block', () => {
  const pauses = fc.array(fc.integer({ min: 5_000, max: 4 * SECOND }), { minLength: 12, maxLength: 60 });
  fc.assert(
    fc.property(pauses, fc.constantFrom(10, 30, 60), (each, block) => {
      const history = historyOf(each, block * SECOND);
      const isSeen = history.events.some(
        ({ outcome }, at) => outcome === 'accepted' && history.events[at - 2]?.outcome === 'refused',
      );
      fc.pre(isSeen && history.events.filter(({ outcome }) => outcome === 'refused').length > 2);
      const lengths = found(history).flatMap(({ deviations: [deviation] }) =>
        deviation?.operator === 'moved-end' && 'after' in deviation.parameters.to
          ? [deviation.parameters.to.after]
          : [],
      );
      expect(lengths).toContain(block * SECOND);
    }),
  );
});

test('nothing that is let through while a budget is blocked is explained', () => {
  const history = historyOf(
    [0, 1, 1, 1, 1, 1, 1, 1].map((each) => each * SECOND),
    60 * SECOND,
  );
  const events = history.events.map((event, at) => (at === 7 ? { ...event, outcome: 'accepted' as const } : event));
  expect(found({ ...history, events })).toEqual([]);
});

/** The draw in which each refusal states another end, and no window is blocked. */
const SCATTERED = 9500131;

test('refusals that state another end each time are not those of a block that no marker tells', async () => {
  expect(foundBy(proposeBlocks, 'write', await runOfDraw('marker-header', SCATTERED))).toEqual([]);
});

test('a block that ends before its window, so that the next refusal begins another one, is explained', () => {
  const spent = Array.from({ length: LIMIT + 2 }, () => SECOND);
  const polls = Array.from({ length: 25 }, () => 4 * SECOND);
  const [block] = found(behindMemory([0, ...spent, ...polls], 20 * SECOND));
  expect(block?.deviations).toMatchObject([{ parameters: { to: { after: 20 * SECOND }, told: true } }]);
});
