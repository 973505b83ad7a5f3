import { LIMITS } from '../catalogue/limits.ts';
import { isLate } from '../deployment/deviations/remaining-header.ts';
import type { Deviation } from '../deployment/operators.ts';
import { ascending, below, numbersOf, upTo } from '../oracle/ascending.ts';
import { countUnspentRefusals, findDeficits } from '../oracle/capacity.ts';
import { type Event, type History, WINDOW } from '../oracle/history.ts';
import { priorUse, wasOpenBefore } from '../oracle/prior-use.ts';
import { bitsByChance, isBucket, isHardlyByChance } from './by-chance.ts';
import { bitsOfConforming } from './coincidence.ts';
import type { KindDiagnosis } from './diagnose.ts';
import { bitsOfUntoldPhases, type Explained, followsNoRule, shapeBits } from './explained.ts';
import { savedAtOnce, type UsedByOthers } from './others.ts';
import {
  bitsOfShape,
  bitsToChoose,
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
  /** A lower bound. */
  readonly least: number;
}

const NONE: Lead = { bits: Number.NEGATIVE_INFINITY, least: Number.NEGATIVE_INFINITY };
const UNLESS_FOUND: Lead = { bits: Number.POSITIVE_INFINITY, least: Number.NEGATIVE_INFINITY };
const ALL: Lead = { bits: Number.POSITIVE_INFINITY, least: Number.POSITIVE_INFINITY };

/**
 * The lead over use by others, or over the coincidence on which a conforming explanation rests: over both kinds if both
 * deviate in the same way. If the use by others could not be counted, there were at least as many episodes as the
 * windows of a key that lack requests show. An episode may cost half of the usual price, if its moment is known to a
 * tenth of the run and its key is one of four.
 */
export function lead(diagnosis: KindDiagnosis, otherKinds: readonly KindDiagnosis[], explained: Explained): Lead {
  const { others, background, conforming, world } = diagnosis;
  const { deviations, bits } = explained;
  if (others !== 'do not explain it' && deviations.some(followsNoRule)) return NONE;
  if (others === 'do not explain it' || deviations.some(isTold)) return ALL;
  const alike = otherKinds.flatMap((other) => {
    const same = other.deviating.find((each) => sameDeviations(each.deviations, deviations));
    if (!same || !isOneCount(explained, same)) return [];
    const own = isSameRule(same.deviations, deviations)
      ? shapeBits(same) + (same.coincidence ?? 0)
      : same.bits - DEVIATION_BITS;
    return [{ ...other, bits: own }];
  });
  if (alike.some((other) => other.others === 'do not explain it')) return ALL;
  if ((!conforming && deviations.every(onlyGives)) || otherKinds.some(isOnlyByOthers)) return NONE;
  const both = [diagnosis, ...alike];
  const counted = both.every((each) => each.conforming || each.background?.complete);
  // No use by others refills a budget gradually, though some unknown use may look like it, on some keys at least.
  if (!counted && deviations.some((each) => isBucket(each) && each.keys === undefined)) return UNLESS_FOUND;
  const respent = deviations.some(refusesEarly)
    ? both.reduce((sum, each) => sum + respentBits(each.world.histories), 0)
    : 0;
  const known = alike.length > 0 ? 0 : bitsOfKnownKeys(diagnosis, otherKinds);
  const byChance = bitsByChance(world.histories, deviations);
  const bitsOfOthers = both.reduce(
    (sum, each) => sum + bitsOfUse(each),
    respent + byChance - known - savedAtOnce(usedByOthers(both)),
  );
  const own = alike.reduce((sum, each) => sum + each.bits, bits + bitsOfUntoldPhases(explained));
  const spared = otherKinds.reduce((sum, each) => sum + sparedBy(each, explained, background), 0);
  return { bits: bitsOfOthers + spared - own, least: (counted ? bitsOfOthers : bitsOfOthers / 2) - own };
}

/**
 * Whether nothing but use by others explains a kind, for less than any three deviations. Then somebody else uses the
 * keys, and what the other kind lacks is theirs as well.
 */
function isOnlyByOthers({ background, isSearched, deviating }: KindDiagnosis): boolean {
  return isSearched && deviating.length === 0 && background?.complete === true && background.bits < 3 * DEVIATION_BITS;
}

/**
 * Bits saved because the same deviation explains a conforming kind: the price of its mechanism beside the mechanism
 * under which use by others explains the deviating kind, or the additional price to explain that kind under the same
 * mechanism.
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
  // Where the use by others could not be counted, nobody knows under which mechanism it would be cheaper.
  const most = background ? Number.POSITIVE_INFINITY : 0;
  const more = background && under !== undefined ? under - background.bits : most;
  const own = same.shape === explained.shape ? 0 : shapeBits(same);
  return Math.max(0, Math.min(bitsOfShape(shape), more) - own);
}

/**
 * An upper bound on the bits of a deviation that can lead over use by others: all bits of the use by others, with
 * everything that may be added. Infinite if no use by others explains some kind.
 */
export function mostThatLead(diagnoses: readonly KindDiagnosis[]): number {
  return diagnoses.reduce((sum, diagnosis) => {
    const { conforming, others, world } = diagnosis;
    if (conforming) return sum + bitsOfConforming(conforming);
    if (others === 'do not explain it') return Number.POSITIVE_INFINITY;
    return sum + bitsOfUse(diagnosis) + respentBits(world.histories);
  }, 0);
}

