import { parentPort, workerData } from 'node:worker_threads';
import { openMoments } from '../judge/moments.ts';
import { openStanding, type Proved, provedByAnswers, provedByHistory } from '../judge/so-far.ts';
import { followTrace } from '../trace/follow-trace.ts';
import { judgeFile } from './conclude-run.ts';
import type { JudgeJob, JudgeMessage } from './judge-apart.ts';

/** Real ms between two looks at the file: far below what a reader notices. */
const LOOK_EVERY = 100;

/** Looks for which a burst's last single request is waited for, which says what the burst itself leaves open. */
const QUIET_LOOKS = 2;

/** Looks after which budgets are judged though requests go on: a failure is to be told within two seconds. */
const MOST_LOOKS = 8;

/** Real ms between two judgements of the answers: soon enough for a reader, and seldom enough for the processor. */
const ANSWERS_EVERY = 500;

/**
 * Judging budgets takes at most half of the run's time, so that it takes little from the run itself on a busy machine; in scaled time
 * the run's clock goes faster, and it is judged less often.
 */
const REST_TIMES = 1;

/** The worker of `judge-apart.ts`: follows a trace while it is written, where it is asked to, and makes the report of the whole. */
const { traceFile, follow } = workerData as JudgeJob;
const say = (message: JudgeMessage): void => parentPort?.postMessage(message);
const timer = follow ? setInterval(watch(), LOOK_EVERY) : null;
parentPort?.once('message', async () => {
  if (timer) clearInterval(timer);
  const onShare = (share: number): void => say({ type: 'judged', share });
  say({ type: 'report', report: await judgeFile(traceFile, onShare) });
});

function watch(): () => void {
  const trace = followTrace(traceFile);
  const moments = openMoments();
  const standing = openStanding();
  const told = new Set<string>();
  let quiet = 0;
  let waited = 0;
  const due = { answers: false, budgets: false };
  let named = false;
  let answersFrom = 0;
  let budgetsFrom = 0;
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
    due.answers = moments.take('answers') || due.answers;
    due.budgets = moments.take('budgets') || due.budgets || standing.isDue(trace.known());
    quiet = added.exchanges.length > 0 ? 0 : quiet + 1;
    const now = performance.now();
    if (due.answers && now >= answersFrom) {
      due.answers = false;
      tell(provedByAnswers(soFar));
      answersFrom = now + ANSWERS_EVERY;
    }
    waited = due.budgets ? waited + 1 : 0;
    const ready = quiet >= QUIET_LOOKS || waited >= MOST_LOOKS;
    if (!due.budgets || named || !ready || now < budgetsFrom) return;
    due.budgets = false;
    const started = performance.now();
    const time = trace.known();
    const { contradicted, explained } = provedByHistory(soFar, time);
    const found = [...contradicted, ...standing.learn(explained, time)];
    tell(found);
    // What else there is beside the first explanation, the whole run tells best.
    named = found.length > 0;
    const took = performance.now() - started;
    budgetsFrom = performance.now() + REST_TIMES * took * soFar.header.scale;
  };
}
