import type { Deviation } from '../deployment/operators.ts';
import { firstContradiction } from '../oracle/first-contradiction.ts';
import { phaseByMarkers } from '../oracle/marker-phase.ts';
import { SHAPES, type Shape, variantOf } from '../oracle/shapes.ts';
import { Work, WorkSpent } from '../oracle/work.ts';
import { anyCounting, type Fit, Fitter, groupsOf } from './fit.ts';
import { bitsOfShape, type Proposal, type Proposer, type SearchContext } from './proposal.ts';
import { proposeAdmissions } from './proposers/admission.ts';
import { proposeCrowds } from './proposers/crowd.ts';
import { proposeEvasions } from './proposers/evasion.ts';
import { proposeFirsts } from './proposers/first.ts';
import { proposeLimits } from './proposers/limit.ts';
import { proposeMechanisms } from './proposers/mechanism.ts';
import { proposeMovedEnds } from './proposers/moved.ts';
import { proposeNodes } from './proposers/nodes.ts';
import { proposeReporters } from './proposers/reporters.ts';
import { proposeRollOver } from './proposers/roll-over.ts';
import { PARTITIONS, proposeApart } from './proposers/scope.ts';
import { proposeSecondLimits } from './proposers/second-limit.ts';
import {
  KEY_BLOCKS,
  proposeAnonymous,
  proposeOneBudget,
  proposeOtherKind,
  proposeSharedKinds,
} from './proposers/sharing.ts';
import { proposeLostCounts } from './proposers/split.ts';
import { proposeDoubled, proposeForgotten } from './proposers/sporadic.ts';
import { proposeFailedWeights, WEIGHTS } from './proposers/weight.ts';
import { proposeExpiry, proposeLengths } from './proposers/window.ts';
import { proposeWindowLimits } from './proposers/window-limit.ts';
import type { World } from './world.ts';

/** A deployment that explains a run, by how it deviates from what the specification states. */
export interface Explained {
  readonly deviations: readonly Deviation[];
  /** Its description length in bits. */
  readonly bits: number;
  readonly world: World;
  /** Null where what found the deviation has held it against all histories itself. */
  readonly fit: Fit | null;
  /** The mechanism under which it explains all; null where it does so whatever that is. */
  readonly shape: Shape | null;
}

/** What a search has found, and whether it came to its end. */
export interface Found {
  readonly explanations: readonly Explained[];
  readonly cut: boolean;
}

/** Every operator that can be read off a run. */
const PROPOSERS: readonly Proposer[] = [
  proposeLimits,
  proposeWindowLimits,
  proposeOneBudget,
  ...KEY_BLOCKS,
  proposeSharedKinds,
  proposeOtherKind,
  proposeAnonymous,
  proposeReporters,
  proposeApart,
  ...PARTITIONS,
  proposeEvasions,
  ...WEIGHTS,
  proposeFailedWeights,
  proposeFirsts,
  proposeMechanisms,
  proposeLengths,
  proposeExpiry,
  proposeRollOver,
  proposeAdmissions,
  proposeCrowds,
  proposeNodes,
  proposeForgotten,
  proposeDoubled,
  proposeSecondLimits,
  proposeLostCounts,
  proposeMovedEnds,
];

/** Explanations that cost so many bits more than the cheapest are not looked for. */
export const MARGIN_BITS = 12;

/**
 * The cheapest sets of deviations that explain a world: all single ones, and where there is none, pairs of them, cheapest first
 * (de Kleer and Williams 1987; Williams and Ragno 2007). A pair begins with a deviation that explains more of the
 * budgets than none does.
 *
 * @param onWork hears of the events that may no longer be asked for, since a part of the search has ended: `SEARCH_WORK` in all
 */
export function searchDeviations(
  world: World,
  context: Omit<SearchContext, 'fitter' | 'work'>,
  onWork: (events: number) => void = () => {},
): Found {
  const found: Explained[] = [];
  const partial: Proposal[] = [];
  let cut = false;
  /** Each proposer has its own share of the work, so that none takes that of the others. */
  const within = (most: number, look: (context: SearchContext) => void): void => {
    if (!inShare(most, context, look).isDone) cut = true;
    onWork(most);
  };
  for (const proposer of PROPOSERS) {
    within(PROPOSER_WORK, (own) => {
      for (const proposal of proposer(world, own)) {
        const explained = hold(proposal, own);
        if (explained) found.push(explained, ...insteadOf(proposal, explained));
        else partial.push(proposal);
      }
    });
  }
  if (found.every(({ bits }) => bits > MOST_SINGLE_BITS))
    within(PAIRS_WORK, (own) => pairs(world, partial, own, found));
  return { explanations: cheapest(found), cut };
}

/** Events that may be looked at for one operator, and for all pairs: all together some three seconds of one core. */
const PROPOSER_WORK = 1_200_000;
const PAIRS_WORK = 6_000_000;

/** A single deviation that takes more bits to say is hardly what is wrong: two that are read off a run take fewer, as a rule. */
const MOST_SINGLE_BITS = 40;

