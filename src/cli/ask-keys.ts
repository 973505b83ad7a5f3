import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refusedKeys } from '../drive/experiments/key-standing.ts';
import { drive } from '../drive/run.ts';
import { prepareRun, type Target } from './prepare-run.ts';

/** As many keys are asked at most: a user who has more wrong ones than this looks at all of them. */
const MOST_ASKED = 20;

/**
 * Asks the target, with one request for each full key besides the known ones, whether it accepts them; returns those
 * that it does not. It leaves no file behind.
 */
export async function askKeys(
  { profile, keys, scale }: Target & { readonly scale: number },
  known: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'size-chart-keys-'));
  let refused: readonly string[] = [];
  try {
    const run = prepareRun(
      { profile, keys },
      { command: 'load', mode: 'certify', selection: new Set(), out: folder, scale },
    );
    await drive(run, { signal }, async (session) => {
      const others = session.keys.full.filter((key) => !known.includes(key));
      refused = await refusedKeys(session, others.slice(0, MOST_ASKED));
    });
    return refused;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
