import { type Event, type History, type Range, WINDOW } from '../../oracle/history.ts';
import { nameOf as mechanismName } from '../../oracle/mechanism-name.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { Evidence } from './budgets.ts';
import { marked } from './direct.ts';
import type { Ruling } from './ruling.ts';
import { type ExplainedHistory, nameOf, type Subject } from './subject.ts';

/** What the requests of one budget show of a requirement, under the explanation found: a pass, or why there is none. */
type Witness = (subject: Subject) => Ruling;

const FULL_PLAN = 'Run the full plan, which spends each budget.';

function largest({ explained }: Subject): ExplainedHistory | null {
  return explained.reduce<ExplainedHistory | null>(
    (one, other) => (one && one.history.events.length >= other.history.events.length ? one : other),
    null,
  );
}

/** HDR-4: answers with a Remaining. */
export const remainingWitness: Witness = (subject) => {
  const witnesses = subject.explained.flatMap(({ history }) =>
    history.events.filter((each) => each.remaining !== null),
  );
  const part = nameOf(subject);
  return witnesses.length > 0
    ? pass(part, 'Every Remaining is the limit less what was counted.', witnesses.length)
    : untested(part, 'No answer carries a usable X-RateLimit-Remaining.', 'Correct HDR-1 and HDR-2 first.');
};

/** HDR-5: refusals with a Remaining. */
export const refusalWitness: Witness = (subject) => {
  const refused = subject.explained.flatMap(({ history }) =>
    history.events.filter(({ outcome, remaining }) => outcome === 'refused' && remaining !== null),
  );
  const part = nameOf(subject);
  if (refused.length === 0) {
    return untested(part, 'No request was refused with a usable X-RateLimit-Remaining.', FULL_PLAN);
  }
  const late = refused.find(({ remaining }) => remaining !== 0);
  return pass(
    part,
    late
      ? `No request was refused while some were left; #${late.exchange.seq}, a 429, says what had come back by its answer.`
      : 'Every 429 says 0, and none came while some were left.',
    refused.length,
  );
};

const UNREADABLE = 'No answer carries a usable X-RateLimit-Reset.';

/** HDR-7: markers. */
export const markerWitness: Witness = (subject) => {
  const witnesses = subject.explained.reduce((sum, { history }) => sum + marked(history).length, 0);
  const part = nameOf(subject);
  if (witnesses === 0) return untested(part, UNREADABLE, 'Correct HDR-1, HDR-2 and HDR-6 first.');
  const known = subject.explained.every(({ history }) => Number.isFinite(history.offset.low));
  return {
    ...pass(part, 'Each marker is the reset of its window.', witnesses),
    notes: known
      ? []
      : ["There is no Date header, so that the server's clock is unknown: only the distances of markers were judged."],
  };
};

/** HDR-8: markers. */
export const movementWitness: Witness = (subject) => {
  const witnesses = subject.explained.reduce((sum, { history }) => sum + marked(history).length, 0);
  const part = nameOf(subject);
  return witnesses === 0
    ? untested(part, UNREADABLE, 'Correct HDR-1, HDR-2 and HDR-6 first.')
    : pass(part, 'The marker moves only from one window to the next, or slides forward.', witnesses);
};

/** LIMIT-R and LIMIT-W: a refusal after exactly as many requests as the limit says. */
export const thresholdWitness: Witness = (subject) => {
  const part = nameOf(subject);
  const { limit } = subject.budget.history;
  const exact = subject.explained.some((each) => each.history.events.some((event) => showsThreshold(event, each)));
  const own = subject.explained.reduce((sum, { history }) => sum + history.events.length, 0);
  if (exact) return pass(part, `${limit} requests pass, and the next is refused.`, own);
  const accepted = count(subject, 'accepted');
  return count(subject, 'refused') > 0
    ? {
        verdict: 'inconclusive',
        part,
        summary: `The budget was spent, but lost answers leave open whether exactly ${limit} requests passed.`,
        witnesses: own,
        remedy: 'Run again over a network that loses no answers.',
      }
    : untested(part, `No budget was spent: ${accepted} of ${limit} requests were counted in all.`, FULL_PLAN);
};

function count({ explained }: Subject, wanted: Event['outcome']): number {
  return explained.reduce(
    (sum, { history }) => sum + history.events.filter(({ outcome }) => outcome === wanted).length,
    0,
  );
}

/**
 * Whether a refusal shows the limit to the request: the mechanism allows for no more than the limit before it, or it is the first of all
 * after exactly so many, or an accepted request had left 0.
 */
function showsThreshold(refusal: Event, { history, explanation }: ExplainedHistory): boolean {
  if (refusal.outcome !== 'refused') return false;
  const { events, limit } = history;
  if (explanation.model.alternatives(refusal).some(({ high }) => high === limit)) return true;
  const before = events.filter((event) => event !== refusal && event.from <= refusal.to);
  const accepted = before.filter(({ outcome }) => outcome === 'accepted').length;
  const maybe = before.filter(({ outcome }) => outcome === 'failed' || outcome === 'unclear').length;
  if (accepted <= limit && accepted + maybe === limit) return true;
  return before.some(({ outcome, remaining, to }) => outcome === 'accepted' && remaining === 0 && to < refusal.from);
}

