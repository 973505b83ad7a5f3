import type { LateCounting } from '../../deployment/deviations/late-counting.ts';
import type { LostUpdates } from '../../deployment/deviations/lost-updates.ts';
import { type NodesApart, shareOfNode, toldOfShare } from '../../deployment/deviations/nodes-apart.ts';
import type { Random } from '../../random/random.ts';
import { balancer } from './balancer.ts';
import type { AnyLimiter, Decision } from './limiter.ts';
import { Budgets, limiterOf, type Mechanics, type Rules } from './mechanics.ts';

/**
 * Limiters that decide correctly one request at a time and wrongly for simultaneous requests, whatever their mechanism.
 */

/**
 * Reads a budget's state, and some time later writes the result of what it read. What other requests wrote in between
 * is lost.
 */
export function lostUpdatesLimiter<State>(
  mechanics: Mechanics<State>,
  { gap, when }: LostUpdates,
  rules: Rules,
): AnyLimiter {
  const budgets = new Budgets(mechanics, rules);
  return {
    ...limiterParts(budgets),
    decide(budget, limit, now, { weight = 1 } = {}) {
      const known = budgets.states.get(budget);
      const read = budgets.view(budget, limit, now);
      if (when === 'window is made' && read === known) return budgets.take(read, limit, now, weight);
      const copy = mechanics.copy(read);
      return {
        wait: gap,
        resume(later) {
          const state = mechanics.at(copy, budget, limit, later);
          const decision = budgets.take(state, limit, later, weight);
          if (decision.accepted) budgets.states.set(budget, state);
          return decision;
        },
      };
    },
  };
}

/** Decides by a count that is `lag` µs old: requests that were accepted since then are not in it. */
export function lateCountingLimiter<State>(
  mechanics: Mechanics<State>,
  { lag, answered }: LateCounting,
  rules: Rules,
): AnyLimiter {
  const budgets = new Budgets(mechanics, rules);
  const waiting = new Map<string, { due: number; readonly weight: number }[]>();
  const settle = (budget: string, limit: number, now: number): State => {
    const list = waiting.get(budget) ?? [];
    for (let next = list[0]; next && next.due <= now; next = list[0]) {
      list.shift();
      budgets.apply(budgets.enter(budget, limit, next.due), limit, next.due, true, next.weight);
    }
    return budgets.enter(budget, limit, now);
  };
  return {
    ...limiterParts(budgets),
    decide(budget, limit, now, { weight = 1 } = {}) {
      const state = settle(budget, limit, now);
      const accepted = budgets.accepts(state, limit, now);
      const decision = budgets.decision(state, limit, now, accepted);
      if (!accepted) {
        budgets.apply(state, limit, now, false);
        return decision;
      }
      const list = waiting.get(budget) ?? [];
      waiting.set(budget, list);
      const own = { due: now + lag, weight };
      list.push(own);
      if (answered === 'when decided') return { ...decision, remaining: Math.max(0, decision.remaining - weight) };
      return {
        wait: lag,
        resume(later) {
          // The request is counted now, even if a clock of whole seconds says that less time has passed.
          own.due = Math.min(own.due, later);
          return budgets.decision(settle(budget, limit, later), limit, later, true);
        },
      };
    },
    peek(budget, limit, now) {
      settle(budget, limit, now);
      return budgets.peek(budget, limit, now);
    },
  };
}

/** Several nodes that count separately, and exchange their counts at intervals or never. */
export function nodesApartLimiter<State>(
  mechanics: Mechanics<State>,
  { nodes, sync, routing, split }: NodesApart,
  rules: Rules,
  random: Random,
): AnyLimiter {
  const nodeOf = balancer(routing, nodes, random);
  if (sync === null) {
    const apart = Array.from({ length: nodes }, () => limiterOf(mechanics, rules));
    const [first = limiterOf(mechanics, rules)] = apart;
    const at = (node: number) => apart[node] ?? first;
    const shareOf = (limit: number): number => (split ? shareOfNode(limit, nodes, split) : limit);
    const told = (own: Decision, limit: number, node: number): Decision => {
      if (!split || !own.accepted) return { ...own, limit, node };
      return { ...own, limit, remaining: toldOfShare(own.remaining, limit, nodes, split), node };
    };
    return {
      decide(budget, limit, now, request = {}) {
        const node = nodeOf(request.connection ?? 0);
        return told(at(node).decide(budget, shareOf(limit), now, request), limit, node);
      },
      peek(budget, limit, now, node = nodeOf(0)) {
        return told(at(node).peek(budget, shareOf(limit), now), limit, node);
      },
      refund: (budget, decision, now) => at(decision.node ?? 0).refund(budget, decision, now),
      clear() {
        for (const node of apart) node.clear?.();
      },
    };
  }
  const shared = new Budgets(mechanics, rules);
  /** What each node has counted since the last exchange. */
  const own = new Map<string, { node: number; time: number; weight: number; decision: Decision }[]>();
  let period = 0;
  const meet = (now: number, limit: number): void => {
    if (Math.floor(now / sync) === period) return;
    period = Math.floor(now / sync);
    for (const [budget, list] of own) {
      for (const { time, weight } of list) shared.apply(shared.enter(budget, limit, time), limit, time, true, weight);
    }
    own.clear();
  };
  const seenBy = (node: number, budget: string, limit: number, now: number): State => {
    const known = shared.states.get(budget);
    let state = known && mechanics.copy(known);
    for (const each of own.get(budget) ?? []) {
      if (each.node !== node) continue;
      state = mechanics.at(state, budget, limit, each.time);
      shared.apply(state, limit, each.time, true, each.weight);
    }
    return mechanics.at(state, budget, limit, now);
  };
  return {
    ...limiterParts(shared),
    peek(budget, limit, now, node = nodeOf(0)) {
      meet(now, limit);
      const state = seenBy(node, budget, limit, now);
      return { ...shared.decision(state, limit, now, shared.accepts(state, limit, now)), node };
    },
    decide(budget, limit, now, { weight = 1, connection = 0 } = {}) {
      meet(now, limit);
      const node = nodeOf(connection);
      const decision = { ...shared.take(seenBy(node, budget, limit, now), limit, now, weight), node };
      if (decision.accepted) own.set(budget, [...(own.get(budget) ?? []), { node, time: now, weight, decision }]);
      return decision;
    },
    refund(budget, decision, now) {
      const list = own.get(budget) ?? [];
      const rest = list.filter((each) => each.decision !== decision);
      if (rest.length < list.length) own.set(budget, rest);
      else shared.refund(budget, decision, now);
    },
  };
}

function limiterParts<State>(budgets: Budgets<State>): Pick<AnyLimiter, 'peek' | 'refund' | 'clear'> {
  return {
    peek: (budget, limit, now) => budgets.peek(budget, limit, now),
    refund: (budget, decision, now) => budgets.refund(budget, decision, now),
    clear: () => budgets.states.clear(),
  };
}
