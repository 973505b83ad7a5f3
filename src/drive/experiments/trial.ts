import type { Trial } from '../../plan/trials.ts';
import { badCredential, byApiKey, byBearer, noCredential } from '../credentials.ts';
import { pairOf, type RequestSpec } from '../request-spec.ts';
import type { Session } from '../session.ts';

/**
 * A planned request, ready to be sent; null if the key has no such form. @param key sends it with another key than
 * planned
 */
export function specOf(session: Session, trial: Trial, experiment: string, key = trial.key): RequestSpec | null {
  const { operation, way, fault, badKey, probe } = trial;
  const base = { experiment, step: probe?.name ?? 'probe', operation, pair: pairOf(operation), fault };
  if (way === 'none' || key === null) return { ...base, key: null, credential: noCredential };
  const secret = session.secret(key);
  if (badKey !== null) {
    const material = { alias: key, secret, madeUp: session.madeUpKey, all: session.secrets };
    const bad = badCredential(badKey, way, material);
    return bad && { ...base, ...bad };
  }
  const credential = (way === 'bearer' ? byBearer : byApiKey)(secret);
  if (probe === null) return { ...base, step: fault === 'none' ? 'control' : 'probe', key, credential };
  return { ...base, key, credential, probe };
}
