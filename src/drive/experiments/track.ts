import { LIMITS, WINDOW_S } from '../../catalogue/limits.ts';
import { burstSize, IN_TURN_S, INSISTED, type Role, WITNESSES } from '../../plan/roles.ts';
import type { Track } from '../../plan/tracks.ts';
import type { Carrier } from '../../plan/windows.ts';
import type { Operation } from '../../profile/profile.ts';
import { shuffled } from '../../random/random.ts';
import { isPollStep, type PollStep, pollLabel, pollPause } from '../../random/seeded-schedule.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { remainingOf } from '../../trace/remaining.ts';
import { leftOf } from '../budget-state.ts';
import { byApiKey, byBearer, noCredential } from '../credentials.ts';
import type { BurstOptions } from '../http/client.ts';
import { pairOf, type RequestSpec } from '../request-spec.ts';
import type { Session } from '../session.ts';
import { deal, usable } from './carriers.ts';

const SECOND = 1e6;

/** The minimum seconds of a wait that is reported. */
const TOLD_FROM_S = 1;

/** One budget under experiment: what the roles are written in. Times are µs of the run's clock. */
export interface TrackContext {
  readonly track: Track;
  readonly session: Session;
  readonly limit: number;
  readonly operation: Operation;
  /** Seconds to wait before the next poll: drawn from the seed, anew for each poll that was sent. */
  pause(step: PollStep): number;
  /** From one window to the next: another load spends the budget. */
  nextWindow(): void;
  /** µs at which the track began, or began anew. */
  started(): number;
  /** @param at when it begins anew */
  restart(at: number): void;
  now(): number;
  wait(seconds: number): Promise<void>;
  until(time: number): Promise<void>;
  one(step: string, rest?: Partial<RequestSpec>): Promise<Exchange>;
  /** As large as `burstSize` has it, by the load of the window; down one connection by the plain request. */
  burst(step: string, options?: Partial<BurstOptions>): Promise<Exchange[]>;
  /** The same requests one after the other; those at once for which that takes too long. */
  inTurn(step: string): Promise<void>;
  /** By the plain request alone. */
  plainBurst(step: string, options?: Partial<BurstOptions>): Promise<Exchange[]>;
  /** When the open window seems to end; one window after its first request if the marker does not show it. */
  end(): number;
  /** When its first request was sent. */
  opened(): number;
  /** Requests that seem to be left. */
  left(): number;
}

/** @param track whose loads name only operations of the profile */
export function openTrack(session: Session, track: Track): TrackContext {
  const operation = session.defaultOperation(track.kind);
  let window = 0;
  const limit = LIMITS[track.kind];
  const spec = (step: string, rest: Partial<RequestSpec> = {}): RequestSpec => ({
    experiment: track.id,
    step,
    operation,
    key: track.key,
    pair: pairOf(operation),
    ...rest,
  });
  const budget = session.budget(track.key, track.kind);
  const carried = (step: string, { operation: other, way }: Pick<Carrier, 'operation' | 'way'>): RequestSpec => {
    const credential = (way === 'bearer' ? byBearer : byApiKey)(session.secret(track.key));
    return spec(step, { operation: other, pair: pairOf(other), credential });
  };
  const left = (): number => leftOf(budget, track.kind);
  const plainBurst: TrackContext['plainBurst'] = (step, options) => {
    const variation = deliveryName(options?.delivery);
    return session.sendAtOnce(
      Array.from({ length: burstSize(step, track.kind, left()) }, () => spec(step, { variation })),
      options,
    );
  };
  let bursts = 0;
  /** As many as `burstSize` has, by the load of the window. */
  const carriedBy = (step: string): readonly RequestSpec[] => {
    const count = burstSize(step, track.kind, left());
    const dealt = deal(usable(session, track, window), count);
    const plain = Array.from({ length: count - dealt.length }, () => spec(step));
    bursts += 1;
    // In the order of their carriers every second one has the same credential: what goes by turns, such as nodes, would look like it.
    const random = session.random(`burst ${bursts} of ${track.id}`);
    return shuffled(random, [...dealt.map((carrier) => carried(step, carrier)), ...plain]);
  };
  /** The same with the key in the other header, where that has succeeded, and another operation of the burst. */
  const unlike = (
    { operation: early, credential }: RequestSpec,
    burst: readonly RequestSpec[],
  ): readonly RequestSpec[] => {
    const way = (credential?.name ?? session.way) === 'bearer' ? 'x-api-key' : 'bearer';
    const byOther = session.hasControl(early, way) ? [carried('insist', { operation: early, way })] : [];
    return [...byOther, ...burst.filter(({ operation: other }) => other !== early).slice(0, 1)];
  };
  let polls = 0;
  let witnesses = WITNESSES;
  let insisted = false;
  let started = session.clock.now();
  const purpose = () => ({ track: track.id, key: track.key, kind: track.kind, started });
  const until = (time: number): Promise<void> =>
    session.until(time, time - session.clock.now() > TOLD_FROM_S * SECOND ? purpose() : undefined);
  return {
    track,
    session,
    limit,
    operation,
    pause: (step) => pollPause(session.random(pollLabel(track.id, polls)), step),
    started: () => started,
    restart: (at) => {
      started = at;
    },
    now: () => session.clock.now(),
    wait: (seconds) => until(session.clock.now() + seconds * SECOND),
    until,
    nextWindow: () => {
      window += 1;
    },
    one: async (step, rest) => {
      if (isPollStep(step)) polls += 1;
      const exchange = await session.shoot(spec(step, rest));
      if (exchange.failure !== null && witnesses > 0 && operation.prepare.length === 0) {
        witnesses -= 1;
        await session.attempt(spec('witness', { key: null, credential: noCredential, fault: 'no-key' }));
      }
      return exchange;
    },
    burst: async (step, options) => {
      if (options?.delivery !== undefined && options.delivery !== 'connections') return plainBurst(step, options);
      const specs = carriedBy(step);
      const answers = await session.sendAtOnce(specs, options);
      const early = specs[answers.findLastIndex(isRefusedEarly)];
      if (early && !insisted) {
        insisted = true;
        const again = Array.from({ length: INSISTED / 2 }, () => early);
        const inTurn = [...again, ...unlike(early, specs), ...again];
        for (const each of inTurn) await session.attempt({ ...each, step: 'insist' });
      }
      return answers;
    },
    inTurn: async (step) => {
      const specs = carriedBy(step);
      const until = session.clock.now() + IN_TURN_S * SECOND;
      let sent = 0;
      while (sent < specs.length && session.clock.now() < until) {
        const each = specs[sent++];
        if (each) await session.attempt(each);
      }
      if (sent < specs.length) await session.sendAtOnce(specs.slice(sent));
    },
    plainBurst,
    end: () => budget.end ?? (budget.opened ?? started) + WINDOW_S * SECOND,
    opened: () => budget.opened ?? started,
    left,
  };
}

/** Refused, although its answer says that requests are left. */
function isRefusedEarly({ status, headers }: Exchange): boolean {
  return status === 429 && (remainingOf(headers) ?? 0) > 0;
}

/** A burst down one connection is told apart: see judge/limits on why it is reported and not judged. */
function deliveryName(delivery: BurstOptions['delivery'] = 'connections'): string | null {
  return delivery === 'connections' ? null : delivery;
}

export type RoleScript = (context: TrackContext, shared: () => Promise<void>) => Promise<void>;
export type RoleScripts = Readonly<Record<Role, RoleScript>>;
