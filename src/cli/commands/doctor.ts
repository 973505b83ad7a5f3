import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequirementId } from '../../catalogue/requirement.ts';
import { diagnose } from '../../doctor/diagnose.ts';
import type { Diagnosis } from '../../doctor/diagnosis.ts';
import { diagnosisText, testableText } from '../../doctor/diagnosis-text.ts';
import { EXPERIMENT, examine } from '../../doctor/examine.ts';
import { drive } from '../../drive/run.ts';
import type { Variables } from '../../profile/environment.ts';
import { readTrace } from '../../trace/read-trace.ts';
import type { Invocation } from '../arguments.ts';
import { holdKeys } from '../hold-keys.ts';
import { prepareRun, type Target } from '../prepare-run.ts';
import { untilSignal } from '../until-signal.ts';
import { displayOf, targetOf } from './run.ts';

/**
 * Checks profile and keys against the target. Returns 0 if everything that a certificate needs can be tested, else 3.
 */
export async function doctorCommand(invocation: Invocation, variables: Variables): Promise<number> {
  const { selection, options } = invocation;
  const diagnosis = await untilSignal(async ({ signal }) => {
    const target = targetOf(invocation, variables);
    const { profile, keys } = target;
    // A person who waits wants to know what for; a program that reads the output does not.
    if (process.stderr.isTTY && !options.quiet && !options.json) {
      process.stderr.write(`Trying the operations and keys of the profile on ${profile.baseUrl} …\n`);
    }
    return holdKeys({ baseUrl: profile.baseUrl, keys }, () =>
      examineTarget(target, selection, options.timeScale, signal),
    );
  });
  if (options.json) process.stdout.write(`${JSON.stringify(diagnosis, null, 2)}\n`);
  else if (options.quiet) process.stdout.write(`${testableText(diagnosis)}\n`);
  else process.stdout.write(diagnosisText(diagnosis, displayOf(invocation)));
  return diagnosis.ready ? 0 : 3;
}

/** Sends every operation and probe of the profile, and prints the results. It leaves no file behind. */
export async function examineTarget(
  target: Target,
  selection: readonly RequirementId[],
  scale: number,
  signal: AbortSignal,
): Promise<Diagnosis> {
  const folder = await mkdtemp(join(tmpdir(), 'size-chart-doctor-'));
  try {
    const run = prepareRun(target, {
      command: 'doctor',
      mode: 'certify',
      selection: new Set(selection),
      out: folder,
      scale,
    });
    const experiment = {
      id: EXPERIMENT,
      requirements: [],
      keys: run.header.keys.full,
      requests: 0,
      start: 0,
      seconds: 0,
    };
    const header = { ...run.header, experiments: [{ ...experiment, omitted: null }] };
    const bodies = new Map<number, string>();
    const onBody = (seq: number, body: string): void => void bodies.set(seq, body);
    await drive({ ...run, header }, { signal, onBody }, examine);
    return diagnose(target.profile, run.plan, { ...(await readTrace(run.traceFile)), bodies }, selection);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
