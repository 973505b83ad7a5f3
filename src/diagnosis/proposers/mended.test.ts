import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import { drawRun } from '../../accuracy/virtual/draw-run.ts';
import { virtualRun } from '../../accuracy/virtual/virtual-run.ts';
import { readEvidence } from '../../judge/limits/budgets.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { Work } from '../../oracle/work.ts';
import { type Explained, hold } from '../explained.ts';
import { Fitter } from '../fitter.ts';
import { inShare } from '../share.ts';
import { conformingWorld } from '../world.ts';
import { runUnder } from './deviating-world.test-support.ts';
import { mended } from './mended.ts';
import { proposeNodes } from './nodes.ts';

const MOST = 4;
/** More than if one request was not counted. */
const MORE = 5;

/** The reads of a conforming deployment, with some answers of the first key that say that more is left. */
async function readsWith(
  wrong: number,
): Promise<{ readonly histories: readonly History[]; readonly seqs: readonly number[] }> {
  const { budgets } = await runUnder([]);
  const histories = budgets
    .map(({ history }) => history)
    .filter(({ kind, events }) => kind === 'read' && events.length > 0);
  const alone = histories[0]?.events.filter(
    ({ outcome, remaining, from, to }) =>
      outcome === 'accepted' &&
      (remaining ?? 0) > 0 &&
      histories[0]?.events.filter((other) => other.from <= to && other.to >= from).length === 1,
  );
  const changed = new Set(alone?.filter((_, at) => at % 3 === 0).slice(0, wrong));
  const lying = (event: Event): Event =>
    changed.has(event) ? { ...event, remaining: (event.remaining ?? 0) + MORE } : event;
  return {
    histories: histories.map((history) => ({ ...history, events: history.events.map(lying) })),
    seqs: [...changed].map(({ exchange }) => exchange.seq),
  };
}

test.each([0, 1, 3, 6])('of a run with %i wrong answers, those are left open, if they are few', async (wrong) => {
  const { histories, seqs } = await readsWith(wrong);
  const work = new Work(Number.POSITIVE_INFINITY);
  const world = { ...conformingWorld(histories), shapes: conformingWorld(histories).shapes.slice(0, 3) };
  const found = mended(world, MOST, { work, fitter: new Fitter(work) });
  if (wrong === 0 || wrong > MOST) return expect(found).toBeNull();
  expect([...(found?.open ?? [])].map(({ exchange }) => exchange.seq)).toEqual(seqs);
  expect(found && new Fitter(work).fit(found.world)).not.toBeNull();
});

thorough('an assignment to nodes is repaired under the windows that the nodes have', async () => {
  // Three nodes with windows of 120 s.
  const { trace } = await virtualRun(drawRun('two deviations', 8910018, null).options);
  const { budgets } = readEvidence(trace);
  const writes = budgets
    .map(({ history }) => history)
    .filter(({ kind, events }) => kind === 'write' && events.length > 0);
  const world = { ...conformingWorld(writes), window: 2 * WINDOW };
  const question = { kind: 'write', otherKind: [], anonymous: [], likely: world.shapes, background: null } as const;
  const found: Explained[] = [];
  inShare(20_000_000, question, (own) => {
    for (const proposal of proposeNodes(world, own)) found.push(...[hold(proposal, own) ?? []].flat());
  });
  expect(found).not.toEqual([]);
});
