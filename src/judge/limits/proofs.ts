import { findBackward } from '../../oracle/backward.ts';
import type { Contradiction, MarkerOff } from '../../oracle/check.ts';
import { type Counting, countedAs } from '../../oracle/counting.ts';
import { type Event, type History, isAnothers } from '../../oracle/history.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { Proof } from '../verdict.ts';

/** The most exchanges that one proof shows. */
const MOST_EVIDENCE = 20;

/** Exchanges in order of `sent`, each once. */
export function evidenceOf(exchanges: readonly (Exchange | null | undefined)[]): readonly Exchange[] {
  const unique = new Map<number, Exchange>();
  for (const exchange of exchanges) if (exchange) unique.set(exchange.seq, exchange);
  return [...unique.values()]
    .sort((one, other) => one.sent - other.sent || one.seq - other.seq)
    .slice(0, MOST_EVIDENCE);
}

/** Seconds of the run, to the ms. */
export function seconds(time: number): string {
  return `${(time / 1e6).toFixed(3)} s`;
}

/** An exchange in words: what was sent when, and what came back. */
export function describe(exchange: Exchange): string {
  const { seq, kind, status, sent, answered, headers } = exchange;
  const remaining = headers.remaining[0];
  const said = remaining === undefined ? '' : `, ${remaining} left`;
  const outcome = status === null ? 'had no answer' : `was answered ${status}${said}`;
  return `#${seq} (${kind}, sent at ${seconds(sent)}) ${outcome}${answered === null ? '' : ` at ${seconds(answered)}`}.`;
}

export function proof(
  expected: string,
  received: string,
  exchanges: readonly (Exchange | null | undefined)[],
  argument: readonly string[],
  diagnosis: string | null = null,
): Proof {
  return { expected, received, evidence: evidenceOf(exchanges), argument, diagnosis };
}

/** The last event that was answered before `event` was sent and for which `fits` is true; null: none. */
export function before(history: History, event: Event, fits: (other: Event) => boolean): Event | null {
  let found: Event | null = null;
  for (const other of history.events) {
    if (other.from > event.from) break;
    if (other !== event && other.to < event.from && fits(other) && (!found || other.to > found.to)) found = other;
  }
  return found;
}

/** Whether the limiter itself answered: the request was accepted or refused. */
export function decided({ outcome }: Event): boolean {
  return outcome === 'accepted' || outcome === 'refused';
}

/** What a mechanism counts if nothing else is known about it. */
const ACCEPTED: Counting = { failedCounted: new Set(), undecided: new Set(), refusedCounted: false };

/**
 * A contradiction as sentences about the exchanges that show it.
 *
 * @param counting what the contradicted mechanism counts
 */
export function explainContradiction(
  contradiction: Contradiction,
  history: History,
  counting: Counting = ACCEPTED,
): { readonly evidence: readonly Exchange[]; readonly argument: readonly string[] } {
  const { kind, event, allowed, span } = contradiction;
  const { limit } = history;
  if (kind === 'overfull' && span) {
    const inside = history.events.filter(
      (event) => countedAs(event, counting) === 'certain' && event.from >= span.sureFrom && event.to <= span.endLow,
    );
    const [first] = inside;
    const last = inside[inside.length - 1];
    const others = inside.filter(({ outcome }) => outcome !== 'accepted' && !isAnothers(outcome)).length;
    const counted = others === 0 ? 'accepted' : `counted (${inside.length - others} accepted and ${others} others)`;
    const sentence = `${inside.length} requests were ${counted} within ${((span.endLow - span.startLow) / 1e6).toFixed(1)} s, from #${first?.exchange.seq} to #${last?.exchange.seq}; the limit is ${limit}.`;
    return { evidence: evidenceOf([first?.exchange, last?.exchange]), argument: [sentence] };
  }
  if (!event) return { evidence: [], argument: [] };
  const backward = kind === 'marker goes back' ? findBackward(history) : null;
  const previous = backward?.earlier.event ?? before(history, event, decided);
  const argument = previous ? [describe(previous.exchange), describe(event.exchange)] : [describe(event.exchange)];
  const low = allowed?.low ?? 0;
  const high = allowed?.high ?? 0;
  const requests = (most: number): string => `${most} ${history.kind}${most === 1 ? '' : 's'} of ${history.key}`;
  if (kind === 'too early') {
    const most = high > 0 ? `At most ${requests(high)}` : `No ${history.kind} of ${history.key}`;
    argument.push(
      `${most} can still have been counted at #${event.exchange.seq}. The limit is ${limit}, so it had to be accepted.`,
    );
  } else if (kind === 'too late') {
    argument.push(`At least ${requests(low)} had been counted before #${event.exchange.seq}, so it had to be refused.`);
  } else if (kind === 'remaining') {
    const least = Math.max(0, history.shown - 1 - high);
    const most = Math.max(0, history.shown - 1 - low);
    const left = event.remaining ?? 0;
    const isPossible = least <= left && left <= most;
    const counted = `${low === high ? '' : `Between ${low} and `}${requests(high)} had been counted before #${event.exchange.seq}`;
    argument.push(
      isPossible
        ? `${counted}. Each leaves one fewer, and beside the other answers of its window #${event.exchange.seq} cannot have left ${left}.`
        : `#${event.exchange.seq} says that ${left} were left, but ${least === most ? least : `${least} to ${most}`} ${least === 1 && most === 1 ? 'was' : 'were'} left: ${counted.replace(/^B/, 'b')}.`,
    );
  } else if (kind === 'marker goes back') {
    argument.push(
      `X-RateLimit-Reset of #${event.exchange.seq} lies before that of #${previous?.exchange.seq}, and the end of a window never goes back.`,
    );
  } else if (kind === 'marker moves') {
    const both = previous ? `#${previous.exchange.seq} and #${event.exchange.seq} lie` : `#${event.exchange.seq} lies`;
    argument.push(`${both} in one window, whose X-RateLimit-Reset cannot have moved so far.`);
  } else {
    argument.push(aboutMarker(event, contradiction.off));
  }
  const against = contradiction.off?.against;
  return { evidence: evidenceOf([previous?.exchange, event.exchange, against?.exchange]), argument };
}

/** How a marker contradicts the clock of the target, as the marker of another answer or its `Date` show it. */
function aboutMarker({ exchange: { seq } }: Event, off: MarkerOff | undefined): string {
  const own = `the window that counted #${seq}`;
  if (!off || !Number.isFinite(off.by) || off.by === 0) return `X-RateLimit-Reset of #${seq} is not the end of ${own}.`;
  const amount = Math.abs(off.by);
  const length = amount < 100_000 ? `${Math.floor(amount / 1000)} ms` : `${Math.floor(amount / 100_000) / 10} s`;
  const lies = `lies more than ${length} ${off.by > 0 ? 'after' : 'before'} the end of ${own}`;
  if (!off.against) return `By the clock of the target, X-RateLimit-Reset of #${seq} ${lies}.`;
  return `If X-RateLimit-Reset of #${off.against.exchange.seq} is the end of its window, that of #${seq} ${lies}.`;
}
