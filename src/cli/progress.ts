import type { Wait, WaitReason } from '../drive/wait.ts';
import type { Verdict } from '../judge/verdict.ts';
import { lateEnd } from '../plan/late-end.ts';
import type { Plan } from '../plan/plan.ts';
import { causesOf } from '../report/causes.ts';
import { plural, withCommas } from '../report/wording.ts';
import { statusLine } from './status-line.ts';
import type { RunMessage } from './supervise-run.ts';

/** Real seconds between two lines if there is no terminal to redraw one. */
const LINE_EVERY_S = 15;
const REDRAW_EVERY_MS = 250;

/**
 * The share of the bar for judging: about as many seconds as judging takes for a conforming target. The finished work
 * fills it.
 */
const JUDGING_S = 2;

export interface ProgressDisplay {
  see(message: RunMessage): void;
  /** Prints lines between those of the progress. */
  print(text: string): void;
  end(): void;
}

/**
 * Shows how far a run has come: one line, redrawn, on a terminal; a plain line now and then elsewhere. It prints to
 * standard error, because standard output has only the result.
 *
 * @param scale how many times faster than real time the run's clock goes
 */
export function showProgress(plan: Plan, scale: number, stream: NodeJS.WriteStream = process.stderr): ProgressDisplay {
  const progress = followProgress(plan, scale);
  const line = statusLine(stream);
  const draw = (): void => {
    const { share, text } = progress.at(Date.now());
    const columns = line.columns();
    line.draw(columns === null ? text : `${bar(share, columns)} ${text}`);
  };
  const timer = setInterval(draw, stream.isTTY ? REDRAW_EVERY_MS : LINE_EVERY_S * 1000);
  timer.unref();
  return {
    see(message) {
      const said = progress.see(message, Date.now());
      if (said !== null) line.print(said);
      if (message.type === 'ended') draw();
    },
    print: line.print,
    end() {
      clearInterval(timer);
      line.clear();
    },
  };
}

/** How far a run has come. `now` is real time in ms throughout. */
export interface Progress {
  /** Returns a line to print where the run will take longer than was told last, with why; else null. */
  see(message: RunMessage, now: number): string | null;
  at(now: number): { readonly share: number; readonly text: string };
}

