import type { Connection } from './connection.ts';
import { hold } from './dispatch.ts';
import { causeOf } from './failure.ts';
import type { Line } from './line.ts';
import type { Answer, PreparedRequest } from './message.ts';
import { abortOn, causeOfEnd, LEAD, leadUp } from './release.ts';
import { type Reply, unsent } from './reply.ts';

/**
 * Real ms between two openings. A connection counts as open before the server has taken it from its queue, and the
 * queue of a plain server is short (five in Python's `socketserver`). Connections beyond it wait for seconds in
 * retransmissions.
 */
const PAUSE = 1;
/**
 * Real ms within which all connections of a burst should be open. If the round trip is long, some are opened at the
 * same time.
 */
const OPEN_WITHIN = 1000;
const MOST_AT_ONCE = 32;

interface Held {
  readonly connection: Connection;
  readonly reply: Reply;
}

/**
 * Sends every request over its own connection, which is closed after its answer. If a server accepts no more
 * connections while the first ones are silent (one worker, a short queue), the ready requests are released, and the
 * others follow when they are connected.
 */
export async function burstOverConnections(
  requests: readonly PreparedRequest[],
  line: Line,
  at: number,
  signal?: AbortSignal,
): Promise<Answer[]> {
  const { conditions } = line;
  const { clock } = conditions;
  const slots = requests.map((request) => ({ request, number: line.number(), ...Promise.withResolvers<Answer>() }));
  const waiting = new Set<Held>();
  const replies: Reply[] = [];
  const stop = abortOn(signal, replies);
  let released = false;

  function letGo({ connection, reply }: Held): void {
    reply.release();
    connection.socket.uncork();
  }

  async function prepare({ request, number, resolve }: (typeof slots)[number]): Promise<void> {
    try {
      const connection = await line.connect(number, request.endpoint, signal);
      connection.socket.cork();
      const { reply, ready } = hold(connection, request, conditions);
      replies.push(reply);
      if (signal?.aborted) stop.now();
      resolve(reply.answer.finally(() => connection.close()));
      await ready;
      if (released) letGo({ connection, reply });
      else waiting.add({ connection, reply });
    } catch (error) {
      resolve(unsent(number, causeOf(error), conditions));
    }
  }

  async function prepareAll(): Promise<void> {
    let next = 0;
    const lane = async (until: number): Promise<void> => {
      for (let slot = slots[next]; slot && next < until; slot = slots[next]) {
        next += 1;
        await prepare(slot);
        await clock.sleepUntil(clock.now() + PAUSE * 1000 * clock.scale, signal);
      }
    };
    let roundTrip = Number.POSITIVE_INFINITY;
    for (const count of [1, 2]) {
      const started = clock.now();
      await lane(count);
      roundTrip = Math.min(roundTrip, (clock.now() - started) / 1000 / clock.scale);
    }
    const atOnce = Math.min(MOST_AT_ONCE, Math.ceil((slots.length * roundTrip) / OPEN_WITHIN));
    await Promise.all(Array.from({ length: atOnce }, () => lane(slots.length)));
  }

  try {
    await leadUp(clock, at, signal);
    const patience = clock.sleepUntil(Math.max(at, clock.now() + LEAD * 1000 * clock.scale), signal);
    const preparing = prepareAll();
    await Promise.race([preparing, patience]).catch(() => {});
    patience.catch(() => {});
    await clock.sleepUntil(at, signal).catch(stop.now);
    released = true;
    for (const held of waiting) letGo(held);
    await preparing;
  } catch (error) {
    const cause = causeOfEnd(error, signal);
    for (const { number, resolve } of slots) resolve(unsent(number, cause, conditions));
  }
  const answers = await Promise.all(slots.map(({ promise }) => promise));
  stop.forget();
  return answers;
}
