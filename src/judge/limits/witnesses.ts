import { type Event, type History, limitOf, type Range, WINDOW } from '../../oracle/history.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { Evidence } from './budgets.ts';
import type { Counts } from './counts.ts';
import { isHidden, MEND, notBeside, type RunFacts, toTest } from './next-run.ts';
import type { Ruling } from './ruling.ts';
import type { ExplainedHistory } from './subject.ts';

/**
 * What the explained requests of one budget, or of many, show about a requirement: a pass, or the reason why there is
 * none.
 */
type Witness = (counts: Counts, facts: RunFacts) => Ruling;

const SPENDS = 'which spends each budget';

/** HDR-4: answers with a Remaining. */
export const remainingWitness: Witness = ({ part, remaining, usable }, facts) =>
  remaining > 0
    ? pass(part, 'Every Remaining is the limit less what was counted.', remaining)
    : unread(part, 'X-RateLimit-Remaining', 'one integer', usable.remaining, facts);

/** HDR-5: refusals with a Remaining. */
export const refusalWitness: Witness = ({ part, refused, refusedRemaining, late }, facts) => {
  if (refusedRemaining === 0 && refused > 0) {
    const remedy = 'Let every 429 carry X-RateLimit-Remaining as one integer, and run again.';
    return untested(part, 'No 429 carries a usable X-RateLimit-Remaining (HDR-1, HDR-2).', remedy);
  }
  if (refusedRemaining === 0) {
    const summary = 'No request was refused with a usable X-RateLimit-Remaining.';
    return notShown(part, summary, facts, SPENDS);
  }
  const said =
    late === null
      ? 'Every 429 says 0, and none came while some were left.'
      : `No request was refused while some were left; #${late}, a 429, says what had come back by its answer.`;
  return pass(part, said, refusedRemaining);
};

/** Why a header was not judged. If it is usable, a failure hides it, or no request was certainly counted. */
function unread(part: string, name: string, form: string, usable: boolean, facts: RunFacts): Ruling {
  if (usable) return notShown(part, `No request that was certainly counted shows ${name}.`, facts, SPENDS);
  const remedy = `Let every answer carry ${name} as ${form}, and run again.`;
  return untested(part, `No answer carries a usable ${name}.`, remedy);
}

function unmarked(part: string, usable: boolean, facts: RunFacts): Ruling {
  // The specification leaves the unit open, but a time in a form that is not known can be held against nothing.
  const form = 'one large integer that can be read as a time, such as seconds or milliseconds since the epoch';
  return unread(part, 'X-RateLimit-Reset', form, usable, facts);
}

/** HDR-7: markers. */
export const markerWitness: Witness = ({ part, markers, clockKnown, usable }, facts) => {
  if (markers === 0) return unmarked(part, usable.reset, facts);
  return {
    ...pass(part, 'Each X-RateLimit-Reset is the end of its window.', markers),
    notes: clockKnown
      ? []
      : [
          'No one clock of the server fits the Date headers, if there are any: only the distances between values of X-RateLimit-Reset were judged.',
        ],
  };
};

/** HDR-8: markers. */
export const movementWitness: Witness = ({ part, markers, usable }, facts) =>
  markers === 0
    ? unmarked(part, usable.reset, facts)
    : pass(part, 'X-RateLimit-Reset moves only from one window to the next, or slides forward.', markers);

/** LIMIT-R and LIMIT-W: a refusal after exactly the limit. */
export const thresholdWitness: Witness = ({ part, kind, exact, requests, accepted, refused, lost }, facts) => {
  const limit = limitOf(kind);
  if (exact) return pass(part, `${limit} requests pass, and the next is refused.`, requests);
  if (refused === 0) {
    const summary = `No budget was spent: ${accepted} of ${limit} requests were counted in all.`;
    return notShown(part, summary, facts, SPENDS);
  }
  if (!facts.spends) return untested(part, 'The budget was spent before.', toTest(facts, SPENDS));
  const summary =
    lost > 0
      ? `The budget was spent, but lost answers leave open whether exactly ${limit} requests passed.`
      : `The budget was spent, but no refusal shows that exactly ${limit} requests had passed before it.`;
  const again = lost > 0 ? 'Run again over a network that loses no answers.' : toTest(facts, SPENDS);
  return { verdict: 'inconclusive', part, summary, witnesses: requests, remedy: facts.broken ? MEND : again };
};

