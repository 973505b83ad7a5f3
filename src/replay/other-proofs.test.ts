import { expect } from 'vitest';
import { thorough } from '../../test/sampled.test-support.ts';
import { wholeProfile } from '../accuracy/virtual/draw-profile.ts';
import { virtualRun } from '../accuracy/virtual/virtual-run.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import type { ClassWeight } from '../deployment/deviations/class-weight.ts';
import type { OtherLimit } from '../deployment/deviations/other-limit.ts';
import { judgeTrace } from '../judge/judge-trace.ts';
import { behaviourOf } from '../reference/behaviour.ts';
import type { Conduct } from '../reference/conduct.ts';
import { variantNamed } from '../reference/variants.ts';
import type { Trace } from '../trace/trace.ts';
import { sequencesFor } from './failures.ts';
import { outcomeOf } from './outcome.ts';
import { replay } from './replay.ts';
import { requestsOf, type Sequence } from './sequence.ts';

const profile = wholeProfile();

/** A server that lets so many writes through in a window, and says another number. */
function letting(limit: number, told: number): Conduct {
  const parameters: OtherLimit = { kind: 'write', limit, limitHeader: told, remainingFrom: told, from: 'always' };
  const deviations = [{ operator: 'other-limit', parameters } as const];
  return (times) => behaviourOf({ choices: variantNamed('grid-clock').options, deviations }, times);
}

/** A server that does not count the requests of an operation. */
function notCounting(name: string): Conduct {
  const parameters: ClassWeight = { kinds: ['read'], attribute: 'operation', classes: [name], weight: 0 };
  const deviations = [{ operator: 'class-weight', parameters } as const];
  return (times) => behaviourOf({ choices: variantNamed('grid-clock').options, deviations }, times);
}

async function failing(conduct: Conduct, id: RequirementId, seed: number): Promise<readonly (readonly Sequence[])[]> {
  const epoch = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000;
  const { trace } = await virtualRun({ profile, keys: 2, seed, epoch, conduct });
  return sequencesFor(id, judgeTrace(trace).verdicts, trace);
}

async function sent(sequence: Sequence, conduct: Conduct): Promise<{ readonly trace: Trace; readonly began: number }> {
  let began = 0;
  const epoch = Date.UTC(2026, 10, 21, 9, 12, 20) * 1000;
  const script = async (session: Parameters<typeof replay>[0]) => {
    began = await replay(session, sequence);
  };
  const { trace } = await virtualRun({ profile, keys: 2, seed: 9, epoch, conduct, script });
  return { trace, began };
}

/** The exit codes of all sequences, those of each failure apart. */
async function codes(failures: readonly (readonly Sequence[])[], conduct: Conduct): Promise<number[][]> {
  return Promise.all(
    failures.map((each) =>
      Promise.all(
        each.map(async (sequence) => {
          const { trace, began } = await sent(sequence, conduct);
          return outcomeOf('LIMIT-W', sequence, trace, { began }).exitCode;
        }),
      ),
    ),
  );
}

thorough('a limit that was counted is counted again, though a header told of it sooner', async () => {
  const failures = await failing(letting(31, 31), 'LIMIT-W', 3);
  expect((await codes(failures, letting(31, 31))).flat()).toContain(1);
  // Only what the headers say was mended.
  expect((await codes(failures, letting(31, 30))).flat()).toContain(1);
  expect((await codes(failures, letting(30, 30))).flat()).toEqual(failures.flat().map(() => 0));
  expect(Math.max(...failures.flat().map((each) => requestsOf(each).length))).toBeGreaterThan(30);
});

thorough('an operation that is not counted shows each time that as many of its requests are sent', async () => {
  const [[sequence] = []] = await failing(notCounting('list-labels'), 'LIMIT-SCOPE', 5);
  expect(sequence).toMatchObject({ pace: 'at once', isCertain: true });
  if (!sequence) return;
  const said = async (conduct: Conduct): Promise<number> => {
    const { trace, began } = await sent(sequence, conduct);
    return outcomeOf('LIMIT-SCOPE', sequence, trace, { began }).exitCode;
  };
  expect(await said(notCounting('list-labels'))).toBe(1);
  expect(await said(letting(30, 30))).toBe(0);
});
