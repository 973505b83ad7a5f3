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

/** Only waits of at least this many seconds are reported. */
const TOLD_FROM_S = 1;

/** One budget under test, as the roles use it. Times are µs of the run's clock. */
export interface TrackContext {
  readonly track: Track;
  readonly session: Session;
  readonly limit: number;
  readonly operation: Operation;
  /** Says that the key is accepted, or that its first requests leave this open: the other tracks begin. */
  admitted(): void;
  /** Seconds to wait before the next poll. The seed decides, anew for each poll that was sent. */
  pause(step: PollStep): number;
  /** Goes on to the next window, which another load spends. */
  nextWindow(): void;
  /** µs at which the track began or began again. */
  started(): number;
  /** @param at when it begins again */
  restart(at: number): void;
  now(): number;
  wait(seconds: number): Promise<void>;
  until(time: number): Promise<void>;
  one(step: string, rest?: Partial<RequestSpec>): Promise<Exchange>;
  /** A burst of the size `burstSize`, with the load of the window. On one connection, it consists of plain requests. */
  burst(step: string, options?: Partial<BurstOptions>): Promise<Exchange[]>;
  /** The same requests one after the other. Those that would take too long are sent at once. */
  inTurn(step: string): Promise<void>;
  /** A burst of plain requests only. */
  plainBurst(step: string, options?: Partial<BurstOptions>): Promise<Exchange[]>;
  /** The expected end of the open window; if the marker does not show it, one window after its first request. */
  end(): number;
  /** When the first request of the open window was sent. */
  opened(): number;
  /** Requests that are probably left. */
  left(): number;
}

/**
 * @param track its loads may name only operations of the profile
 * @param admitted called when the first requests have shown that the key is accepted, or that this remains open
 */
export function openTrack(session: Session, track: Track, admitted: () => void = () => {}): TrackContext {
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
  /** As many requests as `burstSize` says, with the load of the window. */
  const carriedBy = (step: string): readonly RequestSpec[] => {
    const count = burstSize(step, track.kind, left());
    const dealt = deal(usable(session, track, window), count);
    const plain = Array.from({ length: count - dealt.length }, () => spec(step));
    bursts += 1;
    // In the order of the carriers, every second request has the same credential. That would look like a target that
    // alternates, for example between nodes.
    const random = session.random(`burst ${bursts} of ${track.id}`);
    return shuffled(random, [...dealt.map((carrier) => carried(step, carrier)), ...plain]);
  };
  /**
   * The same request with the key in the other header, if that has succeeded, and with another operation of the burst.
   */
  const unlike = (
    { operation: early, credential }: RequestSpec,
    burst: readonly RequestSpec[],
  ): readonly RequestSpec[] => {
    const way = (credential?.name ?? session.way) === 'bearer' ? 'x-api-key' : 'bearer';
    const byOther = session.hasControl(early, way) ? [carried('insist', { operation: early, way })] : [];
    return [...byOther, ...burst.filter(({ operation: other }) => other !== early).slice(0, 1)];
  };
  let insisted = false;
  /** Once in a track, asks again for what was refused early. */
  const insist = async (specs: readonly RequestSpec[], answers: readonly (Exchange | null)[]): Promise<void> => {
    const early = specs[answers.findLastIndex((answer) => answer !== null && isRefusedEarly(answer))];
    if (!early || insisted) return;
    insisted = true;
    const again = Array.from({ length: INSISTED / 2 }, () => early);
    for (const each of [...again, ...unlike(early, specs), ...again])
      await session.attempt({ ...each, step: 'insist' });
  };
  let polls = 0;
  let witnesses = WITNESSES;
  let started = session.clock.now();
  const purpose = () => ({
    ...{ track: track.id, key: track.key, kind: track.kind, started },
    // Only a track that begins again waits for its own beginning.
    why: started > session.clock.now() ? ('in use' as const) : ('planned' as const),
  });
  const until = (time: number): Promise<void> =>
    session.until(time, time - session.clock.now() > TOLD_FROM_S * SECOND ? purpose() : undefined);
  return {
    track,
    session,
    limit,
    operation,
    admitted,
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
      const exchange = await session.sendOne(spec(step, rest));
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
      await insist(specs, answers);
      return answers;
    },
    inTurn: async (step) => {
      const specs = carriedBy(step);
      const until = session.clock.now() + IN_TURN_S * SECOND;
      const answers: (Exchange | null)[] = [];
      for (const each of specs) {
        if (session.clock.now() >= until) break;
        answers.push(await session.attempt(each));
      }
      if (answers.length < specs.length) answers.push(...(await session.sendAtOnce(specs.slice(answers.length))));
      await insist(specs, answers);
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

/** Bursts on one connection get a name of their own: see judge/limits on why they are reported and not judged. */
function deliveryName(delivery: BurstOptions['delivery'] = 'connections'): string | null {
  return delivery === 'connections' ? null : delivery;
}

export type RoleScript = (context: TrackContext, shared: () => Promise<void>) => Promise<void>;
export type RoleScripts = Readonly<Record<Role, RoleScript>>;
