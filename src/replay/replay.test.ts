import { describe, expect, test } from 'vitest';
import { wholeProfile } from '../accuracy/virtual/draw-profile.ts';
import { virtualRun } from '../accuracy/virtual/virtual-run.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { judgeTrace } from '../judge/judge-trace.ts';
import { conductOf, defectNamed } from '../reference/conduct.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { replay } from './replay.ts';
import { requestsOf, type Sequence } from './sequence.ts';
import { sequencesFor } from './shortest.ts';

// A limit takes a minute: all of it passes in virtual time, so that no test hangs on how busy the machine is.

const profile = wholeProfile();
const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000;

/** What `certify` finds of a defect, and the sequence that shows it. */
function found(defect: string, id: RequirementId, seed = 8): Promise<Sequence> {
  const name = `${defect} ${id} ${seed}`;
  const sequence = known.get(name) ?? find(defect, id, seed);
  known.set(name, sequence);
  return sequence;
}

const known = new Map<string, Promise<Sequence>>();

async function find(defect: string, id: RequirementId, seed: number): Promise<Sequence> {
  const { trace } = await virtualRun({ profile, keys: 4, seed, epoch: EPOCH, conduct: conductOf(null, defect) });
  const [sequence] = sequencesFor(id, judgeTrace(trace).verdicts, trace);
  if (!sequence) throw new Error(`${defect} gave no sequence for ${id}`);
  return sequence;
}

/** Sends a sequence to a server that has just been started, some way into the minute. */
async function again(
  sequence: Sequence,
  id: RequirementId,
  { defect, second = 41, used = 0 }: { defect: string | null; second?: number; used?: number },
): Promise<Outcome & { readonly seconds: number }> {
  let began = 0;
  const { trace } = await virtualRun({
    profile,
    keys: 4,
    seed: 9,
    epoch: Date.UTC(2026, 10, 21, 9, 12, second) * 1000,
    conduct: conductOf(null, defect),
    others: ['key-1', 'key-2'].map((key) => ({ key, kind: 'read', requests: used, at: -1e6, every: 100 })),
    async script(session) {
      began = await replay(session, sequence);
    },
  });
  return { ...outcomeOf(id, sequence, trace, began), seconds: (trace.footer?.ended ?? 0) / 1e6 };
}

describe.each([
  ['limit-minus-one', 'LIMIT-R'],
  ['per-group', 'LIMIT-SCOPE'],
  ['shared-kinds', 'LIMIT-RW'],
  ['one-for-all', 'LIMIT-KEY'],
  ['permission-401', 'AUTH-6'],
] as const)('%s', (defect, id) => {
  test(`what fails ${id} fails again within seconds, and not on a mended server`, async () => {
    expect(defectNamed(defect).must).toContain(id);
    const sequence = await found(defect, id);
    const broken = await again(sequence, id, { defect });
    expect(broken).toMatchObject({ exitCode: 1, text: expect.stringContaining(`${id} still fails: `) });
    const mended = await again(sequence, id, { defect: null });
    expect(mended).toMatchObject({ exitCode: 0, text: expect.stringContaining('no longer fails') });
    expect(Math.max(broken.seconds, mended.seconds)).toBeLessThan(5);
  });
});

test.each([
  ['malformed-json-500', 'STATUS-NO5XX'],
  ['never-refuses', 'STATUS-429'],
  ['remaining-on-refusal', 'HDR-5'],
  ['header-in-words', 'HDR-2'],
  ['path-case', 'LIMIT-EVADE'],
] as const)('%s fails %s again in a server that is as it was', async (defect, id) => {
  const sequence = await found(defect, id);
  expect(await again(sequence, id, { defect })).toMatchObject({ exitCode: 1 });
});

test('what comes now and then is not said to be mended where it does not come', async () => {
  const sequence = await found('sporadic-401', 'AUTH-2');
  const { trace } = await virtualRun({
    profile,
    keys: 4,
    seed: 9,
    epoch: EPOCH,
    conduct: conductOf(null, null),
    script: async (session) => void (await replay(session, sequence)),
  });
  expect(outcomeOf('AUTH-2', sequence, trace)).toMatchObject({
    exitCode: 3,
    text: expect.stringContaining('Run certify'),
  });
});

// Each with a run whose shortest sequence showed it by chance, or by what was sent beside it.
test.each([
  ['sporadic-401', 'AUTH-3', 7],
  ['fails-open', 'LIMIT-R', 3],
  ['operation-of-other-kind', 'LIMIT-SCOPE', 2],
  ['remaining-on-refusal', 'HDR-5', 8],
] as const)('%s is never said to be mended where %s is as it was', async (defect, id, seed) => {
  const sequence = await found(defect, id, seed);
  for (const second of [12, 41]) expect((await again(sequence, id, { defect, second })).exitCode).not.toBe(0);
});

test('what was sent at the end of a window is as far from it again', async () => {
  const sequence = await found('window-of-30-seconds', 'LIMIT-WINDOW');
  for (const second of [2, 15]) {
    const { exitCode, seconds } = await again(sequence, 'LIMIT-WINDOW', { defect: 'window-of-30-seconds', second });
    expect([second, exitCode]).toEqual([second, 1]);
    expect(seconds).toBeLessThan(65);
  }
});

test('where a window is about to end, the next one is waited for', async () => {
  const sequence = await found('limit-minus-one', 'LIMIT-R');
  for (const second of [57, 59]) {
    const { exitCode, seconds } = await again(sequence, 'LIMIT-R', { defect: 'limit-minus-one', second });
    expect([second, exitCode]).toEqual([second, 1]);
    expect(seconds).toBeGreaterThan(60 - second);
    expect(seconds).toBeLessThan(65);
  }
});

test('a key that has been used tells nothing', async () => {
  const sequence = await found('limit-minus-one', 'LIMIT-R');
  expect(await again(sequence, 'LIMIT-R', { defect: null, used: 40 })).toMatchObject({
    exitCode: 3,
    text: expect.stringMatching(/key-\d was used/),
  });
});

test('an answer that stands for itself is asked for again with its control, and nothing else', async () => {
  const sequence = await found('unknown-key-403', 'AUTH-5');
  expect(sequence.pace).toBe('single');
  expect(requestsOf(sequence)).toHaveLength(2);
});
