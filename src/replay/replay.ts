import type { Session } from '../drive/session.ts';
import type { Exchange } from '../trace/exchange.ts';
import { firstEnd } from './marked-windows.ts';
import { recall } from './recall.ts';
import { lengthOf, requestsOf, type Sequence, type Step } from './sequence.ts';
import { saysUsed } from './used-before.ts';

/** µs by which a marker in whole seconds may be wrong, and by which a first request may come later than it did. */
const TICK_US = 1_500_000;

/** A longer sequence without its own window spans several windows, so it may begin anywhere in one. */
const LONGEST_WAITED_FOR_US = 5e7;

interface Manner {
  /**
   * Whether no use before the replay is left in any budget; else it ends as soon as the first answer tells of such use.
   */
  readonly isFull?: boolean;
  /** Is told before each wait for a window, and for how long it is (µs of the run's clock). */
  readonly tell?: (wait: number) => void;
}

/**
 * Sends a sequence again. If it belongs to one window and the current window is about to end, or is shorter than the
 * recorded one was, it waits for the next window and begins again. If the current window is longer, the requests after
 * the first one wait, so they are as far from the window's end as they were.
 *
 * @returns when the sequence finally began, in µs of the run's clock: earlier requests prove nothing
 */
export async function replay(
  session: Session,
  sequence: Sequence,
  { isFull = true, tell = () => {} }: Manner = {},
): Promise<number> {
  const { clock } = session;
  const [first, ...rest] = sequence.steps;
  let began = clock.now();
  if (!first) return began;
  if (sequence.pace === 'single') {
    for (const step of sequence.steps) await send(session, step);
    return began;
  }
  const answers = await send(session, first);
  if (!isFull && saysUsed(answers, first.exchanges)) return began;
  let end = firstEnd(answers, clock.epoch);
  if (end !== null && end - clock.now() < neededFor(sequence, (clock.now() - began) / first.exchanges.length)) {
    tell(end + TICK_US - clock.now());
    await session.until(end + TICK_US);
    began = clock.now();
    end = firstEnd(await send(session, first), clock.epoch);
  }
  if (sequence.pace === 'at once') for (const step of rest) await send(session, step);
  else {
    const ahead = Math.max(0, aheadOf(sequence, end, began));
    if (ahead > 0) tell(ahead);
    await atTheirMoments(session, rest, began + ahead);
  }
  return began;
}

/** How long the current window must at least last, in µs. @param pause for one request */
function neededFor(sequence: Sequence, pause: number): number {
  if (sequence.pace === 'at once') return 2 * TICK_US + 2 * pause * requestsOf(sequence).length;
  if (sequence.window !== null) return sequence.window - TICK_US;
  return lengthOf(sequence) < LONGEST_WAITED_FOR_US ? lengthOf(sequence) + 2 * TICK_US : 0;
}

/** By how much the current window, which ends at `end`, is longer than the recorded one was, in µs; 0 if not known. */
function aheadOf({ window }: Sequence, end: number | null, began: number): number {
  return end === null || window === null || window < 0 ? 0 : end - began - window;
}

/** It waits for no answer: a slow one must not delay later requests. */
async function atTheirMoments(session: Session, steps: readonly Step[], start: number): Promise<void> {
  const under: Promise<unknown>[] = [];
  for (const step of steps) {
    await session.until(start + step.at);
    under.push(send(session, step));
  }
  await Promise.all(under);
}

async function send(session: Session, { exchanges }: Step): Promise<readonly Exchange[]> {
  const specs = exchanges.map((each) => recall(each, session));
  const [spec] = specs;
  if (specs.length > 1) return session.sendAtOnce(specs, { delivery: deliveryOf(spec?.variation) });
  const answer = spec ? await session.attempt(spec) : null;
  return answer ? [answer] : [];
}

function deliveryOf(variation: string | null | undefined): 'connections' | 'pipelined' | 'multiplexed' {
  return variation === 'pipelined' || variation === 'multiplexed' ? variation : 'connections';
}
