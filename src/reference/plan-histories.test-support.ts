import { LIMITS } from '../catalogue/limits.ts';
import { SECOND, WINDOW } from '../deployment/deployment.ts';
import type { Exchange, Kind } from '../trace/exchange.ts';
import { OPERATIONS, VARIATIONS } from './schedules.test-support.ts';
import { type SimulatedRequest, Simulation, type SimulationOptions } from './simulate.test-support.ts';

/** The roles of budgets in the plan. Each role shows other mechanisms and defects. */
export type RoleName = 'polled' | 'silent' | 'boundary' | 'idle' | 'sparse';

type Send = (at: number, step: string, part?: Partial<SimulatedRequest>) => void;

interface Budget {
  readonly simulation: Simulation;
  readonly key: string;
  readonly kind: Kind;
  readonly limit: number;
  readonly send: Send;
  /** Sends this many requests within a few ms, each on its own connection. */
  readonly burst: (at: number, size: number, step?: string) => void;
}

const MINUTE = WINDOW;
const HIDDEN = 'hidden';

/**
 * The history of the plan for these budgets: one role for each key and kind, all beginning within a second. Like the
 * suite, it adapts: requests that depend on the reset marker use the one that was read last.
 *
 * @param hidden requests by others, before the run (`at` < 0) or during it, which are not recorded
 */
export function planHistory(
  roles: readonly { readonly key: string; readonly kind: Kind; readonly role: RoleName }[],
  options: SimulationOptions,
  hidden: readonly SimulatedRequest[] = [],
): Exchange[] {
  const simulation = new Simulation(options);
  for (const request of hidden) simulation.send({ ...request, experiment: HIDDEN });
  for (const { key, kind, role } of roles) ROLES[role](budgetOf(simulation, key, kind, role), 1000);
  return simulation.run().filter(({ experiment }) => experiment !== HIDDEN);
}

/** Four keys with one role each for reads and writes, as in a run of `certify`. */
export function fullPlan(): { readonly key: string; readonly kind: Kind; readonly role: RoleName }[] {
  const reads: readonly RoleName[] = ['polled', 'silent', 'boundary', 'idle'];
  const writes: readonly RoleName[] = ['boundary', 'polled', 'idle', 'silent'];
  return [1, 2, 3, 4].flatMap((number, index) => [
    { key: `key-${number}`, kind: 'read' as const, role: reads[index] ?? 'sparse' },
    { key: `key-${number}`, kind: 'write' as const, role: writes[index] ?? 'sparse' },
  ]);
}

function budgetOf(simulation: Simulation, key: string, kind: Kind, experiment: string): Budget {
  const shared = simulation.connection();
  const send: Send = (at, step, part = {}) => {
    simulation.send({ connection: shared, ...part, at: Math.round(at), key, kind, step, experiment });
  };
  return {
    simulation,
    key,
    kind,
    limit: LIMITS[kind],
    send,
    burst(at, size, step = 'burst') {
      for (let sent = 0; sent < size; sent++) {
        send(at + simulation.random() * 3000, step, { connection: simulation.connection() });
      }
      send(at + 2.5 * SECOND, 'settle');
    },
  };
}