/** The minute of clause 8, with a tolerance for clocks of whole seconds, in µs. */
const SHORTEST = 59_000_000;
const LONGEST = 61_000_000;
/** A less exact measurement than this shows nothing about a minute, in µs: its bounds differ by an eighth. */
const WIDEST = 8_000_000;

/** LIMIT-WINDOW: the measured length. */
export const windowWitness: Witness = ({ part, window, requests }, facts) => {
  if (!window) {
    return notShown(
      part,
      'No budget was seen to be spent and to come back.',
      facts,
      'which waits until a spent budget comes back',
    );
  }
  const fits = window.high - window.low <= WIDEST && window.low <= LONGEST && window.high >= SHORTEST;
  if (fits) return pass(part, `The window is ${lengthText(window)} long.`, requests);
  const summary = `The length of the window is only known to be ${lengthText(window)}.`;
  // More keys have more windows, of which one may be known exactly enough.
  const remedy = toTest(facts, 'which asks often when a spent budget is about to come back', 2);
  return facts.spends
    ? { verdict: 'inconclusive', part, summary, witnesses: 0, remedy }
    : untested(part, summary, remedy);
};

function lengthText({ low, high }: Range): string {
  const [least, most] = [(low / 1e6).toFixed(1), (high / 1e6).toFixed(1)];
  return least === most ? `${least} s` : `${least} to ${most} s`;
}

/** This many simultaneous requests show whether they are counted one by one. */
export const FEWEST_AT_ONCE = 10;

/** LIMIT-ATOMIC: bursts. */
export const burstWitness: Witness = ({ part, atOnce }, facts) => {
  if (atOnce.requests < FEWEST_AT_ONCE) {
    const summary = `At most ${atOnce.requests} requests were under way at once.`;
    return notShown(part, summary, facts, 'which sends bursts');
  }
  if (!atOnce.telling) {
    const summary = 'No answer refuses or says what is left, so that nothing shows how bursts are counted.';
    return { verdict: 'inconclusive', part, summary, witnesses: 0, remedy: 'Correct the headers and the limit first.' };
  }
  return {
    ...pass(part, `Bursts of up to ${atOnce.requests} were counted exactly.`, atOnce.requests),
    notes: atOnce.repeats
      ? ['Requests under way at once were given the same remaining value, which a value read after counting explains.']
      : [],
  };
};

/** LIMIT-HISTORY: the mechanism. */
export const historyWitness: Witness = ({ part, mechanisms, requests }) =>
  pass(part, `Explained by: ${mechanisms.join('; ')}.`, requests);

/** Requests that would have shown a budget of their own: refused ones, or ones with others counted before them. */
export function telling({ history, explanation }: ExplainedHistory): readonly Event[] {
  return history.events.filter((event) => {
    if (event.outcome === 'refused') return true;
    if (event.outcome !== 'accepted' || event.remaining === null) return false;
    return explanation.model.alternatives(event).every(({ low }) => low > 0);
  });
}

/** How many requests without a valid key were sent between those of a budget, and were not counted. */
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

/**
 * Nothing in the run shows it: the run did not try, or a failure hides what it tried.
 *
 * @param how what a run of certify does for it, such as `which sends bursts`
 * @param keys how many full keys it needs
 */
export function notShown(part: string, summary: string, facts: RunFacts, how: string, keys = 1): Ruling {
  return isHidden(facts, keys) ? hidden(part) : untested(part, summary, toTest(facts, how, keys));
}

function hidden(part: string): Ruling {
  return { verdict: 'inconclusive', part, summary: notBeside(), witnesses: 0, remedy: MEND };
}

/** Nothing in the run shows it, and this would in the next one. */
export function untested(part: string, summary: string, remedy: string): Ruling {
  return { verdict: 'not tested', part, summary, witnesses: 0, remedy };
}
