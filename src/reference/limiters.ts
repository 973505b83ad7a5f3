import { LIMITS } from '../catalogue/limits.ts';
import { type Deployment, type Mechanism, SECOND, WINDOW } from '../deployment/deployment.ts';
import { isWithin, type OtherLimit } from '../deployment/deviations/other-limit.ts';
import type { OtherMechanism } from '../deployment/deviations/other-mechanism.ts';
import type { WindowLength } from '../deployment/deviations/window-length.ts';
import type { OperatorId, ParametersOf } from '../deployment/operators.ts';
import { seededRandom } from '../random/random.ts';
import type { Kind } from '../trace/exchange.ts';
import type { Times } from './behaviour.ts';
import { bucket, queueLimiter } from './mechanisms/buckets.ts';
import { earlyNodesLimiter } from './mechanisms/early-nodes.ts';
import { evicting } from './mechanisms/evicting.ts';
import {
  anchoredWindows,
  gridWindows,
  opensTogether,
  sweptWindows,
  type WindowOptions,
} from './mechanisms/fixed-window.ts';
import { type AnyLimiter, keyOf, routed } from './mechanisms/limiter.ts';
import { limiterOf, type Mechanics, type Rules } from './mechanisms/mechanics.ts';
import { type Phase, phaseOf } from './mechanisms/phase.ts';
import { lateCountingLimiter, lostUpdatesLimiter, nodesApartLimiter } from './mechanisms/racing.ts';
import { slidingCounter } from './mechanisms/sliding-counter.ts';
import { slidingLog } from './mechanisms/sliding-log.ts';

/** High enough for any run: no limit. */
const UNLIMITED = 1e9;

/** How often a store removes the windows that have ended, in µs. */
const SWEEP = 45 * SECOND;

/**
 * The limiters of a deployment, one for each kind: its mechanism, with its deviations in windows, limits and
 * concurrency.
 */
export function limitersOf(deployment: Deployment, times: Times): Readonly<Record<Kind, AnyLimiter>> {
  const opens = {
    'any of the key': opensTogether(keyOf),
    any: opensTogether(() => ''),
  };
  const own = { ...times, opens };
  const stores = deployment.deviations.flatMap(({ operator, parameters }) =>
    operator === 'counters-lost' && parameters.kept !== undefined
      ? storesOf(parameters.kinds, parameters.kept, parameters.store)
      : [],
  );
  const kept = (kind: Kind): AnyLimiter =>
    stores.reduce(
      (limiter, { kinds, keepIn }) => (kinds.includes(kind) ? keepIn(limiter) : limiter),
      limiterByKey(kind, deployment, own),
    );
  return { read: kept('read'), write: kept('write') };
}

/** Stores that keep so many counters, and the kinds of each. */
function storesOf(
  kinds: readonly Kind[],
  kept: number,
  store: ParametersOf['counters-lost']['store'],
): readonly { readonly kinds: readonly Kind[]; keepIn(limiter: AnyLimiter): AnyLimiter }[] {
  if (store === 'of keys') return [{ kinds, keepIn: evicting(kept, keyOf) }];
  return (store ? [kinds] : kinds.map((kind) => [kind])).map((own) => ({ kinds: own, keepIn: evicting(kept) }));
}

/** Times, and what begins windows that several budgets have together. */
interface Shared extends Times {
  readonly opens: Readonly<Record<NonNullable<Extract<Mechanism, { readonly name: 'anchored' }>['opens']>, Phase>>;
}

/** The limiter of a kind. Keys for which other deviations hold have one of their own. */
function limiterByKey(kind: Kind, deployment: Deployment, times: Shared): AnyLimiter {
  const { deviations } = deployment;
  if (deviations.every(({ keys }) => keys === undefined)) return limiterFor(kind, deployment, times);
  const limiters = new Map<string, AnyLimiter>();
  return routed((budget) => {
    const own = deviations.filter(({ keys }) => keys?.includes(keyOf(budget)) ?? true);
    const name = own.map((each) => deviations.indexOf(each)).join();
    const limiter = limiters.get(name) ?? limiterFor(kind, { ...deployment, deviations: own }, times);
    limiters.set(name, limiter);
    return [limiter, budget];
  });
}

/** Whether a window of a budget has another length. @param ordinal 1: the first one */
function hasLength({ from }: WindowLength, ordinal: number): boolean {
  if (from === 'some windows') return ordinal % 2 === 0;
  return from === 'always' || ordinal > 1;
}

