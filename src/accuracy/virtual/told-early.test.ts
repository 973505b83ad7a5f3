import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import { EarlierParts } from '../../diagnosis/earlier-parts.ts';
import { provedByHistory } from '../../judge/so-far.ts';
import { conductOf } from '../../reference/conduct.ts';
import type { Trace } from '../../trace/trace.ts';
import { wholeProfile } from './draw-profile.ts';
import { drawRun } from './draw-run.ts';
import { virtualRun } from './virtual-run.ts';

const SECOND = 1e6;

async function runAgainst(defect: string | null): Promise<Trace> {
  const { trace } = await virtualRun({
    profile: wholeProfile(),
    keys: 4,
    conduct: conductOf(null, defect),
    seed: 3,
    epoch: Date.UTC(2026, 10, 21, 8, 30, 17) * 1000,
  });
  return trace;
}

/** Refuted whatever others do, and so much cheaper than use by others, counted or not, that nothing makes up for it. */
test.each(
  sampled(
    [
      ['per-header', 1, 0.001],
      ['one-for-all', 1, 0.001],
      ['limit-plus-one', 54, 1],
      ['sublimit-by-header', 46, 1],
    ],
    4,
  ),
)('that %s breaks limits is told after %d s, and not after %d s', async (defect, second, before) => {
  const trace = await runAgainst(defect);
  expect(provedByHistory(trace, second * SECOND).proved.map(({ named }) => named)).toEqual([false]);
  expect(provedByHistory(trace, before * SECOND).proved).toEqual([]);
});

/**
 * At every third of the moments it is held against what is told without it, at others each time: a name says where that
 * begins.
 */
const FIRST = Number(process.env.MOMENT ?? randomInt(3));

const REFUTED_SOON = [
  ['per-header', FIRST],
  ['shared-kinds', FIRST],
] as const;

thorough.each(REFUTED_SOON)(
  'what was refuted before is told of %s at the same moments, from %i on',
  async (defect, first) => {
    const trace = await runAgainst(defect);
    const earlier = new EarlierParts();
    for (const [index, second] of [1, 4, 9, 28, 46, 54, 107].entries()) {
      const told = (...known: readonly EarlierParts[]): readonly string[] =>
        provedByHistory(trace, second * SECOND, ...known).proved.map(({ verdict }) => verdict.id);
      const before = told(earlier);
      if (index % 3 === first) expect(before).toEqual(told());
    }
  },
);

/** The run with `Date` an hour off on all answers until a moment (µs). */
function datedWrongly(trace: Trace, until: number): Trace {
  const exchanges = trace.exchanges.map((each) => {
    const wall = trace.header.epoch + (each.answered ?? each.sent);
    const off = each.sent < until ? 3600 * SECOND : 0;
    const date = new Date((wall + off) / 1000).toUTCString();
    return { ...each, headers: { ...each.headers, date: [date] } };
  });
  return { ...trace, exchanges };
}

test.each([
  ['of the first seconds', 10 * SECOND],
  ['of the whole run', Number.POSITIVE_INFINITY],
])('a Date %s that only the run itself contradicts shows no misplaced marker so early', async (_, until) => {
  const trace = datedWrongly(await runAgainst(null), until);
  for (const second of [1, 4, 9]) expect(provedByHistory(trace, second * SECOND).proved).toEqual([]);
});

thorough('a marker that is misplaced by both clocks is told with the first answers', async () => {
  const trace = datedWrongly(await runAgainst('marker-two-windows-ahead'), 0);
  expect(provedByHistory(trace, 4 * SECOND).proved.map(({ verdict }) => verdict.id)).toContain('HDR-7');
});

thorough('what others take is not told, since it fails nobody', async () => {
  const { trace } = await virtualRun(drawRun('used by others', 930).options);
  for (const second of [50, 80]) expect(provedByHistory(trace, second * SECOND).proved).toEqual([]);
});
