import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../caught.ts';
import { judgeFile } from '../cli/judge-file.ts';
import { prepareRun } from '../cli/prepare-run.ts';
import { systemClock } from '../clock/system-clock.ts';
import { drive } from '../drive/run.ts';
import { judgeTrace } from '../judge/judge-trace.ts';
import { EVERYTHING } from '../plan/plan.ts';
import { readProfile } from '../profile/read-profile.ts';
import { referenceProfile } from '../reference/profile.ts';
import { startReference } from '../reference/server.ts';
import { makeReport } from '../report/make-report.ts';
import { serialiseReport } from '../report/report.ts';
import { readSealedTrace } from '../trace/read-trace.ts';
import type { Outcome, Subject } from './subject.ts';

/** The task of a worker. */
export interface Order {
  readonly subject: Subject;
  readonly scale: number;
  readonly seed: number;
  readonly keys: number;
  /** Folder for the trace; null: it is not kept. */
  readonly keep: string | null;
}

/** Runs the whole suite over HTTP against one reference server, in scaled time, and says what it found. */
export async function trySubject({ subject, scale, seed, keys: count, keep }: Order): Promise<Outcome> {
  const folder = keep ?? (await mkdtemp(join(tmpdir(), 'accuracy-')));
  const keys = {
    full: Array.from({ length: count }, (_, index) => `accuracy-full-${index}-5f0c2d`),
    restricted: 'accuracy-restricted-9b1e',
    revoked: 'accuracy-revoked-77aa',
  };
  const { jitter, resets, skew } = subject.conditions;
  const server = await startReference({
    keys,
    clock: systemClock(scale),
    seed,
    resets,
    skew,
    ...(jitter ? { jitter } : {}),
    ...(subject.variant === null ? {} : { variant: subject.variant }),
    ...(subject.defect === null ? {} : { defect: subject.defect }),
  });
  try {
    const read = readProfile(referenceProfile(server.baseUrl), { file: 'the reference profile' });
    if ('errors' in read) throw new Error(read.errors.map((each) => each.problem).join('; '));
    const run = prepareRun(
      { profile: read.profile, keys },
      { command: 'certify', mode: 'certify', selection: EVERYTHING, out: folder, seed, scale },
    );
    await drive(run, { signal: new AbortController().signal });
    const { trace, digest } = await readSealedTrace(run.traceFile);
    const judgement = judgeTrace(trace);
    const report = serialiseReport(makeReport(trace, judgement, digest));
    const again = serialiseReport(await judgeFile(run.traceFile));
    const { overall, verdicts, conditions } = judgement;
    const failures = verdicts.filter((each) => each.verdict === 'fail');
    return {
      subject,
      overall,
      verdicts: Object.fromEntries(verdicts.map((each) => [each.id, each.verdict])),
      failed: failures.map((each) => each.id),
      inconclusive: verdicts.filter((each) => each.verdict === 'inconclusive').map((each) => each.id),
      proofs: failures.map((each) => Math.min(...each.proofs.map((proof) => proof.evidence.length))),
      diagnoses: [...new Set(failures.flatMap((each) => each.proofs.flatMap(({ diagnosis }) => diagnosis ?? [])))],
      requests: conditions.requests,
      seconds: conditions.duration / 1e6,
      repeatable: again === report,
      error: null,
    };
  } finally {
    await server.close();
    if (keep === null) await rm(folder, { recursive: true, force: true });
  }
}

parentPort?.on('message', (order: Order) => {
  trySubject(order).then(
    (outcome) => parentPort?.postMessage(outcome),
    (error: unknown) =>
      parentPort?.postMessage({
        subject: order.subject,
        overall: 'incomplete',
        verdicts: {},
        failed: [],
        inconclusive: [],
        proofs: [],
        diagnoses: [],
        requests: 0,
        seconds: 0,
        repeatable: false,
        error: messageOf(error),
      } satisfies Outcome),
  );
});
