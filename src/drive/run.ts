import { systemClock } from '../clock/system-clock.ts';
import type { Plan } from '../plan/plan.ts';
import { keyHider } from '../profile/hide-keys.ts';
import type { Keys, Profile } from '../profile/profile.ts';
import type { RuledOut } from '../property/odd-request.ts';
import type { Exchange } from '../trace/exchange.ts';
import { createTrace, type Recorder } from '../trace/recorder.ts';
import type { TraceHeader } from '../trace/trace.ts';
import { NothingSucceeds, nothingSucceeds } from './experiments/preflight.ts';
import { openClient } from './http/client.ts';
import { allKeys, neighboursOf } from './neighbours.ts';
import { makeRenderer } from './renderer.ts';
import { runPlan } from './run-plan.ts';
import { RequestsSpent } from './sender.ts';
import { openSession, type Session } from './session.ts';
import { limitTime, TimeSpent } from './time-limit.ts';
import type { Wait } from './wait.ts';
import { MachineSlept, watchClock } from './watch-clock.ts';

/** A run that is fully decided, before anything was sent. */
export interface RunOptions {
  readonly profile: Profile;
  readonly keys: Keys;
  readonly plan: Plan;
  /** First line of the trace, without the moment at which the run's clock starts. */
  readonly header: Omit<TraceHeader, 'epoch'>;
  readonly traceFile: string;
  /** What an interface description rules out, from which odd requests are made; absent: there is none. */
  readonly ruledOut?: readonly RuledOut[];
  /** Whether to report answers with a surprising status and their bodies, on the terminal and in no file. */
  readonly verbose?: boolean;
  readonly userAgent: string;
}

/** Ends a run in order. The trace gives the message as the reason. */
export class EndRun extends Error {
  override name = 'EndRun';
}

/** Watches a run and ends it from outside. */
export interface RunControls {
  readonly signal: AbortSignal;
  readonly onExchange?: (exchange: Exchange) => void;
  /** Gets the body of each answer, without keys, to be shown and never written to a file. */
  readonly onBody?: (seq: number, body: string) => void;
  readonly onWait?: (wait: Wait) => void;
  /** Called when the trace accepts notes, and when it no longer does. */
  readonly onOpen?: (note: Recorder['note']) => void;
  readonly onClose?: () => void;
}

/**
 * Drives the target as the plan (or another script) says, and records every exchange in the trace file. The trace is
 * complete when this resolves. An interruption, an unreachable target and a spent allowance of requests are recorded in
 * it for the judge.
 *
 * @throws RequestError if the base URL, a TLS file or the proxy cannot be used; TraceError if the file cannot be
 * written
 */
export async function drive(
  options: RunOptions,
  { signal, onExchange = () => {}, onBody, onWait = () => {}, onOpen, onClose }: RunControls,
  script?: (session: Session) => Promise<void>,
): Promise<void> {
  const { profile, keys, header } = options;
  const clock = systemClock(header.scale);
  const redact = hiderOf(keys);
  const client = openClient({
    baseUrl: profile.baseUrl,
    http: profile.http,
    clock,
    sender: { userAgent: options.userAgent, nonce: header.nonce },
    redact,
  });
  const recorder = createTrace(options.traceFile, { ...header, epoch: clock.epoch }, clock);
  onOpen?.(recorder.note);
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const hopeless = nothingSucceeds(profile);
  const mode = script === undefined ? options.plan.mode : 'certify';
  const unwatch = limitTime(mode, clock, (reason) => controller.abort(reason));
  let outcome: 'complete' | 'interrupted' = 'complete';
  try {
    const renderer = makeRenderer(clock, header.seed);
    const session = openSession({
      profile,
      keys,
      client,
      clock,
      recording: watchClock(recorder),
      renderer,
      redact,
      seed: header.seed,
      controller,
      onExchange(exchange) {
        onExchange(exchange);
        const cause = script === undefined ? hopeless(exchange) : null;
        if (cause !== null) controller.abort(new NothingSucceeds(cause));
      },
      onBody,
      onWait,
    });
    await (script ? script(session) : runPlan(options.plan, session, options.ruledOut));
  } catch (error) {
    if (error instanceof NothingSucceeds) return void recorder.note('preflight', null, error.message);
    outcome = 'interrupted';
    const ends = error instanceof RequestsSpent || error instanceof MachineSlept || error instanceof TimeSpent;
    const cause = ends ? error.message : null;
    if (!signal.aborted && cause === null) throw error;
    recorder.note('interrupted', null, cause ?? reasonOf(signal));
  } finally {
    signal.removeEventListener('abort', stop);
    unwatch();
    await client.close();
    onClose?.();
    recorder.close(outcome);
  }
}

function reasonOf({ reason }: AbortSignal): string {
  return reason instanceof EndRun ? reason.message : 'the run was ended early';
}

/** Hides the keys of the run, and bad keys that differ from one of them in only one character. */
function hiderOf(keys: Keys): (text: string) => string {
  const all = allKeys(keys);
  const neighbours = keys.full.flatMap((key, index) =>
    [...neighboursOf(key, all).values()].map((each) => [each, `key-${index + 1}`] as const),
  );
  const hide = keyHider(keys, new Map(neighbours));
  // Prepares the search now, so that it does not happen between the answers of a burst.
  hide('a text of more than twelve characters');
  return hide;
}
