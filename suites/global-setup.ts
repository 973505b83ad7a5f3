import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { RequirementId } from '../src/catalogue/requirement.ts';
import { REQUIREMENTS } from '../src/catalogue/requirements.ts';
import { failureText } from '../src/cli/failure-text.ts';
import { planText } from '../src/cli/plan-text.ts';
import { loadTarget, makeRunFolder, prepareRun } from '../src/cli/prepare-run.ts';
import { selectRequirements } from '../src/cli/selection.ts';
import { type Supervision, superviseRun } from '../src/cli/supervise-run.ts';
import { UsageError } from '../src/cli/usage-error.ts';
import type { RunOptions } from '../src/drive/run.ts';
import { readVariables } from '../src/profile/environment.ts';
import type { Report } from '../src/report/report.ts';
import { terminalReport } from '../src/report/terminal.ts';
import { inRunnersWords } from './usage.ts';

/**
 * Prepares and concludes a run where the test runner is started by itself. The target comes from the environment:
 * SIZE_CHART_PROFILE (default `size-chart.profile.yaml`), SIZE_CHART_BASE_URL, SIZE_CHART_KEYS and the other keys;
 * SIZE_CHART_TIME_SCALE for tests in scaled time. What the runner is asked for by name or tag is what the run is
 * planned for.
 */
export default function setup(project: TestProject): () => Promise<void> {
  try {
    return open(project);
  } catch (error) {
    throw inRunnersWords(error);
  }
}

function open(project: TestProject): () => Promise<void> {
  // The runner has read it by now, and would print what it is given, keys too.
  if (process.env.DEBUG || process.env.NODE_DEBUG) throw new UsageError('DEBUG and NODE_DEBUG print keys: unset them.');
  let runs = 0;
  let current = start();

  function start(): { readonly run: RunOptions; readonly supervision: Supervision } {
    runs += 1;
    const run = prepare(project, runs);
    console.log(planText(run.plan, run.header));
    makeRunFolder(dirname(run.traceFile));
    project.provide('run', run);
    project.provide('bail', project.vitest.config.bail ?? 0);
    const supervision = superviseRun(run, {
      onProgress: () => {},
      onFailure: (proved) => console.log(failureText(proved)),
      bail: project.vitest.config.bail ?? 0,
      reporters: [],
    });
    // Who watches wants to know before the next run.
    if (project.vitest.config.watch)
      void supervision.report.then(
        (report) => tell(report, run),
        () => {},
      );
    return { run, supervision };
  }

  function tell(report: Report, { traceFile }: RunOptions): void {
    console.log(terminalReport(report, { colour: process.stdout.isTTY, trace: traceFile }));
  }

  async function end(): Promise<void> {
    const { run, supervision } = current;
    // Where no test was selected, nothing was sent.
    if (existsSync(run.traceFile)) {
      const report = await supervision.report;
      if (!project.vitest.config.watch) tell(report, run);
    }
    await supervision.close();
  }

  project.onTestsRerun(async () => {
    await end();
    current = start();
  });
  return end;
}

/** @param number of the run: when watching, each has a folder of its own */
function prepare({ vitest }: TestProject, number: number): RunOptions {
  const { SIZE_CHART_PROFILE, SIZE_CHART_TIME_SCALE, SIZE_CHART_OUT } = process.env;
  const profileFile = SIZE_CHART_PROFILE ?? 'size-chart.profile.yaml';
  const source = { profileFile, variables: readVariables(process.env, null) };
  const { testNamePattern, tagsFilter } = vitest.config;
  return prepareRun(
    loadTarget(source, (text) => console.warn(text)),
    {
      command: 'certify',
      mode: 'certify',
      selection: selected(testNamePattern, tagsFilter),
      out: SIZE_CHART_OUT === undefined ? null : `${SIZE_CHART_OUT}${number === 1 ? '' : `-${number}`}`,
      scale: Number(SIZE_CHART_TIME_SCALE ?? 1),
    },
  );
}

/**
 * The requirements whose tests the runner is asked for, by `-t` and `--tags-filter`; all where a name is that of a
 * section.
 */
function selected(pattern: RegExp | undefined, tags: readonly string[] = []): ReadonlySet<RequirementId> {
  const byTag = selectRequirements(null, tags.length === 0 ? null : tags.map((each) => `(${each})`).join(' and '));
  if ('errors' in byTag) throw new UsageError(byTag.errors.join('\n'));
  const named = REQUIREMENTS.filter(({ id, title }) => pattern?.test(`${id} ${title}`) ?? true);
  const asked = named.length > 0 ? named : REQUIREMENTS;
  return new Set(asked.map(({ id }) => id).filter((id) => byTag.ids.includes(id)));
}
