import { WINDOW_S } from '../catalogue/limits.ts';
import type { Clock } from '../clock/clock.ts';
import { goodTrial, type Trial } from '../plan/trials.ts';
import type { Keys, Operation, Profile } from '../profile/profile.ts';
import { clearsAtOnce, repeatable, usesUp } from '../profile/repetition.ts';
import { type Random, seededRandom } from '../random/random.ts';
import { MADE_UP_KEY, madeUpKey } from '../random/seeded-schedule.ts';
import { type Exchange, isFullKey, type Kind } from '../trace/exchange.ts';
import { leftOutText } from '../trace/left-out.ts';
import { type BudgetState, followBudgets, isAccepted } from './budget-state.ts';
import { cleanUp, isRemovedBy, type Leftover, leftoverOf } from './clean-up.ts';
import type { Credential } from './credentials.ts';
import { criticalSections } from './critical-section.ts';
import { retryAfterS } from './experiments/retry-after.ts';
import type { BurstOptions } from './http/client.ts';
import { NotSent } from './not-sent.ts';
import type { Patience } from './patience.ts';
import { type Captured, PreparationFailed, type Preparations, preparations, unpreparedText } from './preparation.ts';
import { credentialFor } from './request.ts';
import type { RequestSpec } from './request-spec.ts';
import { secretsByAlias } from './secrets.ts';
import { createSender, type Recording, type SenderOptions } from './sender.ts';
import type { Wait } from './wait.ts';

export interface SessionOptions extends SenderOptions {
  readonly keys: Keys;
  readonly seed: number;
  readonly onExchange: (exchange: Exchange) => void;
  readonly onWait?: (wait: Wait) => void;
}

/** The only way in which a run sends requests. It records every exchange. Experiments see exchanges but no secrets. */
export interface Session {
  readonly profile: Profile;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Aliases of the available keys. */
  readonly keys: { readonly full: readonly string[]; readonly restricted: boolean; readonly revoked: boolean };
  secret(alias: string): string;
  /** Every key of the run. */
  readonly secrets: readonly string[];
  /** A key that nobody has issued, as long as the first full key. */
  readonly madeUpKey: string;
  /** The header for the key of plain requests; `bearer` once `X-API-Key` was found not to be accepted. */
  way: 'x-api-key' | 'bearer';
  /** Waits for spent budgets. Null, as at first: a refusal is treated like any other answer. */
  patience: Patience | null;
  /**
   * Prepares, sends, and cleans up at once if it cannot wait, in one critical section over the things addressed. Throws
   * a `NotSent` if what the operation needs cannot be created, or if the request cannot be written.
   */
  sendOne(spec: RequestSpec): Promise<Exchange>;
  /** Like `sendOne`, but if the request cannot be sent, notes this in the trace and returns null. */
  attempt(spec: RequestSpec): Promise<Exchange | null>;
  /**
   * Sends all at once, each on its own connection by default, at a moment (µs of the run's clock) if one is given.
   * Requests that cannot be sent on one connection are noted in the trace and left out. Throws a `NotSent` as
   * `sendOne`.
   */
  sendAtOnce(specs: readonly RequestSpec[], options?: Partial<BurstOptions>): Promise<Exchange[]>;
  /** The operation that spends a budget of this kind: the best that can be sent many times at once, if any. */
  defaultOperation(kind: Kind): Operation;
  /** Whether the plain operation has succeeded: with the key in this header, if one is given. */
  hasControl(operation: Operation, way?: string): boolean;
  /** Whether the plain operation was tried with the key in this header. */
  wasTried(operation: Operation, way: string): boolean;
  /** The plain requests with a full key that were answered, and not refused for a limit, each once. */
  answered(): readonly Trial[];
  budget(key: string, kind: Kind): BudgetState;
  /** Whether every answer to plain requests with this key was 401; null: there is none yet. */
  isRefused(key: string): boolean | null;
  /** Waits until `time` (µs of the run's clock), and reports the purpose if there is one. */
  until(time: number, purpose?: Omit<Wait, 'until' | 'now'>): Promise<void>;
  random(label: string): Random;
  note: Recording['note'];
  /** Removes what the run has created, as far as the budgets allow. Returns how many things remain. */
  cleanUp(): Promise<number>;
  /** Ends the run: requests under way are aborted, and everything that waits rejects with this reason. */
  stop(reason: unknown): void;
}

/** A lost preparation is tried again, because everything about the operation depends on it. */
const PREPARATION_TRIES = 3;

