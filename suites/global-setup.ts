import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TestProject } from 'vitest/node';
import { failureText } from '../src/cli/failure-text.ts';
import { planText } from '../src/cli/plan-text.ts';
import { loadTarget, makeRunFolder, prepareRun } from '../src/cli/prepare-run.ts';
import { superviseRun } from '../src/cli/supervise-run.ts';
import { EVERYTHING } from '../src/plan/plan.ts';
import { terminalReport } from '../src/report/terminal.ts';

/**
 * Prepares and concludes a run where the test runner is started by itself. The target comes from the environment: SIZE_CHART_PROFILE
 * (default `size-chart.profile.yaml`), SIZE_CHART_BASE_URL, SIZE_CHART_KEYS and the other keys; SIZE_CHART_TIME_SCALE for tests in
 * scaled time.
 */
export default function setup(project: TestProject): () => Promise<void> {
  const { SIZE_CHART_PROFILE, SIZE_CHART_TIME_SCALE, SIZE_CHART_OUT } = process.env;
  const warn = (text: string): void => console.warn(text);
  const target = loadTarget(
    {
      profileFile: SIZE_CHART_PROFILE ?? 'size-chart.profile.yaml',
      waiversFile: null,
      baseUrl: null,
      envFile: null,
      maxRequests: null,
    },
    warn,
  );
  const run = prepareRun(target, {
    command: 'certify',
    mode: 'certify',
    selection: EVERYTHING,
    out: SIZE_CHART_OUT ?? null,
    seed: null,
    scale: Number(SIZE_CHART_TIME_SCALE ?? 1),
    nonce: null,
  });
  console.log(planText(run.plan, run.header));
  makeRunFolder(dirname(run.traceFile));
  project.provide('run', run);
  const supervision = superviseRun(run, {
    onProgress: () => {},
    onFailure: (proved) => console.log(failureText(proved)),
    reporters: [],
  });
  return async () => {
    if (existsSync(run.traceFile)) {
      console.log(terminalReport(await supervision.report, { colour: process.stdout.isTTY }));
    }
    await supervision.close();
  };
}
