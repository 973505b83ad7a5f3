import { randomInt } from 'node:crypto';
import { wholeProfile } from '../accuracy/virtual/draw-profile.ts';
import { virtualRun } from '../accuracy/virtual/virtual-run.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { judgeTrace } from '../judge/judge-trace.ts';
import type { Verdict } from '../judge/verdict.ts';
import { conductOf } from '../reference/conduct.ts';
import type { Trace } from '../trace/trace.ts';
import { sequencesFor } from './failures.ts';
import { conclusion, type Outcome, outcomeOf } from './outcome.ts';
import { replay } from './replay.ts';
import { lengthOf, type Sequence } from './sequence.ts';

const profile = wholeProfile();
const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000;

/**
 * Other seeds each time, but in the quick tests, which are the same each time: the name of a case says which. Cases of
 * one defect share its runs.
 */
const FIRST = Number(process.env.REPLAY_SEED ?? (process.env.EVERY_CASE ? randomInt(2 ** 30) : 1));
const DRAWS = Number(process.env.REPLAY_DRAWS ?? 1);

/** Seeds for one case. */
export const seeds = (): number[] => Array.from({ length: DRAWS }, (_, index) => FIRST + index);

/** Each of the cases with its seeds. */
export function withSeeds<Case extends readonly unknown[]>(cases: readonly Case[]): [...Case, number][] {
  return cases.flatMap((each) => seeds().map((seed): [...Case, number] => [...each, seed]));
}

interface Certified {
  readonly trace: Trace;
  readonly verdicts: readonly Verdict[];
}

const runs = new Map<string, Promise<Certified>>();

/** What `certify` finds of a defect. */
function certified(defect: string, seed: number, keys = 2): Promise<Certified> {
  const run = async (): Promise<Certified> => {
    const { trace } = await virtualRun({ profile, keys, seed, epoch: EPOCH, conduct: conductOf(null, defect) });
    return { trace, verdicts: judgeTrace(trace).verdicts };
  };
  const name = JSON.stringify([defect, seed, keys]);
  const known = runs.get(name) ?? run();
  runs.set(name, known);
  return known;
}

/** The first sequence for each failure that the run shows of a requirement. */
export async function found(
  defect: string,
  id: RequirementId,
  seed: number,
  keys?: number,
): Promise<readonly Sequence[]> {
  const { trace, verdicts } = await certified(defect, seed, keys);
  const sequences = sequencesFor(id, verdicts, trace).flatMap((each) => each.slice(0, 1));
  if (sequences.length === 0) throw new Error(`${defect} gave no sequence for ${id}`);
  return sequences;
}

/** One of the failures that a defect comes to, another for each seed, and the sequences that show it. */
export async function anyOf(
  defect: string,
  seed: number,
): Promise<{ id: RequirementId; sequences: readonly Sequence[] }> {
  const { verdicts } = await certified(defect, seed);
  const failed = verdicts.filter(({ proofs }) => proofs.length > 0);
  const id = failed[seed % failed.length]?.id;
  if (!id) throw new Error(`${defect} gave no failure`);
  return { id, sequences: await found(defect, id, seed) };
}

interface Server {
  readonly defect: string | null;
  /** Of a minute, at which it starts. */
  readonly second?: number;
  /** How many reads with each key somebody else has sent. */
  readonly used?: number;
  /** Whether the budgets are known to be full. */
  readonly isFull?: boolean;
}

/** Sends sequences to servers that have just been started, until one shows its failure again. */
export async function again(
  sequences: readonly Sequence[],
  id: RequirementId,
  server: Server,
): Promise<Outcome & { readonly seconds: number }> {
  const outcomes: Outcome[] = [];
  let seconds = 0;
  for (const sequence of sequences) {
    const { took, ...outcome } = await once(sequence, id, server);
    outcomes.push(outcome);
    seconds += took;
    if (outcome.exitCode === 1) break;
  }
  return { ...conclusion(id, outcomes), seconds };
}

async function once(
  sequence: Sequence,
  id: RequirementId,
  { defect, second = 41, used = 0, isFull = true }: Server,
): Promise<Outcome & { readonly took: number }> {
  let began = 0;
  const waits: number[] = [];
  const { trace } = await virtualRun({
    profile,
    keys: 4,
    seed: 9,
    epoch: Date.UTC(2026, 10, 21, 9, 12, second) * 1000,
    conduct: conductOf(null, defect),
    others: ['key-1', 'key-2'].map((key) => ({ key, kind: 'read', requests: used, at: -1e6, every: 100 })),
    async script(session) {
      began = await replay(session, sequence, { isFull, tell: (wait) => waits.push(wait) });
    },
  });
  const took = (trace.footer?.ended ?? 0) / 1e6;
  // Whoever started it knows how long nothing will come.
  const told = waits.reduce((sum, each) => sum + each, 0) / 1e6;
  if (took > told + lengthOf(sequence) / 1e6 + 10) throw new Error(`waited ${took} s, and told of ${told} s`);
  return { ...outcomeOf(id, sequence, trace, { began, isFull }), took };
}
