import { Fitter } from '../../diagnosis/fit.ts';
import { besideOthers } from '../../diagnosis/others.ts';
import { conformingWorld, type World } from '../../diagnosis/world.ts';
import { type Event, type History, singleInteger } from '../../oracle/history.ts';
import { slides } from '../../oracle/shapes.ts';
import { unlessSpent, Work } from '../../oracle/work.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { Proof } from '../verdict.ts';
import type { Budget } from './budgets.ts';
import { describe, proof } from './proofs.ts';

/** Ways of LIMIT-EVADE of which the specification does not say that such a request succeeds. */
const UNSTATED: readonly string[] = ['query-string', 'path-case', 'trailing-slash', 'key-spaces'];

/** Whether the request tries a way of LIMIT-EVADE that the specification does not say to succeed. */
export function isUnstatedEvasion({ variation, fault }: Exchange): boolean {
  return variation !== null && fault === 'unstated' && UNSTATED.includes(variation);
}

/** The plain requests around another one that were decided before and after it: the last one before, and the first one that shows after. */
function neighbours(request: Exchange, exchanges: readonly Exchange[]): readonly [Exchange | null, Exchange | null] {
  let previous: Exchange | null = null;
  let next: Exchange | null = null;
  for (const other of exchanges) {
    const { sent, answered, variation, status } = other;
    if (answered === null || request.answered === null) continue;
    const plain = variation === null && other.fault === 'none' && other.operation !== null;
    if (plain && answered < request.sent && answered > (previous?.answered ?? -1)) previous = other;
    const shows = plain || (status === 429 && variation !== request.variation);
    if (shows && sent > request.answered && sent < (next?.sent ?? Number.POSITIVE_INFINITY)) next = other;
  }
  return [previous, next];
}

/** Whether the budget was spent while this request was under way: requests before and after it were refused. */
export function sentWhileSpent(request: Exchange, exchanges: readonly Exchange[]): boolean {
  return neighbours(request, exchanges).every((other) => other?.status === 429);
}

/** Events that may be looked at for each question about one request. */
const FITTING_WORK = 1_000_000;

/** Whether some mechanism explains a world. @throws WorkSpent where the work allowed does not tell */
function isExplained(world: World): boolean {
  return new Fitter(new Work(FITTING_WORK)).fit(world) !== null;
}

/**
 * Whether the request may have drawn on the budget that was spent before and after it; also where the work allowed does not tell, and where nothing explains
 * the history as it is (the key had been used before the run, say), so that the request is not what is wrong.
 */
function mayDrawOnBudget(request: Exchange, previous: Exchange, next: Exchange, history: History): boolean {
  const accepted = asAccepted(request, history);
  return unlessSpent(
    () =>
      isExplained(conformingWorld([accepted])) ||
      !isExplained(conformingWorld([history])) ||
      tookTheLast(request, previous, next, accepted),
    true,
  );
}

/**
 * Whether its own answer says that it took the last one of the budget, and a slot may have come free for it: others may have taken more just then, which no
 * history without them explains. Within a fixed window none comes free.
 */
function tookTheLast(request: Exchange, previous: Exchange, next: Exchange, accepted: History): boolean {
  const told = markerOf(request);
  if (singleInteger(request.headers.remaining) !== 0 || told === null || told !== markerOf(next)) return false;
  const world = conformingWorld(besideOthers([accepted]));
  return isExplained(told === markerOf(previous) ? { ...world, shapes: world.shapes.filter(slides) } : world);
}

/** The history with a request as one that was accepted. */
function asAccepted(request: Exchange, { events, ...history }: History): History {
  const accepted = (event: Event): Event => (event.exchange === request ? { ...event, outcome: 'accepted' } : event);
  return { ...history, events: events.map(accepted) };
}

function markerOf({ headers }: Exchange): number | null {
  return singleInteger(headers.reset);
}

/**
 * LIMIT-EVADE, by a request of which the specification does not say that it succeeds: it did, between two refusals of a spent budget, and
 * taken for one that draws on it, it contradicts every mechanism (a slot may have come free just then).
 */
export function unstatedEvasions({
  exchanges,
  history,
}: Budget): readonly { readonly name: string; readonly proof: Proof }[] {
  const found = new Map<string, Proof>();
  for (const each of exchanges) {
    const { variation, status } = each;
    if (variation === null || status === null || status < 200 || status > 299 || found.has(variation)) continue;
    if (!isUnstatedEvasion(each)) continue;
    const [previous, next] = neighbours(each, exchanges);
    if (previous?.status !== 429 || next?.status !== 429) continue;
    if (mayDrawOnBudget(each, previous, next, history)) continue;
    const received = `A request written in another way (${variation}) was let through while the budget of its key was spent.`;
    const argument = [
      describe(previous),
      describe(each),
      describe(next),
      'No mechanism lets a request through there that draws on the budget.',
    ];
    const expected = 'A budget cannot be evaded by the way in which a request is written.';
    found.set(variation, proof(expected, received, [previous, each, next], argument));
  }
  return [...found].map(([name, made]) => ({ name, proof: made }));
}