/** Events that a whole search may look at. */
export const SEARCH_WORK = PROPOSERS.length * PROPOSER_WORK + PAIRS_WORK;

function pairs(world: World, first: readonly Proposal[], context: SearchContext, found: Explained[]): void {
  const reached = explainedShare(world, context);
  const better = first
    .filter(({ deviations }) => !deviations.some(followsNoRule))
    .map((proposal) => ({ proposal, gain: explainedShare(proposal.world, context) - reached }))
    .filter(({ gain }) => gain > LEAST_GAIN)
    .sort((one, other) => other.gain - one.gain || one.proposal.bits - other.proposal.bits);
  for (const { proposal: one } of better.slice(0, MOST_FIRST)) {
    const operators = new Set(one.deviations.map(({ operator }) => operator));
    for (const proposer of PROPOSERS) {
      // The use by others that is known is beside the run as it was, and not beside a first deviation.
      const { spent } = inShare(SECOND_WORK, { ...context, background: null }, (own) => {
        for (const other of proposer(one.world, own)) {
          // What the same operator says twice, it says once with other parameters.
          if (other.deviations.some((each) => followsNoRule(each) || operators.has(each.operator))) continue;
          const explained = hold(other, own);
          if (!explained) continue;
          found.push({
            ...explained,
            deviations: [...one.deviations, ...explained.deviations],
            bits: one.bits + explained.bits,
          });
        }
      });
      // What is not done with this share is left out.
      context.work.spend(spent);
    }
    if (found.some(({ deviations }) => deviations.length > 1)) return;
  }
}

/** Looks with a share of the work, in events: how many were spent of it, and whether it was enough. */
function inShare(
  most: number,
  context: Omit<SearchContext, 'fitter' | 'work'>,
  look: (context: SearchContext) => void,
): { readonly spent: number; readonly isDone: boolean } {
  const work = new Work(most);
  try {
    look({ ...context, work, fitter: new Fitter(work) });
    return { spent: most - work.left, isDone: true };
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
    return { spent: most, isDone: false };
  }
}

/** Events that may be looked at for one operator as the second of a pair. */
const SECOND_WORK = 250_000;

/** A header that follows no rule explains anything that it says: it is no half of a pair, and better than no other explanation. */
export function followsNoRule({ operator, parameters }: Deviation): boolean {
  if (operator === 'marker-header') return parameters.change === 'no rule' || parameters.change === 'goes back';
  return operator === 'remaining-header' && parameters.change === 'no rule';
}

/** So many single deviations are tried as one of a pair. */
const MOST_FIRST = 6;

/** A deviation that explains no more of a run than this, beyond what is explained without it, is not tried as one of a pair. */
const LEAST_GAIN = 0.02;

/** Mechanisms that tell how far a run is explained: each by its plainest form. */
const PLAIN = SHAPES.filter(
  ({ lag, refusedCounted, reset, latch, marker }) =>
    lag === 0 && !refusedCounted && reset === 'oldest' && !latch && marker === undefined,
);

/** How much of a world's histories is explained, from the first request of each to the first that contradicts the mechanism that goes furthest. */
function explainedShare({ histories, layers, window }: World, { work }: SearchContext): number {
  const shares = histories.map((history) => {
    const choice = anyCounting(groupsOf([history]));
    const hint = phaseByMarkers(history);
    return PLAIN.reduce((most, shape) => {
      const found = firstContradiction(variantOf(shape, choice), history, hint, work, layers, window);
      const reached = found?.event ? history.events.indexOf(found.event) : 0;
      return Math.max(most, found ? reached / history.events.length : 1);
    }, 0);
  });
  return shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

function hold({ deviations, bits, world, explained }: Proposal, { fitter }: SearchContext): Explained | null {
  const fit = explained ? null : fitter.simplest(world);
  if (!fit && !explained) return null;
  const shape = fit?.shape ?? explained?.shape ?? null;
  return { deviations, bits: bits + shapeBits({ shape }), world, fit, shape };
}

/** The other deviations that explain all as this proposal does. */
function insteadOf({ instead = [] }: Proposal, { world, fit, shape }: Explained): readonly Explained[] {
  return instead.map((each) => ({ ...each, bits: each.bits + shapeBits({ shape }), world, fit, shape }));
}

/** Bits to say the mechanism under which a deviation explains all; none where it does so under any. */
export function shapeBits({ shape }: Pick<Explained, 'shape'>): number {
  return shape ? bitsOfShape(shape) : 0;
}

/** Those within the margin of the cheapest, each deviation once. */
function cheapest(found: readonly Explained[]): readonly Explained[] {
  const sorted = [...found].sort((one, other) => one.bits - other.bits);
  const least = sorted[0]?.bits ?? 0;
  const names = sorted.map(({ deviations }) => JSON.stringify(deviations));
  return sorted.filter(({ bits }, at) => bits <= least + MARGIN_BITS && names.indexOf(names[at] ?? '') === at);
}
