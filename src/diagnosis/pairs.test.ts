import { expect, test } from 'vitest';
import { drawRun } from '../accuracy/virtual/draw-run.ts';
import { virtualRun } from '../accuracy/virtual/virtual-run.ts';
import { readEvidence } from '../judge/limits/budgets.ts';
import type { Explained } from './explained.ts';
import { searchPairs } from './pairs.ts';
import { proposeAnonymous } from './proposers/anonymous.ts';
import { foundBy } from './proposers/deviating-world.test-support.ts';
import { proposeSecondLimits } from './proposers/second-limit.ts';
import { inShare } from './share.ts';
import { conformingWorld } from './world.ts';

/** What one first deviation with all variants of the second takes is ten times as much. */
const LITTLE_WORK = 400_000;

test('what explains the other kind is soon found beside a deviation of this one', async () => {
  const { options, deployment } = drawRun('two deviations', 8940009);
  const run = readEvidence((await virtualRun(options)).trace);
  const histories = run.budgets.map(({ history }) => history).filter(({ events }) => events.length > 0);
  const world = conformingWorld(histories.filter(({ kind }) => kind === 'read'));
  const otherKind = histories.filter(({ kind }) => kind === 'write');
  const question = { kind: 'read', otherKind, anonymous: run.anonymous, background: null } as const;
  const beside = foundBy(proposeAnonymous, 'write', run).map((each) => ({ ...each, by: proposeAnonymous }));
  const found: Explained[] = [];
  inShare(LITTLE_WORK, { ...question, likely: world.shapes }, (own) => {
    const [second, anonymous] = deployment.deviations;
    const isSecond = (each: unknown): boolean => JSON.stringify(each) === JSON.stringify([second]);
    const firsts = [...proposeSecondLimits(world, own)].filter(({ deviations }) => isSecond(deviations));
    searchPairs(firsts, own, found, beside.slice(0, 1));
    expect(found.map(({ deviations }) => deviations)).toContainEqual([second, anonymous]);
  });
});
