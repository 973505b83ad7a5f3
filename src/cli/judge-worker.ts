import { parentPort, workerData } from 'node:worker_threads';
import { openConfirmation, openMoments } from '../judge/moments.ts';
import { type Proved, provedByAnswers, provedByHistory } from '../judge/so-far.ts';
import { followTrace } from '../trace/follow-trace.ts';
import { judgeFile } from './conclude-run.ts';
import type { JudgeJob, JudgeMessage } from './judge-apart.ts';

/** Real ms between two looks at the file: far below what a reader notices. */
const LOOK_EVERY = 100;

/** Looks for which a burst's last single request is waited for, which says what the burst itself leaves open. */
const QUIET_LOOKS = 2;

/**
 * Judging budgets takes at most a fifth of the run's time, so that it takes nothing from the run itself on a busy machine; in scaled time
 * the run's clock goes faster, and it is judged less often.
 */
const REST_TIMES = 4;

/** The worker of `judge-apart.ts`: follows a trace while it is written, where it is asked to, and makes the report of the whole. */
const { traceFile, follow } = workerData as JudgeJob;
const say = (message: JudgeMessage): void => parentPort?.postMessage(message);
const timer = follow ? setInterval(watch(), LOOK_EVERY) : null;
parentPort?.once('message', async () => {
  if (timer) clearInterval(timer);
  say({ type: 'report', report: await judgeFile(traceFile) });
});

function watch(): () => void {
  const trace = followTrace(traceFile);
  const moments = openMoments();
  const confirmed = openConfirmation();
  const told = new Set<string>();
  let quiet = 0;
  let due = false;
  let named = false;
  let restUntil = 0;
  const tell = (found: readonly Proved[]): void => {
    for (const proved of found) {
      if (told.has(proved.verdict.id)) continue;
      told.add(proved.verdict.id);
      say({ type: 'proved', proved });
    }
  };
  return () => {
    const added = trace.read();
    const soFar = trace.soFar();
    if (!soFar) return;
    moments.learn(added);
    due = moments.take() || due;
    quiet = added.exchanges.length > 0 ? 0 : quiet + 1;
    if (added.exchanges.length > 0) tell(provedByAnswers(soFar));
    if (!due || named || quiet < QUIET_LOOKS || performance.now() < restUntil) return;
    due = false;
    const started = performance.now();
    const found = confirmed(provedByHistory(soFar, trace.known()));
    tell(found);
    // What else there is beside the first explanation, the whole run tells best.
    named = found.length > 0;
    const took = performance.now() - started;
    restUntil = performance.now() + REST_TIMES * took * soFar.header.scale;
  };
}
