import { WINDOW } from '../../deployment/deployment.ts';
import type { ClocksApart } from '../../deployment/deviations/clocks-apart.ts';
import type { Random } from '../../random/random.ts';
import { balancer } from './balancer.ts';
import { gridWindows, type WindowOptions } from './fixed-window.ts';
import type { Limiter } from './limiter.ts';
import { limiterOf, type Rules } from './mechanics.ts';
import { type Phase, startOnGrid } from './phase.ts';

/** How the windows of a grid are laid, and counted. */
interface Windows {
  readonly phase: Phase;
  readonly options: WindowOptions;
  readonly rules: Rules;
}

/**
 * Two nodes that share the counters of windows on a grid. Each counter has the number of its window in its name, by the
 * clock of the node, and the clock of the second node is ahead.
 */
export function earlyNodesLimiter(
  { phase, options, rules }: Windows,
  { ahead, routing }: ClocksApart,
  random: Random,
): Limiter {
  const phases = new Map<string, number>();
  const counters = limiterOf(
    gridWindows((name) => phases.get(name.slice(0, name.lastIndexOf(' '))) ?? 0, options),
    rules,
  );
  const nodeOf = balancer(routing, 2, random);
  const clockOf = (node: number, now: number): number => now + node * ahead;
  const named = (budget: string, start: number): string => `${budget} ${start}`;
  const nameAt = (budget: string, time: number): string => {
    const start = phases.get(budget) ?? phase(budget, time);
    phases.set(budget, start);
    return named(budget, startOnGrid(start, WINDOW, time));
  };
  return {
    decide(budget, limit, now, request = {}) {
      const node = nodeOf(request.connection ?? 0);
      const time = clockOf(node, now);
      return { ...counters.decide(nameAt(budget, time), limit, time, request), node };
    },
    peek(budget, limit, now, node = 0) {
      const time = clockOf(node, now);
      return { ...counters.peek(nameAt(budget, time), limit, time), node };
    },
    refund: (budget, decision, now) =>
      counters.refund(named(budget, decision.stamp), decision, clockOf(decision.node ?? 0, now)),
  };
}
