import { type Schedule, unanswered } from '../../plan/schedule.ts';
import type { Trial } from '../../plan/trials.ts';
import type { Session } from '../session.ts';
import { inParallel } from './in-parallel.ts';
import { room, roomiest } from './roomiest.ts';
import { status } from './status.ts';
import { specOf } from './trial.ts';
import type { Repeats, Send } from './until-answered.ts';

const EXPERIMENT = 'further';

/** How many requests more a budget must have left to be used as planned: a preparation and its request. */
const SPARE = 2;

/**
 * The single requests for which no budget had room while it was measured, and the controls that are missing still: good
 * ones and probes on the key that has most left, since a control that is refused shows nothing; bad keys that resemble
 * the other keys.
 */
export async function further(session: Session, trials: readonly Trial[], send: Send): Promise<void> {
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
