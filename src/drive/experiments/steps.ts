import { LEFT_BESIDE, SECOND_BURST_AFTER_S } from '../../plan/roles.ts';
import { repeatable } from '../../profile/repetition.ts';
import { type Exchange, otherThan } from '../../trace/exchange.ts';
import { leftOf } from '../budget-state.ts';
import { pairOf } from '../request-spec.ts';
import { awaitReturn, type Watch } from './await-return.ts';
import type { TrackContext } from './track.ts';

const SECOND = 1e6;

/** The first request on a budget that is alone: what it says is exact, whenever a limiter reads Remaining. */
export function settle(context: TrackContext, step: 'settle' | 'back' | 'end' = 'settle'): Promise<Exchange> {
  return context.one(step);
}

/**
 * A request alone right before a burst: what is missing then was taken by others who use the key, and what is missing
 * after the burst by how it was counted. Without it the two look alike.
 */
export function rest(context: TrackContext): Promise<Exchange> {
  return context.one('rest');
}

/** A request of the other kind with the same key, if that has some left: a budget that is spent must not stop it. */
export async function askBeside({ session, track, one }: TrackContext): Promise<void> {
  const other = otherThan(track.kind);
  if (!track.asksBeside || leftOf(session.budget(track.key, other), other) < LEFT_BESIDE) return;
  const [operation] = repeatable(session.profile.operations, other);
  if (operation?.prepare.length === 0) await one('beside', { operation, pair: pairOf(operation) });
}

/** Spends the rest and more, and sends one more request when all are answered. */
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
