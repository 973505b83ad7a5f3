import { type Event, type History, isLetThrough, WINDOW } from '../../oracle/history.ts';
import { clocked } from '../clocked.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { isDecided, type World } from '../world.ts';
import { keepsItsMarkers } from './kept-markers.ts';
import { bitsOfLength } from './round.ts';
import { BLOCKS } from './told-blocks.ts';
import { RULE_BITS, UNTOLD_BITS } from './trigger.ts';
import { TOLERANCE } from './window-parts.ts';

/**
 * Budgets that begin anew after a block, whatever their mechanism: the first refusal blocks all further requests for
 * some time, and then nothing is counted any more.
 */
export function* proposeBlocks(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  const histories = clocked(world.histories);
  for (const after of BLOCKS) {
    const split = histories.map((history) => partsOf(history, after));
    const found = split.flatMap((each) => each ?? []);
    if (found.length < split.length || !found.some(({ isBlocked }) => isBlocked)) continue;
    const told = found.every(({ isTold }) => isTold);
    if (!told && !found.every(({ blocks, parts }) => keepsItsMarkers({ parts: [...blocks, ...parts] }))) continue;
    yield {
      deviations: [
        {
          operator: 'moved-end',
          parameters: { kinds: [kind], trigger: 'first refusal', to: { after }, idle: 0, told },
        },
      ],
      bits: DEVIATION_BITS + RULE_BITS + (after === WINDOW ? 0 : bitsOfLength(after)) + (told ? 0 : UNTOLD_BITS),
      world: { ...world, histories: found.flatMap(({ parts }) => parts) },
    };
  }
}

/** A history in parts, each of which ends with a block. */
interface Parts {
  readonly parts: readonly History[];
  /** The refusals of each block. */
  readonly blocks: readonly History[];
  /** Whether a block kept anything back. */
  readonly isBlocked: boolean;
  /** Whether the markers of refusals state the ends of blocks. */
  readonly isTold: boolean;
}

/**
 * The parts, if each refusal that is not of a block blocks the budget for so long (µs); null if something was let
 * through meanwhile.
 */
function partsOf(history: History, after: number): Parts | null {
  const parts: Event[][] = [[]];
  const blocks: Event[][] = [];
  let first: Event | null = null;
  let until = Number.NEGATIVE_INFINITY;
  let isBlocked = false;
  let isTold = true;
  for (const event of history.events) {
    const { from, to, outcome } = event;
    if (first && from >= until - TOLERANCE && outcome !== 'refused') {
      if (!isDecided(event) && from < until + TOLERANCE) continue;
      parts.push([]);
      first = null;
    }
    const again = (from + to) / 2 + after;
    const isOver = from > until + TOLERANCE || (from > until - TOLERANCE && !tells(history, event, until));
    // If a window is not over when its block is, the next refusal blocks anew.
    const isAnew = outcome === 'refused' && (!first || (isOver && tells(history, event, again)));
    if (first && from > first.to && !isAnew) {
      if (isLetThrough(event) || from > until + TOLERANCE) return null;
      isTold &&= tells(history, event, until);
      blocks.at(-1)?.push(event);
      isBlocked = true;
      continue;
    }
    if (outcome === 'refused') {
      if (isAnew) {
        until = again;
        first = event;
        blocks.push([]);
      }
      blocks.at(-1)?.push(event);
      isTold &&= tells(history, event, until);
      parts.at(-1)?.push({ ...event, reset: null });
      continue;
    }
    parts.at(-1)?.push(event);
  }
  const withOnly = (events: readonly Event[]): History => ({ ...history, events });
  return {
    parts: parts.filter(({ length }) => length > 0).map(withOnly),
    blocks: blocks.map(withOnly),
    ...{ isBlocked, isTold },
  };
}

/** Whether the marker of a refusal is the end of the block (µs of the run’s clock), as far as clocks show it. */
export function tells(
  { offset, unit }: Pick<History, 'offset' | 'unit'>,
  { reset, outcome }: Event,
  until: number,
): boolean {
  if (outcome !== 'refused' || reset === null) return true;
  const slack = TOLERANCE + (unit ?? 0);
  return reset >= until + offset.low - slack && reset <= until + offset.high + slack;
}
