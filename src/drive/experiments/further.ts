import { FAILURES_IN_A_ROW } from '../../plan/roles.ts';
import { type Schedule, unanswered } from '../../plan/schedule.ts';
import type { Trial } from '../../plan/trials.ts';
import type { Kind } from '../../trace/exchange.ts';
import type { Session } from '../session.ts';
import { inParallel } from './in-parallel.ts';
import { room, roomiest } from './roomiest.ts';
import { settling, settlingKinds } from './settling.ts';
import { status } from './status.ts';
import { specOf } from './trial.ts';
import type { Repeats, Send } from './until-answered.ts';

const EXPERIMENT = 'further';

/** How many requests more a budget must have left to be used as planned: a preparation and its request. */
const SPARE = 2;

/** So many reads are kept for the failed ones in a row, with a good one before and after them. */
const KEPT: Readonly<Record<Kind, number>> = { read: FAILURES_IN_A_ROW + 2 + SPARE, write: SPARE };

/**
 * The single requests for which no budget had room while it was measured, and the controls that are missing still: good
 * ones and probes on the key that has most left, since a control that is refused shows nothing; bad keys that resemble
 * the other keys.
 *
 * @param settles whether each budget is looked at before and after the bad ones
 */
export async function further(session: Session, trials: readonly Trial[], send: Send, settles: boolean): Promise<void> {
  const holderOf = ({ operation, key }: Trial): string | undefined => {
    const now = session.clock.now();
    if (key !== null && room(session.budget(key, operation.kind), operation.kind, now) > SPARE) return key;
    return roomiest(session.keys.full, operation.kind, session.budget, now);
  };
  for (const trial of trials.filter(({ fault }) => fault === 'none')) {
    const key = holderOf(trial);
    // On a key other than planned it would show nothing new once it has succeeded.
    if (key === undefined || (key !== trial.key && session.hasControl(trial.operation, trial.way))) continue;
    await send(specOf(session, trial, EXPERIMENT, key));
  }
  // What is missing between the two was used by the bad requests, or by others just then.
  if (settles) await settleAll(session, send);
  const forbidden = trials.filter(({ fault }) => fault === 'permission');
  const control = roomiest(session.keys.full, 'write', session.budget, session.clock.now());
  const options = { experiment: EXPERIMENT, thorough: false };
  if (control !== undefined) await status(session, forbidden, send, { ...options, control });
  for (const trial of trials.filter((each) => each.probe !== null && each.fault !== 'permission')) {
    const key = holderOf(trial);
    if (key !== undefined) await status(session, [{ ...trial, key }], send, { ...options, control: key });
  }
  const bad = trials.filter(({ fault }) => fault === 'bad-key' || fault === 'no-key');
  await inParallel(bad, (trial) => send(specOf(session, trial, EXPERIMENT)));
  if (settles) await settleAll(session, send);
}

/** A single plain request of each kind with each key that has some left. */
async function settleAll(session: Session, send: Send): Promise<void> {
  for (const key of session.keys.full) {
    for (const kind of settlingKinds(session)) {
      if (room(session.budget(key, kind), kind, session.clock.now()) <= KEPT[kind]) continue;
      await send(settling(session, EXPERIMENT, key, kind));
    }
  }
}

/**
 * The good requests that bursts were to show and refusals hid, each on a key that has some left. These are in no plan,
 * since they depend on how much of a window the limiter had left, so they are sent while `repeats` are left.
 */
export async function hidden(session: Session, schedule: Schedule, send: Send, repeats: Repeats): Promise<void> {
  for (const trial of unanswered(session.profile, session.keys, schedule, session.answered())) {
    const { key, operation } = trial;
    if (repeats.left === 0 || key === null) return;
    if (room(session.budget(key, operation.kind), operation.kind, session.clock.now()) <= SPARE) continue;
    repeats.left -= 1;
    await send(specOf(session, trial, EXPERIMENT));
  }
}