const ROLES: Readonly<Record<RoleName, (budget: Budget, start: number) => void>> = {
  polled(budget, start) {
    const { simulation, kind, limit, send, burst } = budget;
    burst(start, Math.round(limit * 0.12), 'cold');
    anatomy(budget, start + 3 * SECOND);
    burst(start + 6 * SECOND, Math.round(limit * 0.3), 'pulse');
    burst(start + 27 * SECOND, Math.round(limit * 0.7), 'pulse');
    [...VARIATIONS, ...OPERATIONS[kind], ...VARIATIONS].forEach((part, index) => {
      const connection = part.variation === 'new-connection' ? { connection: simulation.connection() } : {};
      send(start + (31 + index * 0.2) * SECOND, 'evade', { ...part, ...connection });
    });
    simulation.at(start + 37 * SECOND, () => {
      const marker = markerTime(budget, start + 37 * SECOND) ?? start + MINUTE;
      const back = Math.max(start + 38 * SECOND, marker);
      poll(budget, start + 38 * SECOND, back - SECOND, 2.5 * SECOND);
      poll(budget, back - SECOND, back + SECOND, 0.1 * SECOND);
      poll(budget, back + SECOND, start + MINUTE + SECOND, 2.5 * SECOND);
      const second = Math.max(back + 1.5 * SECOND, start + MINUTE + 1.5 * SECOND);
      burst(second, limit + 10, 'second');
      poll(budget, second + 3 * SECOND, second + MINUTE + SECOND, 2.2 * SECOND);
    });
    // One request without a key and one with a bad key: neither belongs to a budget.
    simulation.send({ at: start + 4.1 * SECOND, key: null, kind, fault: 'no-key', step: 'anonymous' });
    simulation.send({
      at: start + 4.2 * SECOND,
      key: 'unknown',
      kind,
      fault: 'bad-key',
      variation: 'altered',
      step: 'anonymous',
    });
  },
  silent(budget, start) {
    budget.burst(start + 0.3 * SECOND, budget.limit + 10);
    whenKnown(budget, start + 5 * SECOND, (marker) => {
      poll(budget, marker - SECOND, marker + SECOND, 0.1 * SECOND);
      budget.send(marker + 3.9 * SECOND, 'rest');
      budget.burst(marker + 4 * SECOND, budget.limit + 10, 'second');
      whenKnown(budget, marker + 9 * SECOND, (next) => poll(budget, next - SECOND, next + SECOND, 0.1 * SECOND));
    });
  },
  boundary(budget, start) {
    budget.send(start + 0.5 * SECOND, 'marker');
    whenKnown(budget, start + SECOND, (marker) => {
      budget.burst(marker - 0.7 * SECOND, budget.limit - 1, 'before');
      budget.burst(marker + 0.3 * SECOND, budget.limit + 10, 'after');
      poll(budget, marker + 5 * SECOND, marker + 65 * SECOND, 3 * SECOND);
    });
  },
  idle({ send, burst, limit }, start) {
    burst(start + 0.7 * SECOND, Math.round(limit * 0.12), 'first');
    send(start + 75.7 * SECOND, 'again');
    burst(start + 78 * SECOND, limit + 10, 'all');
    send(start + 100 * SECOND, 'settle');
  },
  sparse({ send }, start) {
    send(start + 0.2 * SECOND, 'before');
    send(start + 50 * SECOND, 'after');
  },
};

/** One request for each class of status, each with its control. */
function anatomy({ send }: Budget, at: number): void {
  const faults = ['none', 'missing', 'none', 'parameter', 'none', 'permission', 'none', 'internal', 'none'] as const;
  faults.forEach((fault, index) => {
    send(at + index * 0.15 * SECOND, 'anatomy', { fault });
  });
}

function poll({ send, simulation }: Budget, from: number, until: number, every: number): void {
  for (let at = from; at < until; at += every * (0.8 + 0.4 * simulation.random())) send(at, 'poll');
}

function whenKnown(budget: Budget, at: number, use: (marker: number) => void): void {
  budget.simulation.at(at, () => {
    const marker = markerTime(budget, at);
    use(Math.max(at + 1.5 * SECOND, marker ?? at + MINUTE));
  });
}

/**
 * The marker that was read last, in µs of the run's clock; null if none lies within two minutes. The unit follows from
 * its size. The offset of the clocks, which the suite has to measure, is taken as known.
 */
function markerTime({ simulation, key, kind }: Budget, until: number): number | null {
  const text = simulation.answers(key, kind, until).at(-1)?.headers.reset[0] ?? '';
  if (!/^\d{7,}$/.test(text)) return null;
  const value = Number(text);
  const unit = value > 1e17 ? 0.001 : value > 1e14 ? 1 : value > 1e11 ? 1000 : SECOND;
  const time = value * unit - simulation.epoch - simulation.offset;
  return Math.abs(time - until) < 2 * MINUTE ? time : null;
}
