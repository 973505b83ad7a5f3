import { byApiKey, byBearer } from '../drive/credentials.ts';
import { pairOf, type RequestSpec } from '../drive/request-spec.ts';
import type { Session } from '../drive/session.ts';
import type { Operation } from '../profile/profile.ts';
import { repeatable } from '../profile/repetition.ts';
import type { Kind } from '../trace/exchange.ts';
import type { Schedule, ScheduleStep } from './schedule.ts';

/** Sends one schedule. Steps whose kind the profile does not name are left out. */
export async function runSchedule(session: Session, schedule: Schedule, experiment: string): Promise<void> {
  session.note('experiment-started', experiment, '');
  for (const step of schedule) {
    await session.until(session.clock.now() + step.gap * 1000);
    const spec = specOf(session, step, experiment);
    if (spec === null) continue;
    if (step.count === 1) await session.attempt(spec);
    else await session.sendAtOnce(Array.from({ length: step.count }, () => spec));
  }
  session.note('experiment-ended', experiment, '');
}

function specOf(session: Session, step: ScheduleStep, experiment: string): RequestSpec | null {
  const operation = pick(unprepared(session, step.kind), step.operation);
  const key = pick(session.keys.full, step.key);
  if (operation === undefined || key === undefined) return null;
  const secret = session.secret(key);
  return {
    experiment,
    step: step.count === 1 ? 'single' : 'burst',
    operation,
    key,
    pair: pairOf(operation),
    credential: step.way === 'bearer' ? byBearer(secret) : byApiKey(secret),
  };
}

/** What needs no preparation, since a preparation would be a request that the schedule does not name. */
function unprepared({ profile }: Session, kind: Kind): readonly Operation[] {
  return repeatable(profile.operations, kind).filter((each) => each.prepare.length === 0);
}

function pick<Item>(items: readonly Item[], index: number): Item | undefined {
  return items[index % Math.max(1, items.length)];
}
