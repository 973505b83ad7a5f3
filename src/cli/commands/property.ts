import { dirname } from 'node:path';
import { servedBy } from '../../catalogue/coverage.ts';
import type { RequirementId } from '../../catalogue/requirement.ts';
import { drawSeed } from '../../drive/draw-seed.ts';
import { acceptsAllKeys } from '../../drive/experiments/key-standing.ts';
import { odd } from '../../drive/experiments/odd.ts';
import { preflight } from '../../drive/experiments/preflight.ts';
import { drive } from '../../drive/run.ts';
import { oddCost } from '../../plan/allowance.ts';
import { EVERYTHING } from '../../plan/plan.ts';
import { OWN_PARAMETERS, PREFLIGHT_REQUESTS } from '../../plan/roles.ts';
import type { Variables } from '../../profile/environment.ts';
import { runSchedule } from '../../property/run-schedule.ts';
import { schedules } from '../../property/schedule.ts';
import { plural } from '../../report/wording.ts';
import type { Invocation } from '../arguments.ts';
import { concludeRun } from '../conclude-run.ts';
import { describedBy } from '../described-by.ts';
import { holdKeys } from '../hold-keys.ts';
import { judgeApart } from '../judge-apart.ts';
import { makeRunFolder, prepareRun } from '../prepare-run.ts';
import { printReport } from '../print-report.ts';
import { untilSignal } from '../until-signal.ts';
import { displayOf, targetOf } from './run.ts';

/** What arbitrary schedules can show: that the windows, as recorded, obey the statements on limits and headers. */
const SELECTION = [...EVERYTHING].filter((id) =>
  /^(LIMIT-(R|W|WINDOW|KEY|RW|ATOMIC|HISTORY|O1)|HDR-|STATUS-(SET|NO5XX))/.test(id),
);

/** What holds for every response. */
const ODD_SELECTION = servedBy('odd', new Set(SELECTION));

/** Shares of the allowance: for arbitrary single requests, and for shrinking one that shows a failure. */
const ODD_SHARE = 0.1;
const SHRINK_SHARE = 0.05;

/**
 * Sends arbitrary schedules and odd requests within the user's allowance, and lets the usual judge judge the recording.
 */
export async function propertyCommand(invocation: Invocation, variables: Variables): Promise<number> {
  const { options } = invocation;
  const display = displayOf(invocation);
  const seed = options.seed ?? drawSeed();
  const { seconds, requests, runs } = options;
  const target = targetOf(invocation, variables);
  const ruledOut = options.openapi === null ? [] : await describedBy(options.openapi, target.profile);
  const oddities = {
    malformed: 'all' as const,
    drawn: 'all' as const,
    own: OWN_PARAMETERS,
    requests: Math.floor(requests * ODD_SHARE),
    shrinks: Math.floor(requests * SHRINK_SHARE),
  };
  const most = oddCost(target.profile.operations, oddities);
  const first = PREFLIGHT_REQUESTS + 2 * target.keys.full.length;
  const planned = schedules(seed, runs, { seconds, requests: Math.max(1, requests - most - first) });
  const run = prepareRun(target, {
    command: 'property',
    mode: 'check',
    selection: new Set<RequirementId>(SELECTION),
    out: options.out,
    seed,
    scale: options.timeScale,
  });
  const say = (text: string): void => {
    if (!display.quiet && !display.json) process.stdout.write(`${text}\n`);
  };
  say(
    `${plural(runs, 'schedule')} and odd requests from seed ${seed}: at most ${requests} requests, ${seconds} s. To repeat them: ${replay(seed, { seconds, requests, runs })}`,
  );
  makeRunFolder(dirname(run.traceFile));
  const timed = planned.map((schedule, index) => ({
    id: `schedule-${index + 1}`,
    requirements: SELECTION,
    keys: run.header.keys.full,
    requests: schedule.reduce((sum, step) => sum + step.count, 0),
    start: 0,
    seconds: schedule.reduce((sum, step) => sum + step.gap / 1000, 0),
    omitted: null,
  }));
  const all = { requirements: ODD_SELECTION, keys: run.header.keys.full, omitted: null };
  const experiments = [...timed, { ...all, id: 'odd', requests: most, start: 0, seconds: 1 }];
  let shown: string | null = null;
  await untilSignal(({ signal }) =>
    holdKeys({ baseUrl: run.profile.baseUrl, keys: run.keys }, () =>
      drive({ ...run, header: { ...run.header, experiments } }, { signal }, async (session) => {
        const obstacle = await preflight(session);
        if (obstacle !== null) return void session.note('preflight', null, obstacle);
        if (!(await acceptsAllKeys(session))) return;
        for (const [index, schedule] of planned.entries())
          await runSchedule(session, schedule, `schedule-${index + 1}`);
        session.note('experiment-started', 'odd', '');
        shown = await odd(session, ruledOut, oddities);
        session.note('experiment-ended', 'odd', '');
      }),
    ),
  );
  const report = await concludeRun(run.traceFile, judgeApart, display.reporters);
  printReport(report, display, run.traceFile);
  if (shown !== null) say(`The smallest odd request that shows the failure:\n${shown}`);
  return report.result.exitCode;
}

function replay(
  seed: number,
  allowance: { readonly seconds: number; readonly requests: number; readonly runs: number },
): string {
  return `property --seed ${seed} --seconds ${allowance.seconds} --requests ${allowance.requests} --runs ${allowance.runs}`;
}
