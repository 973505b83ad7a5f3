import { parentPort, workerData } from 'node:worker_threads';
import { EarlierParts } from '../diagnosis/earlier-parts.ts';
import { openMoments } from '../judge/moments.ts';
import { LIMITS } from '../judge/shown.ts';
import { type Proved, provedByAnswers, provedByHistory } from '../judge/so-far.ts';
import { followTrace } from '../trace/follow-trace.ts';
import type { JudgeJob, JudgeMessage } from './judge-apart.ts';
import { judgeFile } from './judge-file.ts';

/** Real ms between two looks at the file: far below what a reader notices. */
const LOOK_EVERY = 100;

/**
 * Looks at the file during which the worker waits for the single request after a burst, which decides what the burst
 * leaves open.
 */
const QUIET_LOOKS = 2;

/**
 * Looks at the file after which the worker judges budgets even if requests continue: it must report a failure within
 * two seconds.
 */
const MOST_LOOKS = 8;

/** Real ms between two judgements of the answers: often enough for a reader, and rarely enough for the processor. */
const ANSWERS_EVERY = 500;

/**
 * After judging budgets, the worker rests for as long as the processor worked on it, so it takes little from the run
 * itself. In scaled time the run's clock is faster, and the worker judges less often.
 */
const REST_TIMES = 1;

/**
 * The worker of `judge-apart.ts`: follows a trace while it is written, where it is asked to, and makes the report of
 * the whole.
 */
const { traceFile, follow, bail } = workerData as JudgeJob;
const say = (message: JudgeMessage): void => parentPort?.postMessage(message);
const timer = follow ? setInterval(watch(), LOOK_EVERY) : null;
const stop = (): void => clearInterval(timer ?? undefined);
parentPort?.once('message', async () => {
  stop();
  const onShare = (share: number): void => say({ type: 'judged', share });
  say({ type: 'report', report: await judgeFile(traceFile, onShare) });
});

function watch(): () => void {
  const trace = followTrace(traceFile);
  const moments = openMoments();
  const told = new Set<string>();
  const earlier = new EarlierParts();
  let quiet = 0;
  let waited = 0;
  const due = { answers: false, budgets: false };
  let answersFrom = 0;
  let budgetsFrom = 0;
  const tell = (found: readonly Proved[]): void => {
    for (const proved of found) {
      const name = proved.named ? proved.verdict.id : LIMITS;
      if (told.has(name)) continue;
      told.add(name);
      say({ type: 'proved', proved });
      // The run ends now, and the user waits for its report.
      if (told.size === bail) {
        stop();
        return;
      }
    }
  };
  return () => {
    const added = trace.read();
    const soFar = trace.soFar();
    if (!soFar) return;
    moments.learn(added);
    due.answers = moments.take('answers') || due.answers;
    due.budgets = moments.take('budgets') || due.budgets;
    quiet = added.exchanges.length > 0 ? 0 : quiet + 1;
    const now = performance.now();
    if (due.answers && now >= answersFrom) {
      due.answers = false;
      answersFrom = now + ANSWERS_EVERY;
      return tell(provedByAnswers(soFar));
    }
    waited = due.budgets ? waited + 1 : 0;
    const ready = quiet >= QUIET_LOOKS || waited >= MOST_LOOKS;
    // The worker has already reported that a limit is broken; the complete run can name the cause best.
    if (!due.budgets || told.has(LIMITS) || !ready || now < budgetsFrom) return;
    due.budgets = false;
    const before = process.threadCpuUsage();
    tell(provedByHistory(soFar, trace.known(), earlier).proved);
    const { user, system } = process.threadCpuUsage(before);
    budgetsFrom = performance.now() + REST_TIMES * ((user + system) / 1000) * soFar.header.scale;
  };
}
