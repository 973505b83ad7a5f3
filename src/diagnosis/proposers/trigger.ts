import { isOfClass, type RequestClass } from '../../deployment/attribute.ts';
import { SECOND } from '../../deployment/deployment.ts';
import type { MovedEnd } from '../../deployment/deviations/moved-end.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { clocked } from '../clocked.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { isDecided, type World } from '../world.ts';
import { clearingClasses, hasSucceeded } from './clearing.ts';
import { keepsItsMarkers, tellsLongerWindow } from './kept-markers.ts';
import { areOnlyMarkersWrong } from './moved.ts';
import { bitsOfLength } from './round.ts';
import { blocksToTry } from './told-blocks.ts';
import { endless, isRefusal, type Parts, type Puts, partsOf } from './window-parts.ts';

/** Bits to state which of some seven rules it is and, for bad requests, by which answers they are known. */
export const RULE_BITS = Math.log2(7);
const STATUS_BITS = 2;

/** Bits for markers that state another end and are not judged: any would do. */
export const UNTOLD_BITS = 8;

/** What moves the end of an open window. */
interface Rule {
  readonly trigger: MovedEnd['trigger'];
  /** The answers by which a bad request is known. */
  readonly statuses?: readonly number[];
  /** Whether this request moves it. */
  readonly moves: (event: Event, isNthRefusal: boolean) => boolean;
  /** Which requests move it; left out: all, or another trigger. */
  readonly only?: RequestClass;
  /** Which refusal of a window moves it; left out: the first. */
  readonly nth?: number;
  /** How long after the request the window may end, in µs. If 0, the request begins the next window. */
  readonly after: readonly number[];
  /** By how much the request may delay the end, in µs. */
  readonly later?: readonly number[];
}

/** Usual times that each refusal adds to a block, in µs. */
const DELAYS = [1, 2, 3, 5, 10, 15, 20, 30, 60].map((seconds) => seconds * 1_000_000);

/** @param blocks how long keys may be blocked, in µs @param strikes at which refusal, where it is not the first */
const rulesWith = (blocks: readonly number[], strikes: readonly number[]): readonly Rule[] => [
  { trigger: 'request', moves: (event) => isDecided(event) || event.outcome === 'failed', after: [WINDOW] },
  { trigger: 'request', moves: ({ outcome }) => outcome === 'accepted', after: [WINDOW] },
  { trigger: 'refusal', moves: isRefusal, after: blocks, later: DELAYS },
  { trigger: 'first refusal', moves: (_, isFirst) => isFirst, after: blocks, later: DELAYS },
  ...strikes.map((nth): Rule => ({ trigger: 'first refusal', nth, moves: (_, isNth) => isNth, after: blocks })),
  ...[[400], [404], [400, 404]].map(
    (statuses): Rule => ({
      ...{ trigger: 'bad request', statuses, after: [WINDOW, 0] },
      moves: ({ outcome, exchange }) => outcome !== 'refused' && statuses.includes(exchange.status ?? 0),
    }),
  ),
];

/** A rule for each class of requests that may have cleared the count. */
function clearingIn(histories: readonly History[]): readonly Rule[] {
  return clearingClasses(histories).map((only) => ({
    ...{ trigger: 'request' as const, only, after: [0] },
    moves: (event) => hasSucceeded(event) && isOfClass(only, event.exchange),
  }));
}

/** How long after a request, or by how much later, a window ends; how; and by how much later at most, if it is known. */
type Way = readonly [length: number, puts: Puts, most?: number];

/** Delays of which several reach a bound. */
function boundedIn(delays: readonly number[], bound: number): readonly Way[] {
  return delays.flatMap((each): readonly Way[] => (each < bound ? [[each, 'delay', bound]] : []));
}

/**
 * By how much the markers of refusals are later than those of the accepted requests before them, at the most, as a
 * number of whole seconds, in µs; 0 if no marker tells.
 */
function longestDelay(histories: readonly History[]): number {
  const longest = histories.reduce((most, { events }) => {
    let end: number | null = null;
    let longer = most;
    for (const { outcome, reset } of events) {
      if (outcome === 'accepted') end = reset ?? end;
      else if (outcome === 'refused' && end !== null && reset !== null) longer = Math.max(longer, reset - end);
    }
    return longer;
  }, 0);
  return Math.round(longest / SECOND) * SECOND;
}

