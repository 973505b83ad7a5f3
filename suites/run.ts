import { inject } from 'vitest';
import type { RequirementId } from '../src/catalogue/requirement.ts';
import { openProgressChannel } from '../src/drive/progress-channel.ts';
import { drive, type RunOptions } from '../src/drive/run.ts';
import { judgeTrace } from '../src/judge/judge-trace.ts';
import type { Judgement } from '../src/judge/judgement.ts';
import type { Verdict } from '../src/judge/verdict.ts';
import { readTrace } from '../src/trace/read-trace.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What to run; absent where the suites are only listed. */
    run: RunOptions;
  }
}

let judgement: Promise<Judgement> | null = null;

/**
 * The verdict on one requirement. The first call starts the run, and all calls share it: windows of a minute overlap only if every
 * experiment is under way at once. Judged from the trace file, as anyone can judge it again.
 */
export async function verdictOn(id: RequirementId): Promise<Verdict | null> {
  judgement ??= driveAndJudge(inject('run'));
  const { verdicts } = await judgement;
  return verdicts.find((verdict) => verdict.id === id) ?? null;
}

async function driveAndJudge(run: RunOptions): Promise<Judgement> {
  const channel = openProgressChannel(run.traceFile);
  try {
    await drive(run, { signal: channel.interrupted, onExchange: channel.report });
  } finally {
    channel.close();
  }
  return judgeTrace(await readTrace(run.traceFile));
}