export function openSession(options: SessionOptions): Session {
  const { profile, keys, clock, recording, controller } = options;
  const { signal } = controller;
  const { capture } = options.renderer;
  const secrets = secretsByAlias(keys);
  const budgets = followBudgets(clock.epoch);
  const controlled = new Set<string>();
  const tried = new Set<string>();
  const answered = new Map<string, Trial>();
  let leftovers: Leftover[] = [];
  const sections = criticalSections(
    profile,
    (): Preparations => prepared,
    (template, captured) => options.renderer.render(template, captured).target,
  );
  const prepared = preparations(profile, { prepare, thingsOf: sections.thingsOf, now: () => clock.now() });

  async function prepare(step: Operation, captured: Captured, key: string, experiment: string): Promise<Captured> {
    const spec: RequestSpec = { experiment, step: 'prepare', operation: step, key };
    for (let left = PREPARATION_TRIES; ; left -= 1) {
      const { exchange, answer } = await sender.send(spec, captured, true);
      if (exchange.status === 429 && session.patience?.extend(secondsUntilBack(exchange), exchange)) {
        await session.patience.rest();
        continue;
      }
      // A body that broke off may have contained what is to be captured.
      const lost = exchange.failure !== null || (isAccepted(exchange) && answer.detail !== null);
      try {
        if (isAccepted(exchange)) {
          leftovers.push(...leftoverOf(spec, captured, answer, capture));
          return capture(step, answer);
        }
        throw new PreparationFailed(
          unpreparedText(step.id, exchange),
          exchange.status === 429 ? clock.now() + secondsUntilBack(exchange) * 1e6 : null,
        );
      } catch (error) {
        signal.throwIfAborted();
        if (!lost || left === 1) throw error;
      }
    }
  }

  /** Seconds after which a refused request would be accepted, as the refusal says; if it does not say so, a window. */
  function secondsUntilBack({ key, kind, headers }: Exchange): number {
    const { end } = budgets.of(key ?? '', kind);
    const left = end === null ? WINDOW_S : Math.max(0, (end - clock.now()) / 1e6);
    return retryAfterS(headers) ?? left;
  }

  function secret(alias: string): string {
    const found = secrets.get(alias);
    if (found === undefined) throw new RangeError(`no key has the alias ${alias}`);
    return found;
  }

  const credentialOf = (spec: RequestSpec): Credential => credentialFor(spec, session.way, secret);
  const sender = createSender(options, credentialOf, learn);

  function learn(exchange: Exchange, spec: RequestSpec, captured: Captured): void {
    const { status, fault, operation } = exchange;
    budgets.learn(exchange);
    const mayHaveWorked = status === null || status >= 500 || isAccepted(exchange);
    if (mayHaveWorked && usesUp(spec.operation) && spec.method === undefined) {
      prepared.taken(spec.operation, sections.takenBy(spec.probe ?? spec.operation, captured));
    }
    if (isAccepted(exchange) && spec.method === undefined) {
      leftovers = leftovers.filter((each) => !isRemovedBy(each, spec, captured, sections.thingsOf));
    }
    // If it is over the limit or has no answer, it shows nothing about the operation.
    if (fault === 'none' && status !== null && status !== 429) {
      const { key, credential } = exchange;
      tried.add(`${operation} ${credential}`);
      if (key !== null && isFullKey(key) && (credential === 'x-api-key' || credential === 'bearer'))
        answered.set(`${operation} ${credential} ${key}`, goodTrial(spec.operation, credential, key));
    }
    if (isAccepted(exchange) && fault === 'none' && operation !== null) {
      controlled.add(operation);
      controlled.add(`${operation} ${exchange.credential}`);
    }
    options.onExchange(exchange);
  }

  async function remove(step: Operation, { captured, key }: Leftover, experiment: string): Promise<boolean> {
    const spec: RequestSpec = { experiment, step: 'remove', operation: step, key, fault: 'unstated' };
    return (await sender.send(spec, captured)).exchange.status !== 429;
  }

  function noteNotSent({ experiment, step, operation }: RequestSpec, error: NotSent): void {
    recording.note('experiment-failed', experiment, leftOutText(step, operation.id, error.message));
  }

  const session: Session = {
    profile,
    clock,
    signal,
    way: 'x-api-key',
    patience: null,
    keys: {
      full: [...secrets.keys()].filter(isFullKey),
      restricted: keys.restricted !== null,
      revoked: keys.revoked !== null,
    },
    secret,
    secrets: [...secrets.values()],
    madeUpKey: madeUpKey(keys.full[0]?.length ?? 0, seededRandom(options.seed, MADE_UP_KEY)),
    wasTried: ({ id }, way) => tried.has(`${id} ${way}`),
    answered: () => [...answered.values()],
    hasControl: ({ id }, way) => controlled.has(way === undefined ? id : `${id} ${way}`),
    budget: budgets.of,
    isRefused: budgets.isRefused,
    note: (code, experiment, text) => recording.note(code, experiment, text),
    stop: (reason) => controller.abort(reason),
    random: (label) => seededRandom(options.seed, label),
    async until(time, purpose) {
      if (purpose) options.onWait?.({ ...purpose, until: time, now: clock.now() });
      await clock.sleepUntil(time, signal);
      if (purpose) options.onWait?.({ ...purpose, until: null, now: clock.now() });
    },
    defaultOperation(kind) {
      const best =
        repeatable(profile.operations, kind)[0] ?? profile.operations.find((operation) => operation.kind === kind);
      if (!best) throw new RangeError(`the profile names no ${kind} operation`);
      return best;
    },
    async sendOne(spec) {
      signal.throwIfAborted();
      return sections.run([spec], false, async ([captured = {}]) => {
        const { exchange, answer } = await sender.send(spec, captured);
        const made = leftoverOf(spec, captured, answer, capture);
        if (!clearsAtOnce(spec.operation)) leftovers.push(...made);
        else await cleanUp(made, profile.operations, (step, leftover) => remove(step, leftover, spec.experiment));
        return exchange;
      });
    },
    async attempt(spec) {
      try {
        return await session.sendOne(spec);
      } catch (error) {
        if (!(error instanceof NotSent)) throw error;
        noteNotSent(spec, error);
        return null;
      }
    },
    async sendAtOnce(specs, burst = {}) {
      signal.throwIfAborted();
      return sections.run(specs, true, async (captured) => {
        const all = await sender.sendAtOnce(specs, captured, burst).catch((error) => {
          const [first] = specs;
          if (!(error instanceof NotSent) || !first || (burst.delivery ?? 'connections') === 'connections') throw error;
          noteNotSent(first, error);
          return [];
        });
        return all.map(({ exchange, answer }, index) => {
          const spec = specs[index];
          if (spec) leftovers.push(...leftoverOf(spec, captured[index] ?? {}, answer, capture));
          return exchange;
        });
      });
    },
    cleanUp: () =>
      cleanUp(leftovers.splice(0), profile.operations, (step, leftover) => remove(step, leftover, 'clean-up')),
  };
  return session;
}
