import { LIMITS } from '../catalogue/limits.ts';
import type { Deviation } from '../deployment/operators.ts';
import { countUnspentRefusals, findDeficits } from '../oracle/capacity.ts';
import { below, upTo } from '../oracle/counts.ts';
import { type Event, type History, WINDOW } from '../oracle/history.ts';
import type { KindDiagnosis } from './diagnose.ts';
import { type Explained, followsNoRule, shapeBits } from './explained.ts';
import {
  bitsOfShape,
  DEVIATION_BITS,
  type Description,
  KEY_BITS,
  MOMENT_BITS,
  type SearchContext,
} from './proposal.ts';
import { isSameRule, sameDeviations } from './same-rule.ts';

/** By how many bits a deviation is cheaper than use of the keys by others. */
export interface Lead {
  readonly bits: number;
  /** The least that it can be. */
  readonly least: number;
}

const NONE: Lead = { bits: Number.NEGATIVE_INFINITY, least: Number.NEGATIVE_INFINITY };
const UNLESS_FOUND: Lead = { bits: Number.POSITIVE_INFINITY, least: Number.NEGATIVE_INFINITY };
const ALL: Lead = { bits: Number.POSITIVE_INFINITY, least: Number.POSITIVE_INFINITY };

/**
 * Over both kinds where both deviate so. Where the use by others could not be counted, there was one episode at least in each window of a key that
 * lacks requests; it may cost half of what is taken for it, where its moment is told to a tenth of the run and its key is one of four.
 */
export function lead(
  { others, background, world }: KindDiagnosis,
  otherKinds: readonly KindDiagnosis[],
  explained: Explained,
): Lead {
  const { deviations, bits } = explained;
  if (others !== 'do not explain it' && deviations.some(followsNoRule)) return NONE;
  if (others === 'do not explain it' || deviations.some(isTold)) return ALL;
  const alike = otherKinds.flatMap(({ others, background, world, deviating }) => {
    const same = deviating.find((other) => sameDeviations(other.deviations, deviations));
    if (!same || !isOneCount(explained, same)) return [];
    const own = isSameRule(same.deviations, deviations) ? shapeBits(same) : same.bits - DEVIATION_BITS;
    return [{ others, background, world, bits: own }];
  });
  if (alike.some((other) => other.others === 'do not explain it')) return ALL;
  const counted = [background, ...alike.map((each) => each.background)].every((each) => each?.complete === true);
  // No use by others refills a budget little by little; some may yet be found that looks like it.
  if (!counted && deviations.some(isBucket)) return UNLESS_FOUND;
  const respent = deviations.some(({ operator }) => operator === 'second-limit') ? respentBits(world.histories) : 0;
  const instead = [{ background, world }, ...alike].map(bitsOfUse);
  const bitsOfOthers = instead.reduce((sum, each) => sum + each, respent + multiplesBits(world.histories, deviations));
  const own = alike.reduce((sum, each) => sum + each.bits, bits);
  const spared = otherKinds.reduce((sum, each) => sum + sparedBy(each, explained, background), 0);
  return { bits: bitsOfOthers + spared - own, least: (counted ? bitsOfOthers : bitsOfOthers / 2) - own };
}

/**
 * Bits that it spares to explain a kind that conforms by the same deviation: those to say the mechanism that it conforms to beside that under which others
 * explain the kind that deviates; or what it costs more to explain that one under the same.
 */
function sparedBy(
  { conforming, also }: KindDiagnosis,
  explained: Explained,
  background: KindDiagnosis['background'],
): number {
  const same = also.find(({ deviations }) => isSameRule(deviations, explained.deviations));
  if (!conforming || !same) return 0;
  const { shape } = conforming.fit;
  const under = background?.bitsUnder.get(shape);
  const more = background && under !== undefined ? under - background.bits : Number.POSITIVE_INFINITY;
  const own = same.shape === explained.shape ? 0 : shapeBits(same);
  return Math.max(0, Math.min(bitsOfShape(shape), more) - own);
}

/**
 * Bits beyond which no deviation leads over use by others, as a rule: those of all use by others, with all that may be added to them. Infinite where none
 * explains some kind.
 */
