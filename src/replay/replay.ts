import { drive, type RunOptions } from '../drive/run.ts';
import type { Session } from '../drive/session.ts';
import { recall } from './recall.ts';
import type { Sequence, Step } from './sequence.ts';

/** Sends a sequence again, and records it in the trace file of the run. */
export async function replay(run: RunOptions, sequence: Sequence, signal: AbortSignal): Promise<void> {
  await drive(run, { signal }, async (session) => {
    if (sequence.paced) await atTheirMoments(session, sequence.steps);
    else for (const step of sequence.steps) await send(session, step);
  });
}

/** No answer is waited for: a slow one must not move what comes after it. */
async function atTheirMoments(session: Session, steps: readonly Step[]): Promise<void> {
  const start = session.clock.now();
  const under: Promise<void>[] = [];
  for (const step of steps) {
    await session.until(start + step.at);
    under.push(send(session, step));
  }
  await Promise.all(under);
}

async function send(session: Session, { exchanges }: Step): Promise<void> {
  const shots = exchanges.map((each) => recall(each, session));
  const [shot] = shots;
  if (shots.length > 1) await session.volley(shots, { delivery: deliveryOf(shot?.variation) });
  else if (shot) await session.attempt(shot);
}

function deliveryOf(variation: string | null | undefined): 'connections' | 'pipelined' | 'multiplexed' {
  return variation === 'pipelined' || variation === 'multiplexed' ? variation : 'connections';
}