/** The least share of the decisions that is still judged: a rule under which most may be anything explains nothing. */
export const LEAST_DECIDED = 2 / 3;

/** How many requests of some budgets are known to be accepted or refused. */
export function decidedIn(histories: readonly History[]): number {
  return histories.reduce((sum, { events }) => sum + events.filter(isDecided).length, 0);
}

/** All histories in parts; null if the markers of some neither state the ends nor stay those of windows. */
function partsOfAll(histories: readonly History[], partsIn: (history: History) => Parts): readonly Parts[] | null {
  const split: Parts[] = [];
  let told = true;
  for (const history of histories) {
    const parts = partsIn(history);
    split.push(parts);
    const untold = !told || parts.isTold ? [parts] : split;
    told &&= parts.isTold;
    if (!told && !untold.every(keepsItsMarkers)) return null;
  }
  return split;
}

/**
 * Windows whose ends are moved by requests, with a rule that says when each of them ends; and windows that never end.
 */
export function* proposeTriggers(world: World, { kind, fitter }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  /** An end that no marker tells shows in what is counted. If that is in order, only markers are wrong. */
  let isInOrder: boolean | null = null;
  const histories = clocked(world.histories);
  const clearing = clearingIn(world.histories);
  const longest = longestDelay(histories);
  const blocks = blocksToTry(histories);
  const rules = rulesWith(blocks.lengths, blocks.strikes);
  for (const rule of [...rules, ...clearing]) {
    const { trigger, statuses, only, moves, nth = 1, after: lengths, later: delays = [] } = rule;
    // A block ends a window, or only delays its end.
    const ways: readonly Way[] = [
      ...lengths.flatMap((each): readonly Way[] =>
        each > 0 && each < WINDOW && nth === 1
          ? [
              [each, 'end'],
              [each, 'later end'],
            ]
          : [[each, 'end']],
      ),
      ...delays.map((each): Way => [each, 'delay']),
      ...(trigger === 'refusal' ? boundedIn(delays, longest) : []),
    ];
    for (const [after, puts, most] of ways) {
      const split = partsOfAll(histories, (history) => partsOf(history, moves, after, puts, [], nth, most));
      if (!split?.some(({ isMoved }) => isMoved)) continue;
      if (only && decidedIn(split.flatMap(({ parts }) => parts)) < LEAST_DECIDED * decidedIn(histories)) continue;
      const isTold = split.every((each) => each.isTold);
      if (!isTold) {
        isInOrder ??= areOnlyMarkersWrong(world, fitter);
        if (isInOrder) continue;
      }
      const by = { ...(statuses && { statuses }), ...(nth > 1 && { nth }), ...(only && { only }) };
      yield {
        deviations: [
          {
            operator: 'moved-end',
            parameters: {
              ...{ kinds: [kind], trigger, ...by, idle: 0, told: isTold },
              to: puts === 'delay' ? { later: after, ...(most !== undefined && { most }) } : { after },
            },
          },
        ],
        bits:
          DEVIATION_BITS +
          RULE_BITS +
          (statuses ? STATUS_BITS : 0) +
          (nth > 1 ? bitsOfNumber(nth) : 0) +
          (only ? Math.log2(1 + clearing.length) : 0) +
          (puts !== 'delay' && (after === WINDOW || after === 0) ? 0 : bitsOfLength(after)) +
          (most === undefined ? 0 : bitsOfLength(most)) +
          (isTold ? 0 : UNTOLD_BITS),
        world: endless(
          world,
          split.flatMap(({ parts }) => parts),
        ),
      };
    }
  }
  if (!world.histories.some(({ events }) => (events.at(-1)?.from ?? 0) - (events[0]?.to ?? 0) > 2 * WINDOW)) return;
  // If markers say that windows are longer, that says more.
  if (world.histories.some(tellsLongerWindow)) return;
  yield {
    deviations: [
      { operator: 'window-length', parameters: { kinds: [kind], length: null, told: WINDOW, from: 'always' } },
    ],
    bits: DEVIATION_BITS + RULE_BITS,
    world: endless(world, world.histories),
  };
}