export function mostThatLead(diagnoses: readonly KindDiagnosis[]): number {
  return diagnoses.reduce((sum, { conforming, others, background, world }) => {
    if (conforming) return sum + bitsOfShape(conforming.fit.shape);
    if (others === 'do not explain it') return Number.POSITIVE_INFINITY;
    return sum + bitsOfUse({ background, world }) + respentBits(world.histories);
  }, 0);
}

/** Bits to say the use by others of one kind; where it could not be counted, those of the fewest episodes that there can have been. */
function bitsOfUse({ background, world }: Pick<KindDiagnosis, 'background' | 'world'>): number {
  return background ? background.bits : EPISODE_BITS * windowsThatLack(world.histories);
}

/** Whether deviations may lead over use by others, where these take so many bits at the least. */
export function mayLead(
  { deviations, bits }: Description,
  { mostBits = Number.POSITIVE_INFINITY }: Pick<SearchContext, 'mostBits'>,
): boolean {
  return bits < mostBits || deviations.some((each) => isTold(each) || isBucket(each) || divisorOf(each) !== null);
}

/** Bits to say that others sent something, of which nothing but the moment and the key is told. */
const EPISODE_BITS = MOMENT_BITS + KEY_BITS + 1;

/** What was refused with some left, again and again, others would have had to spend anew each time. */
export function respentBits(histories: readonly History[]): number {
  return EPISODE_BITS * histories.reduce((sum, history) => sum + countUnspentRefusals(history), 0);
}

/**
 * Bits that chance takes where Remaining is always a multiple of some number: whatever others use, one value in so many is a multiple of it. None is left
 * however much they use.
 */
function multiplesBits(histories: readonly History[], deviations: readonly Deviation[]): number {
  const divisors = deviations.flatMap((each) => divisorOf(each) ?? []);
  const values = histories.map(
    ({ events }) => new Set(events.flatMap(({ remaining }) => (remaining && remaining > 0 ? [remaining] : []))).size,
  );
  return divisors.reduce((sum, divisor) => sum + Math.log2(divisor), 0) * values.reduce((sum, each) => sum + each, 0);
}

/** The number of which Remaining is always a multiple; null where it is none. */
function divisorOf({ operator, parameters }: Deviation): number | null {
  const { change, only } = operator === 'remaining-header' ? parameters : {};
  return typeof change === 'object' && 'roundedDownTo' in change && only === 'all' ? change.roundedDownTo : null;
}

/** One count for both kinds has one mechanism; any other rule that both have is one whatever their mechanisms are. */
function isOneCount(one: Explained, other: Explained): boolean {
  const shared = one.deviations.some(({ operator }) => operator === 'shared-kinds');
  return !shared || one.shape === other.shape;
}

/** No use by others has the headers of what is accepted tell the limit that is enforced. A refusal tells it as it tells a budget that others spent. */
function isTold({ operator, parameters }: Deviation): boolean {
  if (operator === 'second-limit') return parameters.told !== undefined && parameters.told.by !== 'refusals';
  if (operator !== 'other-limit') return false;
  return parameters.limitHeader === parameters.limit && parameters.limit !== LIMITS[parameters.kind];
}

function isBucket({ operator }: Deviation): boolean {
  return operator === 'other-mechanism';
}

/** In how many minutes of how many keys some answer has less left, or refuses sooner, than the requests of the run account for. */
function windowsThatLack(histories: readonly History[]): number {
  return histories.reduce((sum, history) => {
    const lacking = [...findDeficits(history, MOST_DEFICITS).map(({ later }) => later), ...refusedSoon(history)];
    return sum + new Set(lacking.map(({ from }) => Math.floor(from / WINDOW))).size;
  }, 0);
}

/** Refusals before which fewer requests than the limit can have been counted in a window. */
function refusedSoon({ events, limit }: History): readonly Event[] {
  const counted = events.filter(({ outcome }) => outcome !== 'refused');
  const starts = Float64Array.from(counted, ({ from }) => from);
  const ends = Float64Array.from(counted, ({ to }) => to).sort();
  return events.filter(
    ({ outcome, from, to }) => outcome === 'refused' && upTo(starts, to) - below(ends, from - WINDOW) < limit,
  );
}

/** Deficits of one budget that are looked at: enough for one in each window of a run. */
const MOST_DEFICITS = 256;
