import { LIMITS, WINDOW_S } from '../../catalogue/limits.ts';
import {
  burstSize,
  DENSE_FROM_S,
  DENSE_TO_S,
  INSISTED,
  LATE_S,
  type Role,
  SECOND_BURST_AFTER_S,
  WATCHED_S,
  WITNESSES,
} from '../../plan/roles.ts';
import type { Track } from '../../plan/tracks.ts';
import type { Carrier } from '../../plan/windows.ts';
import type { Operation } from '../../profile/profile.ts';
import { isPollStep, type PollStep, pollLabel, pollPause } from '../../random/seeded-schedule.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { remainingOf } from '../../trace/remaining.ts';
import { isAccepted, leftOf } from '../budget-state.ts';
import { byApiKey, byBearer, noCredential } from '../credentials.ts';
import type { BurstOptions } from '../http/client.ts';
import { pairOf, type RequestSpec } from '../request-spec.ts';
import type { Session } from '../session.ts';
import { deal, usable } from './carriers.ts';

const SECOND = 1e6;

/** Seconds that a wait must last for anybody to be told of it. */
const TOLD_FROM_S = 1;

/** Seconds past the expected end after which a budget that is not back is given up: a fault, and the judge's to name. */
const GIVE_UP_AFTER_S = 5;

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
  /** By the plain request alone. */
  plainBurst(step: string, options?: Partial<BurstOptions>): Promise<Exchange[]>;
  /** Where the window that is open now seems to end; a window after its first request where the marker does not tell. */
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
      const count = burstSize(step, track.kind, left());
      const dealt = deal(usable(session, track, window), count);
      const plain = Array.from({ length: count - dealt.length }, () => spec(step));
      const specs = [...dealt.map((carrier) => carried(step, carrier)), ...plain];
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
    plainBurst,
    end: () => budget.end ?? (budget.opened ?? started) + WINDOW_S * SECOND,
    opened: () => budget.opened ?? started,
    left,
  };
}

/**
 * How a spent budget is waited for: in silence; with a request now and then, until one is accepted; or with requests up to the expected
 * end whether they are accepted or not, since a sliding counter gives slots back one by one, and shows its window only
 * over the whole of it; or in silence until well past the end, so that a limiter that forgets only when asked has to show it.
 */
export type Watch = 'silent' | 'polling' | 'watching' | 'late';

/**
 * Waits for a spent budget to come back, and looks densely where it should: at the marker, and a window after its first request (a
 * sliding log's marker may say something else). The return then lies between a refusal and an acceptance that are close
 * together. Gives whether it came back in time.
 */
export async function awaitReturn(context: TrackContext, watch: Watch): Promise<boolean> {
  const now = context.now();
  const ends = [context.end(), context.opened() + WINDOW_S * SECOND];
  // A marker may name the next free slot, so that what is watched is a whole window from now.
  if (watch === 'watching') ends.push(now + WINDOW_S * SECOND);
  const due = ends.filter((time) => time > now).sort((a, b) => a - b);
  const last = due.at(-1) ?? now;
  if (watch === 'late') {
    await context.until(last + LATE_S * SECOND);
    if (isAccepted(await context.one('look'))) return true;
    return pollUntil(context, last + (LATE_S + GIVE_UP_AFTER_S) * SECOND, 'poll-late');
  }
  const latest = watch === 'watching' ? context.started() + WATCHED_S * SECOND : Number.POSITIVE_INFINITY;
  for (const time of due) {
    const dense = time - DENSE_FROM_S * SECOND;
    if (dense > latest) {
      while (await pollUntil(context, latest, 'poll'));
      return true;
    }
    if (watch === 'polling' && (await pollUntil(context, dense, 'poll'))) return true;
    while (watch === 'watching' && (await pollUntil(context, dense, 'poll')));
    await context.until(dense);
    const back = await pollUntil(context, time + DENSE_TO_S * SECOND, 'poll-dense');
    const slotOnly = watch === 'watching' && time !== last && context.left() < context.limit / 2;
    if (back && !slotOnly) return true;
  }
  return pollUntil(context, last + GIVE_UP_AFTER_S * SECOND, 'poll-late');
}

/** Sends a request now and then, as the step says, until one is accepted (true) or `time` has come (false). */
async function pollUntil(context: TrackContext, time: number, step: PollStep): Promise<boolean> {
  for (;;) {
    const next = context.now() + context.pause(step) * SECOND;
    if (next > time) return false;
    await context.until(next);
    if (isAccepted(await context.one(step))) return true;
  }
}

/** Refused, though its answer says that some are left. */
function isRefusedEarly({ status, headers }: Exchange): boolean {
  return status === 429 && (remainingOf(headers) ?? 0) > 0;
}

/** A burst down one connection is told apart: see judge/limits on why it is reported and not judged. */
function deliveryName(delivery: BurstOptions['delivery'] = 'connections'): string | null {
  return delivery === 'connections' ? null : delivery;
}

/** The first request on a budget that is alone: what it says is exact, whenever a limiter reads Remaining. */
export function settle(context: TrackContext, step: 'settle' | 'back' | 'end' = 'settle'): Promise<Exchange> {
  return context.one(step);
}

/**
 * A request alone right before a burst: what is missing then was taken by others who use the key, and what is missing after the
 * burst by how it was counted. Without it the two look alike.
 */
export function rest(context: TrackContext): Promise<Exchange> {
  return context.one('rest');
}

/** Spends what is left and more, and looks once more when all is answered. */
export async function spend(context: TrackContext, step: string): Promise<void> {
  await rest(context);
  await context.burst(step);
  await settle(context);
}

/** The second window: spent at once, then watched until it ends too. @param shared what may be sent before */
export async function secondWindow(context: TrackContext, watch: Watch, shared: () => Promise<void>): Promise<void> {
  context.nextWindow();
  const burst = context.now() + SECOND_BURST_AFTER_S * SECOND;
  await shared();
  await context.until(burst);
  await rest(context);
  await context.burst('second-window');
  await settle(context);
  if (await awaitReturn(context, watch)) await settle(context, 'back');
}

export type RoleScript = (context: TrackContext, shared: () => Promise<void>) => Promise<void>;
export type RoleScripts = Readonly<Record<Role, RoleScript>>;
