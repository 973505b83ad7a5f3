import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { prepareRun } from '../../src/cli/prepare-run.ts';
import { drive } from '../../src/drive/run.ts';
import { judgeTrace } from '../../src/judge/judge-trace.ts';
import type { Judgement } from '../../src/judge/judgement.ts';
import { EVERYTHING } from '../../src/plan/plan.ts';
import type { Keys } from '../../src/profile/profile.ts';
import { readProfile } from '../../src/profile/read-profile.ts';
import { referenceProfile } from '../../src/reference/profile.ts';
import type { Exchange } from '../../src/trace/exchange.ts';
import { readTrace } from '../../src/trace/read-trace.ts';
import { atTheEnd } from '../end-to-end/at-the-end.test-support.ts';
import { KEYS } from '../end-to-end/command.test-support.ts';

/** How many times faster than real time the tests run: a complete run takes some six seconds. */
export const SCALE = 20;

/** What a run came to. */
export interface Rehearsal {
  readonly judgement: Judgement;
  readonly exchanges: readonly Exchange[];
  readonly failed: readonly string[];
  verdict(id: string): string;
}

export interface RehearsalOptions {
  readonly keys?: Keys;
  readonly onExchange?: (exchange: Exchange) => void;
}

/**
 * Certifies the target at `baseUrl` in scaled time, in this process, and checks what every run must have: each
 * requirement judged once, a cause and a remedy for each undecided one, a proof for each failure, all from a readable
 * trace file.
 */
export async function rehearse(baseUrl: string, options: RehearsalOptions = {}): Promise<Rehearsal> {
  await inTurn();
  return lived(baseUrl, options).finally(nextTurn);
}

/** How many tests run at once: with more, the busy machine would be worse than the simulated network. */
let turns = 2;
const waiting: (() => void)[] = [];

function inTurn(): Promise<void> | undefined {
  if (turns === 0) return new Promise((resolve) => waiting.push(resolve));
  turns -= 1;
  return undefined;
}

function nextTurn(): void {
  const next = waiting.shift();
  if (next) next();
  else turns += 1;
}

async function lived(baseUrl: string, options: RehearsalOptions): Promise<Rehearsal> {
  const { keys = KEYS, onExchange } = options;
  const folder = mkdtempSync(join(tmpdir(), 'size-chart-test-'));
  atTheEnd(() => rmSync(folder, { recursive: true, force: true }));
  const read = readProfile(referenceProfile(baseUrl), { file: 'the reference profile' });
  if ('errors' in read) throw new Error(read.errors.map((each) => each.problem).join('; '));
  const run = prepareRun(
    { profile: read.profile, keys },
    { command: 'certify', mode: 'certify', selection: EVERYTHING, out: folder, seed: 7, scale: SCALE, nonce: null },
  );
  await drive(run, { signal: new AbortController().signal, ...(onExchange ? { onExchange } : {}) });
  const trace = await readTrace(run.traceFile);
  const judgement = judgeTrace(trace);
  const { verdicts } = judgement;
  expect(verdicts.map((each) => each.id)).toEqual([...EVERYTHING]);
  for (const each of verdicts) {
    if (each.verdict === 'fail') expect(each.proofs, `${each.id}: ${each.summary}`).not.toEqual([]);
    if (each.verdict === 'inconclusive') expect({ id: each.id, remedy: each.remedy }).toMatchObject({ remedy: /./ });
    expect(each.summary, each.id).not.toBe('');
  }
  return {
    judgement,
    exchanges: trace.exchanges,
    failed: verdicts.filter((each) => each.verdict === 'fail').map((each) => `${each.id}: ${each.summary}`),
    verdict: (id) => verdicts.find((each) => each.id === id)?.verdict ?? 'missing',
  };
}

/** Requirements that no network and no limiter disturbs: a run that decides none of them has shown nothing. */
const WITHIN_REACH = ['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4', 'AUTH-5', 'STATUS-200', 'HDR-2', 'HDR-6', 'VERSION-1'];

/** A conforming deployment under bad conditions: nothing fails, and everything that is still testable passes. */
export function expectInnocent({ failed, judgement, verdict }: Rehearsal): void {
  expect(failed).toEqual([]);
  expect(Object.fromEntries(WITHIN_REACH.map((id) => [id, verdict(id)]))).toEqual(
    Object.fromEntries(WITHIN_REACH.map((id) => [id, 'pass'])),
  );
  expect(['conforms', 'inconclusive']).toContain(judgement.overall);
  expect(judgement.exitCode).toBe(judgement.overall === 'conforms' ? 0 : 3);
}
