import { dirname } from 'node:path';
import type { RequirementId } from './catalogue/requirement.ts';
import { concludeRun } from './cli/conclude-run.ts';
import { holdKeys } from './cli/hold-keys.ts';
import { judgeFile } from './cli/judge-file.ts';
import { makeRunFolder, prepareRun, readTargetProfile } from './cli/prepare-run.ts';
import { drive } from './drive/run.ts';
import { EVERYTHING } from './plan/plan.ts';
import type { Keys } from './profile/profile.ts';
import type { Report } from './report/report.ts';

export type { RequirementId } from './catalogue/requirement.ts';
export type { VerdictName } from './judge/verdict.ts';
export type { Keys } from './profile/profile.ts';
export type { Report, ReportedVerdict } from './report/report.ts';

export interface CertifyOptions {
  /** Path of the target profile, YAML or JSON. */
  readonly profile: string;
  readonly keys: Keys;
  /** Before the profile's own. */
  readonly baseUrl?: string;
  /** Folder for trace and reports; default: a new one below `reports`. */
  readonly out?: string;
  /** Default: every requirement of the catalogue. */
  readonly only?: readonly RequirementId[];
  /** `check` exhausts no budget and takes seconds; default `certify`. */
  readonly mode?: 'certify' | 'check';
  readonly seed?: number;
  readonly nonce?: string;
  /** How many times faster than real time both sides run; default 1. A run with another scale never certifies. */
  readonly timeScale?: number;
  /** Ends the run in order when aborted: the report then says that it was interrupted. */
  readonly signal?: AbortSignal;
}

/**
 * Tests a deployment, writes trace and reports into the run's folder, and gives the report. Prints nothing.
 *
 * @throws UsageError where profile, keys or folder are of no use, or another run on this machine uses a key: its
 *   message says what to do
 */
export async function certify(options: CertifyOptions): Promise<Report> {
  const { keys, baseUrl = null, mode = 'certify', signal = new AbortController().signal } = options;
  const profile = readTargetProfile(options.profile, { baseUrl, keys }, () => {});
  const run = prepareRun(
    { profile, keys },
    {
      command: mode,
      mode,
      selection: options.only ? new Set(options.only) : EVERYTHING,
      out: options.out ?? null,
      seed: options.seed ?? null,
      scale: options.timeScale ?? 1,
      nonce: options.nonce ?? null,
    },
  );
  await holdKeys({ baseUrl: profile.baseUrl, keys }, async () => {
    makeRunFolder(dirname(run.traceFile));
    await drive(run, { signal });
  });
  return concludeRun(run.traceFile, judgeFile);
}

/**
 * Judges a recorded trace again, offline: the same file gives the same report. @throws TraceError where it cannot be
 * read
 */
export function judge(traceFile: string): Promise<Report> {
  return judgeFile(traceFile);
}
