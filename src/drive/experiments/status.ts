import type { Mode } from '../../plan/plan.ts';
import type { Probe } from '../../profile/profile.ts';
import type { Fault } from '../../trace/exchange.ts';
import type { Session } from '../session.ts';
import { pairOf, type Shot } from '../shot.ts';
import { untilAnswered } from './until-answered.ts';

const EXPERIMENT = 'status';

/**
 * STATUS-400, -403, -404 and -500, and with them the headers on each of these answers: what the profile names to provoke each, after
 * its positive control, the same operation as it is with a full key. One after the other, so that the Remaining of the
 * control before and the control after shows whether such an answer is counted.
 */
export async function status(session: Session, key: string, mode: Mode): Promise<void> {
  const { invalidParameter, notFound, forbidden, internalFailure } = session.profile.probes;
  const send = untilAnswered(session, mode);
  const provoke = async (probes: readonly Probe[], probeKey: string, fault: Fault): Promise<void> => {
    for (const probe of probes) {
      for (const shot of provocation(session, probe, { key, probeKey, fault })) await send(shot);
    }
  };
  await provoke(invalidParameter, key, 'parameter');
  await provoke(notFound, key, 'missing');
  if (session.keys.restricted && forbidden.length > 0) {
    await send(acquaintance(session));
    await provoke(forbidden, 'restricted', 'permission');
  }
  await provoke(internalFailure, key, 'internal');
}

/** Shows that the restricted key is a key of this deployment, whatever it may do: else a 401 to it would say nothing of permissions. */
function acquaintance(session: Session): Shot {
  const operation = session.workhorse(
    session.profile.operations.some((each) => each.kind === 'read') ? 'read' : 'write',
  );
  return {
    experiment: EXPERIMENT,
    step: 'acquaint',
    operation,
    key: 'restricted',
    fault: 'unstated',
    pair: pairOf(operation),
  };
}

/** The probe after its positive control, which is sent with the full key whatever key the probe is for. */
function provocation(
  session: Session,
  probe: Probe,
  { key, probeKey, fault }: { readonly key: string; readonly probeKey: string; readonly fault: Fault },
): readonly Shot[] {
  const operation = session.profile.operations.find((each) => each.id === probe.operation);
  if (!operation) return [];
  const base = { experiment: EXPERIMENT, operation, pair: pairOf(operation) };
  // A write that has been seen to succeed is not repeated: thirty a minute are few.
  const needsControl = operation.kind === 'read' || !session.hasControl(operation);
  return [
    ...(needsControl ? [{ ...base, step: 'control', key }] : []),
    { ...base, step: 'probe', key: probeKey, probe, fault },
  ];
}