/** What the plan takes counts from the moment at which the runner is up: on a busy machine that takes a while. */
export function followProgress(plan: Plan, scale: number): Progress {
  const counts = { requests: 0, accepted: 0, refused: 0, rejected: 0 };
  const failed: Verdict[] = [];
  const waits = new Map<string, Wait & { readonly ends: number }>();
  const late = new Map<string, number>();
  let told = plan.seconds / scale;
  let begun: number | null = null;
  let judging: number | null = null;
  let judged = 0;

  /** Real seconds since the run began. */
  function elapsed(now: number): number {
    return begun === null ? 0 : (now - begun) / 1000;
  }

  /**
   * Real seconds that the plan still needs: at least the time that it still has to wait. Negative if it has taken
   * longer than planned.
   */
  function secondsLeft(now: number): number {
    const planned = lateEnd(plan, late) / scale - elapsed(now);
    const waiting = [...waits.values()].map(({ ends }) => (ends - now) / 1000);
    return Math.ceil(Math.max(planned, ...waiting));
  }

  function timeLeft(left: number): string {
    if (left > 0) return `about ${left} s left`;
    const longer = left < 0 ? `${-left} s longer than planned: ` : '';
    return `${longer}waiting for the last answers`;
  }

  function waitingFor(now: number): string {
    const [next, ...others] = [...waits.values()].sort((one, other) => one.ends - other.ends);
    if (!next) return '';
    const left = Math.max(0, Math.ceil((next.ends - now) / 1000));
    const rest =
      others.length > 0 ? `; ${plural(others.length, 'other budget')} ${others.length > 1 ? 'wait' : 'waits'} too` : '';
    return `; next request on ${budgetOf(next)} at ${timeOfDay(next.ends)} (in ${left} s), ${WHY[next.why]}${rest}`;
  }

  /** That the run takes longer than was told last, if it is worth a line: because of this wait. */
  function changed(wait: Wait & { readonly ends: number }, now: number): string | null {
    const whole = Math.ceil(elapsed(now) + secondsLeft(now));
    if (whole < told * WORTH_TELLING) return null;
    const before = Math.round(told);
    told = whole;
    const until = timeOfDay(wait.ends);
    const why = {
      // Whether it was in use is not known: keys that share a budget look the same.
      'in use': `${budgetOf(wait)} has less left than this run explains, as if in use before; its part begins again at ${until}, when such use no longer counts`,
      spent: `a refusal on ${budgetOf(wait)} says to wait until ${until}`,
      planned: `it waits for ${budgetOf(wait)} until ${until}`,
    }[wait.why];
    return `The run takes about ${whole} s, not ${before} s: ${why}.`;
  }

  /** What was sent, and how it was answered; before the first answer, what is waited for. */
  function sent(now: number): string {
    const isOpen = judging === null && failed.length === 0;
    if (isOpen && begun === null) return 'nothing sent yet: the test runner is starting';
    if (isOpen && counts.requests === 0)
      return `no answer yet: the target has not answered the first request for ${Math.floor(elapsed(now))} s`;
    const { requests, accepted, refused, rejected } = counts;
    // As in the report: what follows from a failure is no failure of its own.
    const failures = failed.length - causesOf(failed).size;
    const found = failures === 0 ? 'no failure so far' : plural(failures, 'failure');
    const others = requests - accepted - refused - rejected;
    const rest = [
      ...(rejected > 0 ? [`${withCommas(rejected)} rejected as intended (such as 400 and 401)`] : []),
      ...(others > 0 ? [`${withCommas(others)} with another answer or none`] : []),
    ];
    const all = [`${withCommas(accepted)} accepted`, `${withCommas(refused)} refused (429)`, ...rest];
    return `${found}; ${plural(requests, 'request')}: ${all.join(', ')}`;
  }

  return {
    see(message, now) {
      if (message.type === 'begun') begun = now;
      else if (message.type === 'answers') {
        counts.requests += message.requests;
        counts.accepted += message.accepted;
        counts.refused += message.refused;
        counts.rejected += message.rejected;
      } else if (message.type === 'shown') failed.push(message.proved.verdict);
      else if (message.type === 'ended') judging = now;
      else if (message.type === 'judged') judged = Math.max(judged, message.share);
      else if (message.type === 'waiting') {
        const { wait } = message;
        const track = plan.tracks.find(({ id }) => id === wait.track);
        if (track) late.set(track.id, Math.max(late.get(track.id) ?? 0, wait.started / 1e6 - track.start));
        if (wait.until === null) waits.delete(wait.track);
        else {
          const waiting = { ...wait, ends: now + (wait.until - wait.now) / 1000 / scale };
          waits.set(wait.track, waiting);
          return changed(waiting, now);
        }
      }
      return null;
    },
    at(now) {
      const whole = plan.seconds / scale + JUDGING_S;
      if (judging !== null) {
        const took = Math.floor((now - judging) / 1000);
        const share = 1 - (JUDGING_S / whole) * (1 - judged);
        const done = `${Math.floor(judged * 100)} % of the work, ${took} s`;
        return { share, text: `judging (${done}); ${sent(now)}` };
      }
      const left = secondsLeft(now);
      return {
        share: Math.max(0, 1 - (Math.max(0, left) + JUDGING_S) / whole),
        // What matters most comes first: a narrow terminal cuts the rest.
        text: `${timeLeft(left)}, then judging; ${sent(now)}${waitingFor(now)}`,
      };
    },
  };
}

/** What was said of the whole time is said again only where it was this many times too short. */
const WORTH_TELLING = 1.1;

/** Why the next request on a budget has to wait. */
const WHY: Readonly<Record<WaitReason, string>> = {
  planned: 'because the suite has to see what is let through when a minute has ended',
  'in use': 'because it has less left than this run explains, and earlier use must no longer count',
  spent: 'because a refusal says to wait so long',
};

function budgetOf({ key, kind }: Wait): string {
  return `${key}'s ${kind} budget`;
}

function timeOfDay(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8);
}

/** The bar takes up to a sixth of the line. */
function bar(share: number, columns: number): string {
  const width = Math.min(24, Math.floor(columns / 6));
  const full = Math.round(share * width);
  return `${'█'.repeat(full)}${'░'.repeat(width - full)}`;
}