/** What clause 8 states, and how far clocks that tick in whole seconds may be from it, in µs. */
const SHORTEST = 59_000_000;
const LONGEST = 61_000_000;
/** A measurement wider than this says nothing of a minute, in µs: the shortest and longest that it allows differ by an eighth. */
const WIDEST = 8_000_000;

/** LIMIT-WINDOW: the length as measured. */
export const windowWitness: Witness = (subject) => {
  const { window } = subject;
  const part = nameOf(subject);
  if (!window) {
    return untested(
      part,
      'No budget was seen to be spent and to come back.',
      'Run the full plan, which waits for the return.',
    );
  }
  const witnesses = subject.budget.history.events.length;
  const fits = window.high - window.low <= WIDEST && window.low <= LONGEST && window.high >= SHORTEST;
  return fits
    ? pass(part, `The window is ${lengthText(window)} long.`, witnesses)
    : {
        verdict: 'inconclusive',
        part,
        summary: `The length of the window is only known to be ${lengthText(window)}.`,
        witnesses: 0,
        remedy: 'Run the full plan, which polls for the return.',
      };
};

function lengthText({ low, high }: Range): string {
  const [least, most] = [(low / 1e6).toFixed(1), (high / 1e6).toFixed(1)];
  return least === most ? `${least} s` : `${least} to ${most} s`;
}

/** So many requests at once show whether they are counted one by one. */
const FEWEST_AT_ONCE = 10;

/** LIMIT-ATOMIC: bursts. */
export const burstWitness: Witness = (subject) => {
  const part = nameOf(subject);
  const crowd = largestCrowd(largest(subject)?.history.events ?? []);
  if (crowd.length < FEWEST_AT_ONCE) {
    return untested(part, `At most ${crowd.length} requests were under way at once.`, 'Run an experiment with bursts.');
  }
  if (!crowd.some(({ outcome, remaining }) => outcome === 'refused' || remaining !== null)) {
    const summary = 'No answer refuses or says what is left, so that nothing shows how bursts are counted.';
    return { verdict: 'inconclusive', part, summary, witnesses: 0, remedy: 'Correct the headers and the limit first.' };
  }
  const values = crowd.flatMap(({ outcome, remaining }) =>
    outcome === 'accepted' && remaining !== null ? [remaining] : [],
  );
  return {
    ...pass(part, `Bursts of up to ${crowd.length} were counted exactly.`, crowd.length),
    notes:
      new Set(values).size < values.length
        ? [
            'Requests under way at once were given the same remaining value, which a value read after counting explains.',
          ]
        : [],
  };
};

/** The most requests that were all under way at one moment. */
export function largestCrowd(events: readonly Event[]): readonly Event[] {
  const answered = events.filter(({ outcome }) => outcome === 'accepted' || outcome === 'refused');
  const ends = Float64Array.from(answered, ({ to }) => to).sort();
  let moment = 0;
  let most = 0;
  let ended = 0;
  for (const [index, { from }] of answered.entries()) {
    while ((ends[ended] ?? Number.POSITIVE_INFINITY) < from) ended++;
    if (index + 1 - ended <= most) continue;
    most = index + 1 - ended;
    moment = index;
  }
  const last = answered[moment];
  return last ? answered.slice(0, moment + 1).filter(({ to }) => to >= last.from) : [];
}

/** LIMIT-HISTORY: the mechanism. */
export const historyWitness: Witness = (subject) => {
  const names = [...new Set(subject.explained.map(({ explanation }) => mechanismName(explanation.variant.mechanism)))];
  const witnesses = subject.explained.reduce((sum, { history }) => sum + history.events.length, 0);
  return pass(nameOf(subject), `Explained by: ${names.join('; ')}.`, witnesses);
};

/** Requests that would have shown a budget of their own: refused, or with others counted before them. */
export function telling({ history, explanation }: ExplainedHistory): readonly Event[] {
  return history.events.filter((event) => {
    if (event.outcome === 'refused') return true;
    if (event.outcome !== 'accepted' || event.remaining === null) return false;
    return explanation.model.alternatives(event).every(({ low }) => low > 0);
  });
}

/** How many requests without a valid key came between those of a budget, and were not counted. */
export function anonymousAmong(history: History, events: readonly Event[], { anonymous }: Evidence): number {
  const first = history.events[0]?.from ?? Number.POSITIVE_INFINITY;
  return anonymous.filter(
    ({ answered, fault, kind, sent }: Exchange) =>
      answered !== null &&
      fault !== 'none' &&
      kind === history.kind &&
      first < sent &&
      events.some(({ from }) => from > sent && from < sent + WINDOW / 2),
  ).length;
}

export function pass(part: string, summary: string, witnesses: number): Ruling {
  return { verdict: 'pass', part, summary, witnesses };
}

export function untested(part: string, summary: string, remedy: string): Ruling {
  return { verdict: 'not tested', part, summary, witnesses: 0, remedy };
}