function limiterFor(kind: Kind, { choices, deviations }: Deployment, { started, run, opens }: Shared): AnyLimiter {
  const all = <Id extends OperatorId>(id: Id): readonly ParametersOf[Id][] =>
    deviations.flatMap(({ operator, parameters }) => {
      const kinds = 'kinds' in parameters ? parameters.kinds : 'kind' in parameters ? [parameters.kind] : [kind];
      return operator === id && kinds.includes(kind) ? [parameters as ParametersOf[Id]] : [];
    });
  const [length] = all('window-length');
  const [other] = all('other-mechanism');
  const [lost] = all('lost-updates');
  const [late] = all('late-counting');
  const [apart] = all('nodes-apart');
  const [early] = all('clocks-apart');
  const carried = all('carried-over');
  const most = (carries: 'unused' | 'refusals'): number =>
    Math.max(0, ...carried.map((each) => (each.what === carries ? (each.most ?? Number.POSITIVE_INFINITY) : 0)));
  const rules: Rules = {
    enforced: enforcedBy(all('other-limit'), kind, run),
    lateExpiry: carried.some(({ what }) => what === 'old count'),
  };
  const givesBack = all('class-weight').some(({ attribute, weight }) => attribute === 'status' && weight < 0);
  const windows: WindowOptions = {
    countRefused: choices.countRefused && !givesBack,
    length: (ordinal) => (length && hasLength(length, ordinal) ? (length.length ?? Number.POSITIVE_INFINITY) : WINDOW),
    ...(length && length.from !== 'some windows' ? { told: length.told } : {}),
    moved: all('moved-end'),
    carriedUnused: most('unused'),
    carriedRefusals: most('refusals'),
    carriedShare: carried.find(({ what }) => what === 'share')?.share ?? 0,
    firstFree: Math.max(0, ...all('free-first-request').map(({ many = 1 }) => many)),
    ...(other?.every !== undefined && { leaks: other.every }),
  };
  const race = <State>(mechanics: Mechanics<State>): AnyLimiter => {
    if (lost) return lostUpdatesLimiter(mechanics, lost, rules);
    if (late) return lateCountingLimiter(mechanics, late, rules);
    if (apart) return nodesApartLimiter(mechanics, apart, rules, seededRandom(started >>> 0, kind));
    return limiterOf(mechanics, rules);
  };
  const conforming = (): AnyLimiter => {
    const mechanism = choices.mechanism[kind];
    if (early) {
      const phase = phaseOf(mechanism.name === 'grid' ? mechanism.phase : 'clock', started);
      return earlyNodesLimiter({ phase, options: windows, rules }, early, seededRandom(started >>> 0, kind));
    }
    const window = length?.length ?? WINDOW;
    switch (mechanism.name) {
      case 'grid':
        return race(gridWindows(phaseOf(mechanism.phase, started), windows));
      case 'anchored':
        return race(
          anchoredWindows({
            ...{ ...windows, wholeSecond: mechanism.wholeSecond },
            ...(mechanism.opens && { opens: opens[mechanism.opens] }),
          }),
        );
      case 'swept':
        return race(sweptWindows(SWEEP, windows));
      case 'log':
        return race(slidingLog({ ...mechanism, logRefused: mechanism.logRefused && !givesBack, window }));
      case 'counter':
        return race(
          slidingCounter({
            ...mechanism,
            // What is remembered of a refusal would hide what it gives back.
            ...(givesBack ? { latch: false, countRefused: false } : {}),
            ...{ window, phase: phaseOf(mechanism.phase, started) },
          }),
        );
    }
  };
  const instead = (mechanism: OtherMechanism): AnyLimiter => {
    if (mechanism.every !== undefined) return conforming();
    if (mechanism.name === 'queue') return queueLimiter(mechanism);
    return race(bucket(mechanism));
  };
  const limiter = other ? instead(other) : conforming();
  const [gone] = all('counters-lost');
  if (gone?.at === undefined) return limiter;
  const { at, again = 0 } = gone;
  const times = Array.from({ length: again + 1 }, (_, index) => run + at + index * BETWEEN_LOSSES);
  return times.reduce(forgetting, limiter);
}

/** @param run when the run began, in µs of the server's clock */
function enforcedBy(limits: readonly OtherLimit[], kind: Kind, run: number): NonNullable<Rules['enforced']> {
  return (stated, ordinal, now) => {
    const applies = ({ from }: OtherLimit): boolean => {
      if (typeof from === 'object') return isWithin(from, now - run);
      return from === 'always' || (from === 'first window') === (ordinal === 1);
    };
    const other = limits.find(applies);
    return other && stated === LIMITS[kind] ? (other.limit ?? UNLIMITED) : stated;
  };
}

/** Counters that are lost again and again are lost so often, in µs: more than once in a window. */
const BETWEEN_LOSSES = 23 * SECOND;

/** A limiter that forgets everything once, at this time of the server's clock. */
function forgetting(limiter: AnyLimiter, at: number): AnyLimiter {
  let done = false;
  const { decide, peek } = routed((budget, now) => {
    if (!done && now >= at) limiter.clear?.();
    done ||= now >= at;
    return [limiter, budget];
  });
  // What was counted before is given back to what is forgotten.
  return { ...limiter, decide, peek };
}
