import { expect, test } from 'vitest';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import type { SearchContext } from '../proposal.ts';
import { conformingWorld } from '../world.ts';
import { crowdedIn, proposeCrowds } from './crowd.ts';
import { foundBy, runOfDraw } from './deviating-world.test-support.ts';
import { LONGEST_LAG } from './lateness.ts';
import { bitsOfRace, bitsOfRepeats, bitsOfUnseen, type Loss, nowAndThen } from './losses.ts';
import { lostIn } from './overshoot.ts';
import { proposeStatusWeights } from './weight.ts';

/** Only the Remaining and the window of these requests are used. */
const told = (remaining: readonly number[], reset: number | null = 60e6): Event[] =>
  remaining.map((left, at) => ({ from: at, to: at, remaining: left, reset }) as Event);

test.each<[string, readonly Event[], number]>([
  ['each was told another number', told([9, 8, 7, 6]), 0],
  ['all were told the same', told([9, 9, 9, 9]), 3],
  ['read late, the same is told twice and the next not at all', told([9, 7, 7, 6]), 0],
  ['what found nothing left says no more', told([2, 1, 0, 0, 0]), 0],
  ['another window tells the same again', [...told([9, 8]), ...told([9, 8], 120e6)], 0],
  ['without a marker all is one window', told([9, 9], null), 1],
  ['nothing is told', [], 0],
])('how many of a crowd are missing: %s', (_, crowd, lost) => {
  expect(lostIn(crowd, WINDOW).lost).toBe(lost);
});

test('what failed at once with a request may not have been seen by it', () => {
  const at = (from: number, outcome: string) => ({ from, to: from + 5, outcome }) as Event;
  const [failed, seen, alone] = [at(0, 'failed'), at(20, 'accepted'), at(1000, 'accepted')];
  expect(crowdedIn([failed, seen, alone], 0)).toEqual([]);
  expect(crowdedIn([failed, seen, alone], 30)).toEqual([seen]);
});

test('failed requests that were under way at once are counted as late as others, if these are', () => {
  const at = (from: number, outcome: Event['outcome'], remaining: number) =>
    ({ from, to: from + 5, outcome, remaining, reset: 60e6 }) as Event;
  const crowd = [at(0, 'accepted', 99), at(2, 'accepted', 99)];
  const failed = [at(1000, 'failed', 97), at(1002, 'failed', 97)];
  const history = {
    kind: 'read',
    limit: 100,
    shown: 100,
    unit: null,
    offset: { low: 0, high: 0 },
    events: [...crowd, ...failed],
  };
  const [first] = proposeCrowds(conformingWorld([history as unknown as History]), { kind: 'read' } as SearchContext);
  const late = first?.world.histories[0]?.events.filter(({ countedBy, to }) => countedBy === to);
  expect(late).toMatchObject([...crowd, ...failed].map(({ from }) => ({ from })));
});

test('that few of each crowd do not see each other is said in about as many bits as that few are forgotten', () => {
  const few = [
    { lost: 2, of: 100 },
    { lost: 0, of: 100 },
    { lost: 1, of: 100 },
  ];
  const forgotten = nowAndThen('read', 0, few).bits - 12;
  expect(Math.abs(bitsOfUnseen(few) - forgotten)).toBeLessThan(6);
  expect(bitsOfUnseen([{ lost: 50, of: 100 }])).toBeLessThan(8);
});

test('a crowd of any size is looked at', () => {
  expect(lostIn(told(Array.from({ length: 300_000 }, () => 9)), WINDOW).lost).toBe(299_999);
});

test('a race is cheaper where it has lost most of each crowd, and forgetting where it has lost few, in crowds and alone', () => {
  const crowds = (lost: number) => Array.from({ length: 10 }, () => ({ lost, of: 30 }));
  const forgetting = (lost: number) => nowAndThen('read', 0, [...crowds(lost), { lost: 0, of: 80 }]).bits - 12;
  const racing = (losses: readonly Loss[]): number => bitsOfRace(losses) + bitsOfRepeats(losses);
  expect(racing(crowds(29))).toBeLessThan(forgetting(29));
  const few = [{ lost: 2, of: 30 }, { lost: 1, of: 30 }, ...crowds(0)];
  expect(nowAndThen('read', 0, [...few, { lost: 0, of: 80 }]).bits - 12).toBeLessThan(racing(few));
});

/** The draw in which the marker of an overfull log is the time when it has room again. */
const OVERFULL_LOG = 9500054;

test('a race may leave more in a log than its limit, which delays the marker', async () => {
  const run = await runOfDraw('late-counting', OVERFULL_LOG);
  expect(foundBy(proposeCrowds, 'write', run)[0]?.deviations).toMatchObject([{ operator: 'lost-updates' }]);
});

test('nodes that tell each other every five seconds count late, and begin no pair', async () => {
  const run = await runOfDraw('nodes-apart', 70001);
  const [found] = foundBy(proposeCrowds, 'write', run);
  const [deviation] = found?.deviations ?? [];
  expect(deviation?.operator).toBe('late-counting');
  expect(deviation?.operator === 'late-counting' && deviation.parameters.lag).toBeGreaterThan(LONGEST_LAG);
  const world = conformingWorld(run.budgets.map(({ history }) => history).filter(({ kind }) => kind === 'write'));
  const late = [...proposeCrowds(world, { kind: 'write' } as SearchContext)].filter(({ isLast }) => isLast);
  expect(late.length).toBeGreaterThan(0);
});

test.each<[string, number]>([
  ['answers are given before their own requests are counted', 8840008],
  ['the clock ticks in whole seconds, so that no answer shows the longest time', 8840016],
])('late counting takes few bits where %s', async (_, draw) => {
  const run = await runOfDraw('late-counting', draw);
  for (const kind of ['read', 'write'] as const) {
    const [found] = foundBy(proposeCrowds, kind, run);
    expect(found?.deviations).toMatchObject([{ operator: 'late-counting' }]);
    expect(found?.bits).toBeLessThan(30);
  }
});

test('that refusals give back takes more bits than a race, where requests over the limit met refusals at once', async () => {
  const run = await runOfDraw('late-counting', 8840025);
  const [race] = foundBy(proposeCrowds, 'write', run);
  const [given] = foundBy(proposeStatusWeights, 'write', run);
  expect(given?.deviations).toMatchObject([{ parameters: { classes: ['429'], weight: -1 } }]);
  expect(race?.bits).toBeLessThan(given?.bits ?? 0);
});
