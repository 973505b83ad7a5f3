import type { Probe } from '../../profile/profile.ts';
import type { Fault } from '../../trace/exchange.ts';
import type { Session } from '../session.ts';
import { pairOf, type Shot } from '../shot.ts';

const EXPERIMENT = 'status';

/**
 * STATUS-400, -403, -404 and -500, and with them the headers on each of these answers: what the profile names to provoke each, after
 * its positive control, the same operation as it is with a full key. One after the other, so that the Remaining of the
 * control before and the control after shows whether such an answer is counted.
 */
export async function status(session: Session, key: string): Promise<void> {
  const { invalidParameter, notFound, forbidden, internalFailure } = session.profile.probes;
  for (const probe of invalidParameter) await provoke(session, key, key, probe, 'parameter');
  for (const probe of notFound) await provoke(session, key, key, probe, 'missing');
  if (session.keys.restricted && forbidden.length > 0) {
    await acquaint(session);
    for (const probe of forbidden) await provoke(session, key, 'restricted', probe, 'permission');
  }
  for (const probe of internalFailure) await provoke(session, key, key, probe, 'internal');
}

/** Shows that the restricted key is a key of this deployment, whatever it may do: else a 401 to it would say nothing of permissions. */
async function acquaint(session: Session): Promise<void> {
  const operation = session.workhorse(
    session.profile.operations.some((each) => each.kind === 'read') ? 'read' : 'write',
  );
  await session.attempt({
    experiment: EXPERIMENT,
    step: 'acquaint',
    operation,
    key: 'restricted',
    fault: 'unstated',
    pair: pairOf(operation),
  });
}

async function provoke(session: Session, controlKey: string, key: string, probe: Probe, fault: Fault): Promise<void> {
  const operation = session.profile.operations.find((each) => each.id === probe.operation);
  if (!operation) return;
  const shot = (step: string, rest: Partial<Shot>): Shot => ({
    experiment: EXPERIMENT,
    step,
    operation,
    key,
    pair: pairOf(operation),
    ...rest,
  });
  // A write that has been seen to succeed is not repeated: thirty a minute are few.
  if (operation.kind === 'read' || !session.hasControl(operation))
    await session.attempt(shot('control', { key: controlKey }));
  await session.attempt(shot('probe', { probe, fault }));
}
