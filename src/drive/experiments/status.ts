import type { Trial } from '../../plan/trials.ts';
import { pairOf, type RequestSpec } from '../request-spec.ts';
import type { Session } from '../session.ts';
import { specOf } from './trial.ts';
import type { Send } from './until-answered.ts';

interface Provoking {
  readonly experiment?: string;
  /** The key of the controls of requests with the restricted key. */
  readonly control: string;
  /**
   * Whether a read that has been seen to succeed is sent before each probe all the same: the probe by one header, then
   * by the other.
   */
  readonly thorough?: boolean;
}

/**
 * STATUS-400, -403, -404 and -500, and with them the headers on each of these answers: what the profile names to
 * provoke each, by either header, after its positive control, the same operation as it is with a full key in the same
 * header. One after the other, so that the Remaining of the control before and the control after shows whether such an
 * answer is counted.
 */
export async function status(
  session: Session,
  trials: readonly Trial[],
  send: Send,
  { experiment = 'status', control, thorough = true }: Provoking,
): Promise<void> {
  const ofEach = Map.groupBy(
    trials.filter(({ probe }) => probe !== null),
    ({ probe, key }) => `${probe?.name} ${key}`,
  );
  const provoking = [...ofEach.values()].flatMap((own) => own.map((trial, index) => ({ trial, isFirst: index === 0 })));
  if (provoking.some(({ trial }) => trial.fault === 'permission')) await send(acquaintance(session, experiment));
  for (const { trial, isFirst } of provoking) {
    const { operation, way, key } = trial;
    // A write that has succeeded is not repeated, because there are only thirty a minute.
    if ((operation.kind === 'read' && thorough && isFirst) || !session.hasControl(operation, way)) {
      const holder = key === 'restricted' || key === null ? control : key;
      await send(specOf(session, { ...trial, fault: 'none', probe: null }, experiment, holder));
    }
    await send(specOf(session, trial, experiment));
  }
}

/** Shows that the restricted key is a key of this deployment; otherwise a 401 would say nothing about permissions. */
function acquaintance(session: Session, experiment: string): RequestSpec {
  const operation = session.defaultOperation(
    session.profile.operations.some((each) => each.kind === 'read') ? 'read' : 'write',
  );
  return { experiment, step: 'acquaint', operation, key: 'restricted', fault: 'unstated', pair: pairOf(operation) };
}
