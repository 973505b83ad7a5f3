import { afterAll, inject } from 'vitest';
import type { RequirementId } from '../src/catalogue/requirement.ts';
import { messageOf } from '../src/caught.ts';
import { drive, EndRun, type RunOptions } from '../src/drive/run.ts';
import { answerCounter, type HostMessage, openDriveChannel } from '../src/drive/run-channel.ts';
import { followSurprises } from '../src/drive/surprises.ts';
import { LIMITS } from '../src/judge/shown.ts';
import type { Proved } from '../src/judge/so-far.ts';
import type { ReportedVerdict } from '../src/report/report.ts';
import { type FailureGate, openFailureGate } from './bail.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What to run; absent where the suites are only listed. */
    run: RunOptions;
    /** After how many failures the runner ends; absent where that is not its business. */
    bail?: number;
  }
}

/** A verdict on a requirement, as soon as there is one. */
export type Decision = Pick<ReportedVerdict, 'id' | 'verdict' | 'summary' | 'remedy' | 'witnesses' | 'proofs'> & {
  /** Seconds into the run by which it was proved; null: at its end. */
  readonly decidedAt: number | null;
};

/** Why a run was ended before its time, as its trace says it. */
const ENDED_EARLY = 'ended early after a failure';

let run: SharedRun | null = null;

// A run that ends early ends in order: its trace is whole, and its report made, before the runner goes on.
afterAll(() => run?.ended.catch(() => {}));

/**
 * The decision on one requirement; null where it was not selected. The first call starts the run, and all calls share
 * it: windows of a minute overlap only if every experiment is under way at once. A failure comes the moment it is
 * proved, all else when the trace has been judged.
 *
 * @param signal ends the run in order: the runner gives up, after a failure (`--bail`) or at the user's wish
 */
export async function decisionOn(id: RequirementId, signal: AbortSignal): Promise<Decision | null> {
  const options = inject('run');
  // When watching, each run of the tests is a run of its own.
  if (run?.traceFile !== options.traceFile) run = shareRun(options);
  const { interrupt, early, ended } = run;
  signal.addEventListener('abort', () => interrupt(reasonOf(signal)), { once: true });
  const verdicts = ended.then((all) => all.find((each) => each.id === id));
  const first = await Promise.race([verdicts, early(id)]);
  return first === undefined ? null : { decidedAt: null, ...first };
}

/** Whether a test of the run may fail now, or ends as skipped, since the runner has ended it. */
export async function mayFail(signal: AbortSignal): Promise<boolean> {
  return run === null || run.gate.mayFail(signal);
}

interface SharedRun {
  readonly traceFile: string;
  readonly gate: FailureGate;
  interrupt(reason: string): void;
  /** A failure of this requirement, when it is proved before the end. */
  early(id: RequirementId): Promise<Decision>;
  readonly ended: Promise<readonly ReportedVerdict[]>;
}

function shareRun(options: RunOptions): SharedRun {
  const controller = new AbortController();
  const interrupt = (reason: string): void => controller.abort(new EndRun(reason));
  const waiting = new Map<RequirementId, PromiseWithResolvers<Decision>>();
  const early = (id: RequirementId): PromiseWithResolvers<Decision> => {
    const known = waiting.get(id) ?? Promise.withResolvers<Decision>();
    waiting.set(id, known);
    return known;
  };
  const concluded = Promise.withResolvers<readonly ReportedVerdict[]>();
  let show: (proved: Proved) => void = () => {};
  const channel = openDriveChannel(options.traceFile, (message: HostMessage) => {
    if (message.type === 'interrupt') interrupt(message.reason);
    else if (message.type === 'proved') show(message.proved);
    else if ('error' in message.verdicts) concluded.reject(new Error(message.verdicts.error));
    else concluded.resolve(message.verdicts);
  });
  const counter = answerCounter(channel.send);
  const surprises = options.verbose ? followSurprises((text) => channel.send({ type: 'surprise', text })) : null;
  const carryOut = async (): Promise<readonly ReportedVerdict[]> => {
    try {
      await drive(options, {
        signal: controller.signal,
        ...(surprises && { onBody: surprises.onBody }),
        onExchange(exchange) {
          counter.add(exchange);
          surprises?.onExchange(exchange);
        },
        onWait: (wait) => channel.send({ type: 'waiting', wait }),
        onOpen(note) {
          channel.send({ type: 'begun' });
          show = (proved) => {
            // In the trace first: what is shown stays, even if the run is killed now.
            note('failure-shown', null, proved.named ? proved.verdict.id : LIMITS, proved.time);
            channel.send({ type: 'shown', proved });
            if (proved.named) early(proved.verdict.id).resolve(decisionOf(proved));
          };
        },
        onClose() {
          show = () => {};
        },
      });
      counter.flush();
      channel.send({ type: 'ended', error: null });
      return await concluded.promise;
    } catch (error) {
      channel.send({ type: 'ended', error: messageOf(error) });
      throw error;
    } finally {
      counter.flush();
      channel.close();
    }
  };
  const gate = openFailureGate(inject('bail') ?? 0);
  return { traceFile: options.traceFile, gate, interrupt, early: (id) => early(id).promise, ended: carryOut() };
}

function decisionOf({ verdict, time }: Proved): Decision {
  const { id, summary, remedy, witnesses } = verdict;
  const proofs = verdict.proofs.map((proof) => ({ ...proof, evidenceOmitted: 0 }));
  return { id, verdict: verdict.verdict, summary, remedy, witnesses, proofs, decidedAt: time / 1e6 };
}

function reasonOf({ reason }: AbortSignal): string {
  const bailed =
    typeof reason === 'object' && reason !== null && 'reason' in reason && reason.reason === 'test-failure';
  return bailed ? ENDED_EARLY : 'the run ended early';
}
