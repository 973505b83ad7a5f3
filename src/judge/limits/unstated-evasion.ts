import { ATTRIBUTE_NAMES, CHANGED, classesText } from '../../deployment/attribute.ts';
import { besideOthers } from '../../diagnosis/beside-others.ts';
import { Fitter } from '../../diagnosis/fitter.ts';
import { conformingWorld, type World } from '../../diagnosis/world.ts';
import type { Event, History } from '../../oracle/history.ts';
import { slides } from '../../oracle/shapes.ts';
import { singleInteger } from '../../oracle/single-integer.ts';
import { unlessSpent, Work } from '../../oracle/work.ts';
import { type Exchange, isSuccess } from '../../trace/exchange.ts';
import type { Proof } from '../verdict.ts';
import type { Budget } from './budgets.ts';
import { describe, proof } from './proofs.ts';

/** Variations of LIMIT-EVADE that the specification does not require to succeed. */
const UNSTATED: readonly string[] = [
  'query-string',
  'path-case',
  'trailing-slash',
  'key-spaces',
  'both-headers',
  'scheme-case',
];

/** Whether the request uses a variation of LIMIT-EVADE that the specification does not require to succeed. */
export function isUnstatedEvasion({ variation, fault }: Exchange): boolean {
  return variation !== null && fault === 'unstated' && UNSTATED.includes(variation);
}

/**
 * The plain requests decided before and after another request: the last one before, and the first one after that shows
 * something.
 */
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

/** The most events examined for each question about one request. */
const FITTING_WORK = 1_000_000;

/** Whether some mechanism explains these histories. @throws WorkSpent if the bound of work leaves it open */
function isExplained(world: World): boolean {
  return new Fitter(new Work(FITTING_WORK)).fit(world) !== null;
}

/**
 * Whether the request may have used the budget that was spent before and after it. Also true if the bound of work
 * leaves it open, or if nothing explains the history without the request either (such as use before the run), so that
 * the request is not at fault.
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
 * Whether the answer says that it took the last request of the budget, which may just have come back. Others may have
 * taken further ones at that moment, which no history without them explains. Within a fixed window, none comes back.
 */
function tookTheLast(request: Exchange, previous: Exchange, next: Exchange, accepted: History): boolean {
  const told = markerOf(request);
  if (singleInteger(request.headers.remaining) !== 0 || told === null || told !== markerOf(next)) return false;
  const world = conformingWorld(besideOthers([accepted]));
  return isExplained(told === markerOf(previous) ? { ...world, shapes: world.shapes.filter(slides) } : world);
}

/** The history, with the request as an accepted one. */
function asAccepted(request: Exchange, { events, ...history }: History): History {
  const accepted = (event: Event): Event => (event.exchange === request ? { ...event, outcome: 'accepted' } : event);
  return { ...history, events: events.map(accepted) };
}

/** Such a request, as the subject of a sentence. */
function inWords(variation: string): string {
  const attribute = ATTRIBUTE_NAMES.find((name) => name === variation);
  if (attribute === undefined || attribute === 'query-string') return 'A request with another query';
  return classesText(attribute, [CHANGED]).replace('Requests', 'A request');
}

function markerOf({ headers }: Exchange): number | null {
  return singleInteger(headers.reset);
}

/**
 * LIMIT-EVADE, by a request that the specification does not require to succeed. It succeeded between two refusals of a
 * spent budget. If it had used that budget, it would contradict every mechanism, even if one request had just come
 * back. An operation that succeeds without an accepted key has no budget to evade.
 *
 * @param anonymous the requests of the run without an accepted key
 */
export function unstatedEvasions(
  { exchanges, history }: Budget,
  anonymous: readonly Exchange[],
): readonly { readonly name: string; readonly proof: Proof }[] {
  const open = new Set(anonymous.filter(({ status }) => isSuccess(status)).map(({ pair }) => pair));
  const found = new Map<string, Proof>();
  for (const each of exchanges) {
    const { variation } = each;
    if (variation === null || !isSuccess(each.status) || found.has(variation)) continue;
    if (!isUnstatedEvasion(each) || open.has(each.pair)) continue;
    const [previous, next] = neighbours(each, exchanges);
    if (previous?.status !== 429 || next?.status !== 429) continue;
    if (mayDrawOnBudget(each, previous, next, history)) continue;
    const received = `${inWords(variation)} was let through while the budget of its key was spent.`;
    const argument = [
      describe(previous),
      describe(each),
      describe(next),
      `Between #${previous.seq} and #${next.seq}, which were refused, no request that draws on the budget can pass, as #${each.seq} did.`,
    ];
    const expected = 'A budget cannot be evaded by the way in which a request is written.';
    found.set(variation, proof(expected, received, [previous, each, next], argument));
  }
  return [...found].map(([name, made]) => ({ name, proof: made }));
}
