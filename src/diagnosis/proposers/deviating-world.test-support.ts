import { wholeProfile } from '../../accuracy/virtual/draw-profile.ts';
import { drawRun } from '../../accuracy/virtual/draw-run.ts';
import { virtualRun } from '../../accuracy/virtual/virtual-run.ts';
import { type Choices, type Mechanism, SECOND } from '../../deployment/deployment.ts';
import type { Deviation, OperatorId } from '../../deployment/operators.ts';
import { type Budget, readEvidence } from '../../judge/limits/budgets.ts';
import { cutAt } from '../../judge/shown.ts';
import type { Event, History } from '../../oracle/history.ts';
import { behaviourOf } from '../../reference/behaviour.ts';
import { variantNamed } from '../../reference/variants.ts';
import type { Exchange, Kind } from '../../trace/exchange.ts';
import type { Trace } from '../../trace/trace.ts';
import { type Explained, hold } from '../explained.ts';
import type { Proposer } from '../proposal.ts';
import { inShare } from '../share.ts';
import { conformingWorld } from '../world.ts';

/** The inputs of a proposer. */
interface Run {
  readonly budgets: readonly Pick<Budget, 'history'>[];
  readonly anonymous: readonly Exchange[];
}

/**
 * A run of the whole plan with four keys and the restricted one, against a deployment with these deviations.
 *
 * @param until what was answered by then is known, in µs of the run's clock; left out: all
 */
export async function runUnder(
  deviations: readonly Deviation[],
  mechanism: Mechanism = { name: 'grid', phase: 'process' },
  until?: number,
): Promise<Run> {
  const trace = await traceUnder(deviations, mechanism);
  return readEvidence(until === undefined ? trace : cutAt(trace, until));
}

/** The same run as a trace. */
export async function traceUnder(
  deviations: readonly Deviation[],
  mechanism: Mechanism = { name: 'grid', phase: 'process' },
): Promise<Trace> {
  const { options } = variantNamed('grid-clock');
  const choices: Choices = { ...options, mechanism: { read: mechanism, write: mechanism } };
  const { trace } = await virtualRun({
    profile: wholeProfile(),
    keys: 4,
    conduct: (times) => behaviourOf({ choices, deviations }, times),
    seed: 11,
    epoch: Date.UTC(2026, 10, 21, 8, 30, 17) * 1000,
  });
  return trace;
}

/** The run of a random draw with one deviation. */
export async function runOfDraw(operator: OperatorId, seed: number): Promise<Run> {
  const { trace } = await virtualRun(drawRun('one deviation', seed, operator).options);
  return readEvidence(trace);
}

/** Enough work for any proposer to finish, in events. */
const MOST_WORK = 20_000_000;

/** The proposals of a proposer that explain all budgets of a kind, cheapest first. */
export function foundBy(proposer: Proposer, kind: Kind, { budgets, anonymous }: Run): readonly Explained[] {
  const histories = budgets.map(({ history }) => history).filter(({ events }) => events.length > 0);
  const world = conformingWorld(histories.filter((history) => history.kind === kind));
  const otherKind = histories.filter((history) => history.kind !== kind);
  const question = { kind, otherKind, anonymous, likely: world.shapes, background: null };
  const found: Explained[] = [];
  inShare(MOST_WORK, question, (own) => {
    for (const proposal of proposer(world, own)) found.push(...[hold(proposal, own) ?? []].flat());
  });
  return found.sort((one, other) => one.bits - other.bits);
}

const GET_SERVICE: Partial<Exchange> = {
  ...{ kind: 'read', method: 'GET', operation: 'get-service', group: 'service', credential: 'x-api-key' },
};

/**
 * Reads of a key at two nodes with other clocks and one store: so many are let through in the first window, then one in
 * the next one, and after it a request is refused by the node whose first window has not ended.
 */
export function twoClocks(first: number): History {
  const read = (seq: number, at: number, outcome: Event['outcome'], remaining: number | null, end: number): Event => ({
    exchange: { ...GET_SERVICE, seq } as Exchange,
    ...{ from: at * SECOND, to: at * SECOND + 1000, outcome, group: '' },
    ...{ remaining, reset: remaining === null ? null : end * SECOND },
  });
  const passed = Array.from({ length: first }, (_, at) =>
    read(at, at / 10, at < 100 ? 'accepted' : 'unclear', at < 100 ? 99 - at : null, 60),
  );
  const open = Array.from({ length: Math.max(0, 100 - first) }, (_, at) => read(first + at, 20, 'unclear', null, 60));
  return {
    ...{ key: 'key-1', kind: 'read', limit: 100, shown: 100, unit: SECOND, until: Number.POSITIVE_INFINITY },
    ...{ offset: { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY } },
    events: [
      ...[...passed, ...open, read(103, 21, 'refused', 0, 60), read(104, 22, 'refused', 0, 60)],
      ...[read(105, 55, 'accepted', 99, 120), read(106, 56, 'refused', 0, 60)],
    ],
  };
}
