import { FAILURES_IN_A_ROW } from '../../plan/roles.ts';
import { pairOf, type RequestSpec } from '../request-spec.ts';
import type { Session } from '../session.ts';
import { room, roomiest } from './roomiest.ts';

/** The failed ones, and a good one before them and after them. */
const REQUESTS = FAILURES_IN_A_ROW + 2;

/**
 * Failed reads of one key in a row, and a good one after them: a guard may turn the key away because of them, though it
 * has budget left. Nothing is sent where the profile names no read that fails, or no budget has room for all of them.
 *
 * @param preferred the key, if its budget has room
 */
export async function failuresInARow(session: Session, experiment: string, preferred: string): Promise<void> {
  const { operations, probes } = session.profile;
  const found = [...probes.notFound, ...probes.invalidParameter].flatMap((probe) => {
    const operation = operations.find(({ id, kind }) => id === probe.operation && kind === 'read');
    return operation ? [{ probe, operation }] : [];
  });
  const [failing] = found;
  const now = session.clock.now();
  const hasRoom = (each: string): boolean => room(session.budget(each, 'read'), 'read', now) >= REQUESTS;
  const others = session.keys.full.filter(hasRoom);
  const key = hasRoom(preferred) ? preferred : roomiest(others, 'read', session.budget, now);
  if (!failing || key === undefined) return;
  const { probe, operation } = failing;
  const fault = probes.notFound.includes(probe) ? 'missing' : 'parameter';
  const good: RequestSpec = { experiment, step: 'control', operation, key, fault: 'none', pair: pairOf(operation) };
  await session.sendOne(good);
  for (let count = 0; count < FAILURES_IN_A_ROW; count++)
    await session.sendOne({ ...good, step: probe.name, probe, fault });
  await session.sendOne(good);
}
