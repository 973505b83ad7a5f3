import { type Wave, WINDOW_MS } from '../load-spec.ts';
import { byKey, flood, paced } from './waves.ts';

function floodAndRecovery(kind: 'read' | 'write', key: number): Wave[] {
  const at = (key * 7) % 60;
  return [flood(kind, at), paced(kind, at + 3 * WINDOW_MS, 5, 2_000, 'recovery')];
}

/**
 * Every key at ten times its quota for a minute, then silence for two (a sliding counter forgets by then), then the
 * recovery.
 */
export const stampede = byKey((key) => [floodAndRecovery('read', key), floodAndRecovery('write', key)]);
