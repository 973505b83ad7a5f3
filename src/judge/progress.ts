import type { RequirementId } from '../catalogue/requirement.ts';
import { saysLeftOut } from '../trace/left-out.ts';
import type { NoteLine, Trace } from '../trace/trace.ts';
import type { Obstacle } from './judgement.ts';
import { isDelivery } from './limits/deliveries.ts';
import { unique } from './parts.ts';
import { isAnswered } from './view.ts';

/** Whether the run was ended early, or its trace has no end. */
export function wasInterrupted(trace: Trace): boolean {
  return trace.footer === null || trace.footer.outcome === 'interrupted';
}

/**
 * The one cause for which nothing can be judged: the preflight found one, or not one request was answered. Null where
 * there is none.
 */
export function obstacleOf(trace: Trace): Obstacle | null {
  const preflight = trace.notes.find((each) => each.code === 'preflight');
  // Its text says what to do.
  if (preflight) return { cause: preflight.text, remedy: 'after that, run again' };
  if (trace.exchanges.length === 0 || trace.condensed || trace.exchanges.some(isAnswered)) return null;
  // What the run itself gave up, because it was ended, says nothing of the target.
  const failures = unique(trace.exchanges.map((each) => each.failure ?? 'unknown')).filter(
    (each) => each !== 'aborted',
  );
  if (failures.length === 0) return null;
  return {
    cause: `${trace.header.baseUrl} answered none of ${trace.exchanges.length} requests (${failures.join(', ')})`,
    remedy: 'check that the deployment runs, that base_url is right, and that the network lets requests through',
  };
}

/** Commands whose driver notes the beginning and the end of each experiment. */
const DRIVEN: ReadonlySet<string> = new Set(['certify', 'check', 'property']);

/** As many requests at the end of an experiment without any answer are no accident of the network. */
const SILENT_TAIL = 10;

/** The experiment that comes last, and sends again, or on more keys, what others have sent. */
const ADDING = 'further';

/** Why a requirement was not judged to the end. */
export interface Unfinished {
  readonly summary: string;
  readonly remedy: string;
  /** Whether the experiments that have ended show enough for a pass, if their answers are enough. */
  readonly mayPass?: boolean;
}

/**
 * Why a requirement was not judged to the end: an experiment that it needs broke off, or the target stopped answering
 * before it ended. Null where all that were planned have ended.
 */
export function unfinished(trace: Trace, id: RequirementId): Unfinished | null {
  const named = (code: NoteLine['code']): ReadonlySet<string | null> =>
    new Set(trace.notes.filter((each) => each.code === code).map((each) => each.experiment));
  const begun = named('experiment-started');
  const ended = named('experiment-ended');
  const noted = begun.size > 0;
  const planned = trace.header.experiments.filter((each) => each.omitted === null && each.requirements.includes(id));
  const open = planned.filter((each) => !(begun.has(each.id) && ended.has(each.id)));
  const failed = trace.notes.find(
    // A request that was left out does not stop an experiment.
    (note) =>
      note.code === 'experiment-failed' && !saysLeftOut(note) && open.some((each) => each.id === note.experiment),
  );
  if (failed) {
    return {
      summary: `the experiment ${failed.experiment} stopped: ${failed.text}`,
      remedy: `fix what stopped ${failed.experiment} (${failed.text}), and run again`,
    };
  }
  if (!wasInterrupted(trace)) {
    const [endless] = DRIVEN.has(trace.header.command) ? open : [];
    if (endless) {
      return {
        summary: `the trace says that the run is complete, but it does not contain the end of ${endless.id}`,
        remedy: 'lines are missing from this trace: run again, and do not change the trace',
      };
    }
    const silent = silence(trace, id);
    return (
      silent && {
        summary: `the target stopped answering before the run had ended (${silent.join(', ')})`,
        remedy: 'find out why the deployment stopped answering, and run again',
      }
    );
  }
  if (noted && planned.length > 0 && open.length === 0) return null;
  const why = trace.notes.find(({ code }) => code === 'interrupted')?.text ?? null;
  return {
    summary: `interrupted${why === null ? '' : ` (${why})`}: the run ended before this was finished`,
    remedy: why?.includes('--bail') ? 'run again without --bail' : 'run again to the end',
    mayPass: open.length < planned.length && open.every((each) => each.id === ADDING),
  };
}

/** It speaks of every request, and a target that breaks down on one of them may have failed in any way. */
const OF_ALL: RequirementId = 'STATUS-NO5XX';

/** How the last requests failed of an experiment of the requirement, where none of them was answered; else null. */
function silence({ header, exchanges, condensed }: Trace, id: RequirementId): readonly string[] | null {
  const speaks = ({ requirements }: Trace['header']['experiments'][number]): boolean =>
    id === OF_ALL || requirements.includes(id);
  const own = header.experiments.filter((each) => each.omitted === null && speaks(each));
  const tails = new Map(own.map((each): [string, string[]] => [each.id, []]));
  let open = tails.size;
  for (let index = exchanges.length - 1; index >= 0 && open > 0; index -= 1) {
    const exchange = exchanges[index];
    const tail = exchange && tails.get(exchange.experiment);
    // What is not kept was answered, and came later.
    if (exchange && condensed && exchange.sent < condensed.last) break;
    // A burst down one connection is lost as a whole where this one breaks.
    if (!exchange || !tail || tail.length === SILENT_TAIL || isDelivery(exchange)) continue;
    if (isAnswered(exchange) || exchange.failure === 'aborted') {
      tails.delete(exchange.experiment);
      open -= 1;
    } else if (tail.push(exchange.failure ?? 'unknown') === SILENT_TAIL) open -= 1;
  }
  const silent = [...tails.values()].filter((tail) => tail.length === SILENT_TAIL);
  return silent.length === 0 ? null : unique(silent.flat()).sort();
}
