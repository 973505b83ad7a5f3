import { dirname } from 'node:path';
import type { RequirementId } from '../../catalogue/requirement.ts';
import { drawSeed, drive } from '../../drive/run.ts';
import { EVERYTHING } from '../../plan/plan.ts';
import { runSchedule } from '../../property/run-schedule.ts';
import { schedules } from '../../property/schedule.ts';
import { serialiseReport } from '../../report/report.ts';
import { terminalReport } from '../../report/terminal.ts';
import type { Invocation } from '../arguments.ts';
import { concludeRun } from '../conclude-run.ts';
import { holdKeys } from '../hold-keys.ts';
import { judgeApart } from '../judge-apart.ts';
import { makeRunFolder, prepareRun } from '../prepare-run.ts';
import { displayOf, targetOf } from './run.ts';

const DEFAULTS = { seconds: 150, requests: 1000, runs: 3 };

/** What arbitrary schedules can show: that the windows, as recorded, obey the statements on limits and headers. */
const SELECTION = [...EVERYTHING].filter((id) =>
  /^(LIMIT-(R|W|WINDOW|KEY|RW|ATOMIC|HISTORY|O1)|HDR-|STATUS-(SET|NO5XX))/.test(id),
);

/** Sends arbitrary schedules within the user's allowance, and lets the oracle judge what was recorded. */
export async function propertyCommand(invocation: Invocation): Promise<number> {
  const { options } = invocation;
  const display = displayOf(invocation);
  const seed = options.seed ?? drawSeed();
  const seconds = options.seconds ?? DEFAULTS.seconds;
  const requests = options.requests ?? DEFAULTS.requests;
  const runs = options.runs ?? DEFAULTS.runs;
  const planned = schedules(seed, runs, { seconds, requests });
  const run = prepareRun(targetOf(invocation), {
    command: 'property',
    mode: 'check',
    selection: new Set<RequirementId>(SELECTION),
    out: options.out,
    seed,
    scale: options.timeScale,
    nonce: null,
  });
  const say = (text: string): void => {
    if (!display.quiet && !display.json) process.stdout.write(`${text}\n`);
  };
  say(
    `${runs} schedules from seed ${seed}: at most ${requests} requests, ${seconds} s. The same again: ${replay(seed, { seconds, requests, runs })}`,
  );
  makeRunFolder(dirname(run.traceFile));
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort(new Error('interrupted'));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  const experiments = planned.map((schedule, index) => ({
    id: `schedule-${index + 1}`,
    requirements: SELECTION,
    keys: run.header.keys.full,
    requests: schedule.reduce((sum, step) => sum + step.count, 0),
    start: 0,
    seconds: schedule.reduce((sum, step) => sum + step.gap / 1000, 0),
    omitted: null,
  }));
  try {
    await holdKeys({ baseUrl: run.profile.baseUrl, keys: run.keys }, () =>
      drive({ ...run, header: { ...run.header, experiments } }, { signal: interruption.signal }, async (session) => {
        for (const [index, schedule] of planned.entries())
          await runSchedule(session, schedule, `schedule-${index + 1}`);
      }),
    );
  } finally {
    process.removeListener('SIGINT', interrupt);
    process.removeListener('SIGTERM', interrupt);
  }
  const report = await concludeRun(run.traceFile, judgeApart, display.reporters);
  process.stdout.write(
    display.json ? serialiseReport(report) : terminalReport(report, { ...display, trace: run.traceFile }),
  );
  return report.result.exitCode;
}

function replay(seed: number, allowance: typeof DEFAULTS): string {
  return `property --seed ${seed} --seconds ${allowance.seconds} --requests ${allowance.requests} --runs ${allowance.runs}`;
}
