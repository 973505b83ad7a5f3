import type { RequirementId } from '../catalogue/requirement.ts';
import { Fitter } from '../diagnosis/fitter.ts';
import { conformingWorld, type World } from '../diagnosis/world.ts';
import { judge } from '../judge/conclude.ts';
import { condense } from '../judge/condense.ts';
import { NOT_OF_LIMITS } from '../judge/judgement.ts';
import { readEvidence } from '../judge/limits/budgets.ts';
import { judgeLimits } from '../judge/limits/judge-limits.ts';
import { isUnstatedEvasion, sentWhileSpent } from '../judge/limits/unstated-evasion.ts';
import { isOfLimits } from '../judge/shown.ts';
import type { Verdict } from '../judge/verdict.ts';
import { ALL_LAYERS, type Layers } from '../oracle/check.ts';
import { shape } from '../oracle/shapes.ts';
import { unlessSpent, Work } from '../oracle/work.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import { isOfOneWindow } from './marked-windows.ts';

/** A run, and what tells whether some of its answers show a failure by themselves. */
export interface Recorded {
  readonly trace: Trace;
  readonly shown: (exchanges: readonly Exchange[]) => boolean;
}

/** The maximum number of events to check against models: a sequence has a few hundred. */
const MOST_WORK = 3_000_000;

/**
 * Whether these answers show by themselves that a requirement is broken. For limits, a replay knows what the judge of a
 * run does not: that nobody else used the keys, and that their budgets were full. So a single window shows that no
 * conforming deployment gives these answers.
 */
export function shows(id: RequirementId, exchanges: readonly Exchange[], trace: Trace): boolean {
  const isRefusedRightly = id === 'STATUS-429' && exchanges.some(({ status }) => status === 429);
  if (isOfLimits(id) && !isRefusedRightly && isRefuted(exchanges, trace, ALL_LAYERS)) return true;
  if (id === 'LIMIT-EVADE' && exchanges.some((each) => getsAround(each, exchanges))) return true;
  return verdictOn(id, exchanges, trace, false)?.verdict === 'fail';
}

/**
 * Whether these answers show that a requirement on limits is broken by what was let through and refused in a window,
 * whatever limit their headers say and how much they say is left. These may show it after fewer requests, but they can
 * be mended without the limit.
 */
export function showsByDecisions(id: RequirementId, exchanges: readonly Exchange[], trace: Trace): boolean {
  if (id === 'LIMIT-EVADE' && exchanges.some((each) => getsAround(each, exchanges))) return true;
  return isRefuted(exchanges, trace, WITHIN_MARKED_WINDOWS);
}

/**
 * The judge's verdict on some of the exchanges of a trace, as if they were all.
 *
 * @param named whether to search for the deviation if no conforming deployment explains the answers: this takes seconds
 */
export function verdictOn(
  id: RequirementId,
  exchanges: readonly Exchange[],
  trace: Trace,
  named: boolean,
): Verdict | undefined {
  const profile = { ...trace.header.profile, waivers: [] };
  const header = { ...trace.header, profile, command: 'replay', selection: [id], experiments: [] };
  const some = condense({ ...trace, header, exchanges, unanswered: [], notes: [] });
  const limits = (all: Trace) => (isOfLimits(id) ? judgeLimits(all, { named }) : NOT_OF_LIMITS);
  return judge(some, limits).verdicts.find((each) => each.id === id);
}

/**
 * Whether no conforming deployment gives these answers to requests on budgets that were full before the first of them.
 *
 * @param layers what of the answers is believed
 */
function isRefuted(exchanges: readonly Exchange[], trace: Trace, layers: Layers): boolean {
  const { budgets } = readEvidence({ ...trace, exchanges, unanswered: [] });
  const histories = budgets.map(({ history }) => history).filter(({ events }) => events.length > 0);
  const oneWindow = isOfOneWindow(exchanges, trace.header.epoch);
  return (['read', 'write'] as const).some((kind) => {
    const world = { ...conformingWorld(histories.filter((history) => history.kind === kind)), layers };
    if (world.histories.length === 0) return false;
    // Within one window nothing is given back, so all conforming mechanisms count like the simplest one.
    const simplest = { ...world, shapes: [IN_ONE_WINDOW], layers: { ...layers, reset: false } };
    return (oneWindow && !fits(simplest)) || !fits(world);
  });
}

/** Whether a request that was written differently was accepted between two that were refused. */
function getsAround(exchange: Exchange, exchanges: readonly Exchange[]): boolean {
  return exchange.status === 200 && isUnstatedEvasion(exchange) && sentWhileSpent(exchange, exchanges);
}

/** What was decided, and in which window: without markers, any requests may lie around the end of one. */
const WITHIN_MARKED_WINDOWS: Layers = { remaining: false, reset: true };

const IN_ONE_WINDOW = shape('log', 0);

function fits(world: World): boolean {
  return unlessSpent(() => new Fitter(new Work(MOST_WORK)).fit(world) !== null, true);
}
