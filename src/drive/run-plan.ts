import { messageOf } from '../caught.ts';
import type { Plan } from '../plan/plan.ts';
import { IN_TURN_AFTER_S, SHARED_AFTER_S } from '../plan/roles.ts';
import type { Track } from '../plan/tracks.ts';
import type { Trial } from '../plan/trials.ts';
import type { RuledOut } from '../property/odd-request.ts';
import { authentication } from './experiments/authentication.ts';
import { further, hidden } from './experiments/further.ts';
import { acceptsAllKeys, KeyRefused, keyWithMostLeft, leadOf, refusedKeys } from './experiments/key-standing.ts';
import { observed } from './experiments/observed.ts';
import { odd } from './experiments/odd.ts';
import { preflight } from './experiments/preflight.ts';
import { ROLES } from './experiments/roles.ts';
import { status } from './experiments/status.ts';
import { openTrack } from './experiments/track.ts';
import { specOf } from './experiments/trial.ts';
import { untilAnswered } from './experiments/until-answered.ts';
import { patienceOf } from './patience.ts';
import type { Session } from './session.ts';

/**
 * Seconds of real time after which the other tracks begin all the same: then the target is slow, and waiting costs more
 * than requests.
 */
const ADMISSION_S = 2;

/**
 * Carries out a plan. The tracks of all keys run at the same time, once one of them has shown that keys are accepted.
 * Authentication and statuses are tested on the first key, after its first bursts; by a check, on the key with most
 * left. What is only observed comes last. It never judges: if something stops it, it notes this in the trace. An
 * experiment that breaks off does not end the others.
 *
 * @param ruledOut what an interface description rules out, if there is one
 * @throws the session's abort reason if the run is interrupted
 */
export async function runPlan(plan: Plan, session: Session, ruledOut: readonly RuledOut[] = []): Promise<void> {
  const obstacle = await preflight(session);
  if (obstacle !== null) {
    session.note('preflight', null, obstacle);
    return;
  }
  const [firstKey] = session.keys.full;
  if (firstKey === undefined) return;
  if (plan.tracks.length === 0 && !(await acceptsAllKeys(session))) return;
  const holder = plan.mode === 'check' ? (keyWithMostLeft(session) ?? firstKey) : firstKey;

  const runs = (id: string): boolean => plan.experiments.some((each) => each.id === id);
  const { early, late } = plan.schedule;
  const left: Trial[] = [];
  if (plan.tracks.length === 0) session.patience = patienceOf(session);
  const repeats = { left: plan.repeats };
  const send = untilAnswered(session, repeats);
  const thorough = plan.mode === 'certify';
  /** The single requests of the first key. No budget of this key is measured during them. */
  const anatomy = async (): Promise<void> => {
    const own = early
      .filter(({ key }) => key === firstKey || key === 'restricted' || key === null)
      .map((trial) => (trial.key === firstKey ? { ...trial, key: holder } : trial));
    if (runs('authentication')) {
      // The requests before the requests in turn disturb no budget. On a slow target, the rest is sent after all
      // budgets are measured.
      const until = plan.tracks.length > 0 ? IN_TURN_AFTER_S * 1e6 : Number.POSITIVE_INFINITY;
      await experiment(session, 'authentication', async () => {
        left.push(...(await authentication(session, own, send, thorough, until)));
      });
    }
    if (runs('status'))
      await experiment(session, 'status', () => status(session, own, send, { control: holder, thorough }));
  };
  /** The single requests of another key, each in the first window of its budget. */
  const singles = async ({ key, kind, start }: Track): Promise<void> => {
    await session.until((start + SHARED_AFTER_S) * 1e6);
    const own = early.filter((trial) => trial.key === key && trial.operation.kind === kind);
    for (const trial of own.filter(({ fault }) => fault === 'none'))
      await send(specOf(session, trial, 'authentication'));
    if (runs('status')) await status(session, own, send, { control: key });
  };
  const hosts = plan.tracks.filter((track) => track.key === firstKey);
  const shared = meeting(hosts.length, anatomy, session.signal);
  if (hosts.length === 0) await anatomy();

  const lead = leadOf(plan.tracks);
  const admission = Promise.withResolvers<void>();
  let refused: readonly string[] = [];
  const ended = await Promise.allSettled(
    plan.tracks.map(async (track) => {
      if (track !== lead)
        await Promise.race([admission.promise, session.until(ADMISSION_S * 1e6 * session.clock.scale)]);
      await session.until(track.start * 1e6);
      const join = once(track.key === firstKey ? shared : () => singles(track));
      try {
        const isWhole = await experiment(session, track.id, () =>
          ROLES[track.role](openTrack(session, track, admission.resolve), join),
        );
        // The other tracks must not wait for a track that has broken off.
        if (!isWhole) await guarded(session, track.id, join);
      } catch (error) {
        if (error instanceof KeyRefused) {
          const others = session.keys.full.filter(
            (key) => !error.keys.includes(key) && session.isRefused(key) !== false,
          );
          const found = await refusedKeys(session, others).catch(() => []);
          refused = [...refused, ...error.keys, ...found];
        }
        session.stop(error);
        throw error;
      } finally {
        admission.resolve();
      }
    }),
  );
  if (refused.length > 0) {
    session.note('preflight', null, new KeyRefused(session.keys.full.filter((key) => refused.includes(key))).message);
    return;
  }
  if (ended.some((each) => each.status === 'rejected')) {
    // The reason why the run was stopped, not the errors of the tracks that this caused.
    throw session.signal.reason;
  }
  if (runs('further')) {
    await experiment(session, 'further', async () => {
      await further(session, [...late, ...left], send, plan.settles);
      if (plan.tracks.length > 0) await hidden(session, plan.schedule, send, repeats);
    });
  }
  if (runs('odd')) await experiment(session, 'odd', async () => void (await odd(session, ruledOut, plan.odd)));
  if (plan.observed) await experiment(session, 'observed', () => observed(session, holder, plan));
  if (session.profile.operations.some((operation) => operation.cleanup.length > 0)) {
    await experiment(session, 'clean-up', async () => {
      const left = await session.cleanUp();
      if (left > 0)
        session.note(
          'experiment-ended',
          'clean-up',
          `${left} created things remain: the budgets had no requests left to remove them`,
        );
    });
  }
}

/** Returns whether it came to its end. */
async function experiment(session: Session, id: string, run: () => Promise<void>): Promise<boolean> {
  session.note('experiment-started', id, '');
  return guarded(session, id, async () => {
    await run();
    session.note('experiment-ended', id, '');
  });
}

/** Notes an error in an experiment and ends only this experiment, unless the run has ended or nothing can continue. */
async function guarded(session: Session, id: string, run: () => Promise<void>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    if (session.signal.aborted) throw error;
    session.note('experiment-failed', id, messageOf(error));
    if (error instanceof KeyRefused) throw error;
    return false;
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | null = null;
  return () => {
    begun ??= work();
    return begun;
  };
}

/**
 * A function that each of `count` parties calls at a certain point. When all have called it, the work starts, and all
 * wait for its end.
 */
function meeting(count: number, work: () => Promise<void>, signal: AbortSignal): () => Promise<void> {
  let missing = count;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Whoever waits gets the error. If nobody waits, the run has ended for another reason.
  promise.catch(() => {});
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return () => {
    missing -= 1;
    if (missing === 0) work().then(resolve, reject);
    return promise;
  };
}