/**
 * Bits to state the use by others of one kind, or the coincidence. If the use could not be counted, those of the fewest
 * possible episodes.
 */
function bitsOfUse({
  background,
  conforming,
  world,
  unexplained,
}: Pick<KindDiagnosis, 'background' | 'conforming' | 'world' | 'unexplained'>): number {
  if (conforming) return bitsOfConforming(conforming);
  return background ? background.bits : EPISODE_BITS * fewestEpisodes(world.histories, unexplained);
}

/** The use by others of each kind, where it explains everything. */
function usedByOthers(kinds: readonly Pick<KindDiagnosis, 'background' | 'world'>[]): readonly UsedByOthers[] {
  return kinds.flatMap(({ background, world: { histories } }) =>
    background?.complete ? [{ episodes: background.episodes, histories }] : [],
  );
}

/** Bits that are not stated again: which keys others used, if nothing else explains those of the other kind. */
function bitsOfKnownKeys({ background, world }: KindDiagnosis, otherKinds: readonly KindDiagnosis[]): number {
  const theirs = otherKinds.flatMap((other) => (other.background?.complete ? other.background.episodes : []));
  const known = new Set(theirs.map(({ key }) => key));
  const own = new Set(background?.episodes.map(({ key }) => key).filter((key) => known.has(key)));
  return bitsToChoose(world.histories.length, own.size);
}

/** Whether deviations can lead over use by others, if they take at least this many bits. */
export function mayLead(
  { deviations, bits }: Description,
  { mostBits = Number.POSITIVE_INFINITY }: Pick<SearchContext, 'mostBits'>,
): boolean {
  return bits < mostBits || deviations.some((each) => isTold(each) || isHardlyByChance(each));
}

/** Bits to state that others sent something, of which only the moment and the key are known. */
const EPISODE_BITS = MOMENT_BITS + KEY_BITS + 1;

/**
 * If requests were refused again and again with some left, others would have had to spend the budget anew each time:
 * the bits of this.
 */
export function respentBits(histories: readonly History[]): number {
  return EPISODE_BITS * histories.reduce((sum, history) => sum + countUnspentRefusals(history), 0);
}

/** One count for both kinds has one mechanism. Any other rule of both kinds is one rule, whatever their mechanisms. */
function isOneCount(one: Explained, other: Explained): boolean {
  const shared = one.deviations.some(({ operator }) => operator === 'shared-kinds');
  return !shared || one.shape === other.shape;
}

/**
 * Use by others does not change the limit that headers state for accepted requests. A refusal states a limit just as it
 * does when others spent the budget.
 */
function isTold({ operator, parameters }: Deviation): boolean {
  if (operator === 'second-limit') return parameters.told !== undefined && parameters.told.by !== 'refusals';
  if (operator !== 'other-limit') return false;
  return parameters.limitHeader === parameters.limit && parameters.limit !== LIMITS[parameters.kind];
}

/** Whether requests may be refused with some left. */
function refusesEarly({ operator }: Deviation): boolean {
  return operator === 'second-limit' || operator === 'early-refusal';
}

/**
 * Whether a deviation only adds to what is left, or to what is told of it. If it does so, some answer has more left
 * than any conforming limiter leaves, and use by others explains none of these: if it explains the run, the deviation
 * is not seen.
 */
function onlyGives({ operator, parameters }: Deviation): boolean {
  if (operator === 'class-weight' || operator === 'sporadic-weight') return parameters.weight <= 0;
  if (operator === 'carried-over') return parameters.what === 'unused';
  if (operator === 'remaining-header') return isLate(parameters);
  if (operator === 'nodes-apart') return !parameters.split;
  return GIVING.has(operator);
}

const GIVING: ReadonlySet<Deviation['operator']> = new Set([
  'free-first-request',
  'sporadic-admission',
  'lost-updates',
  'late-counting',
]);

/**
 * The fewest times that others used the keys, over all keys, as answers show that have less left or refuse sooner than
 * the requests of the run explain. What others sent once is missing for two windows at most: the one in which it counts
 * and, by its share, the next. A budget that nothing explains by itself shows one, unless use before the run may be the
 * cause.
 *
 * @param unexplained the keys of such budgets
 */
function fewestEpisodes(histories: readonly History[], unexplained: readonly string[]): number {
  return histories.reduce((sum, history) => {
    const isOne = unexplained.includes(history.key) && priorUse(history) === null && !wasOpenBefore(history);
    const lacking = [...findDeficits(history, MOST_DEFICITS).map(({ later }) => later), ...refusedSoon(history)];
    let episodes = 0;
    let until = Number.NEGATIVE_INFINITY;
    for (const from of lacking.map((event) => event.from).sort((one, other) => one - other)) {
      if (from <= until) continue;
      episodes += 1;
      until = from + 2 * WINDOW;
    }
    return sum + Math.max(episodes, Number(isOne));
  }, 0);
}

/** Refusals before which fewer requests than the limit can have been counted in a window, refused ones among them. */
function refusedSoon({ events, limit }: History): readonly Event[] {
  const starts = numbersOf(events, ({ from }) => from);
  const ends = ascending(numbersOf(events, ({ to }) => to));
  return events.filter(
    ({ outcome, from, to }) => outcome === 'refused' && upTo(starts, to) - below(ends, from - WINDOW) <= limit,
  );
}

/** The most deficits examined for one budget: enough for one in each window of a run. */
const MOST_DEFICITS = 256;
