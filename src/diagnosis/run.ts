import { LIMITS } from '../catalogue/limits.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { breaks, type Deviation } from '../deployment/operators.ts';
import { countUnspentRefusals, findDeficits } from '../oracle/capacity.ts';
import { below, upTo } from '../oracle/counts.ts';
import { type Event, type History, WINDOW } from '../oracle/history.ts';
import type { Exchange, Kind } from '../trace/exchange.ts';
import { type Asked, diagnoseKind, type KindDiagnosis } from './diagnose.ts';
import { bitsOfShape, DEVIATION_BITS, KEY_BITS, MOMENT_BITS } from './proposal.ts';
import { type Explained, followsNoRule } from './search.ts';

/** What one deployment makes of a run: of its reads, and of its writes. */
export interface RunDiagnosis {
  readonly kinds: readonly KindRuling[];
}

/** What is to be said of the budgets of one kind. */
export interface KindRuling {
  readonly diagnosis: KindDiagnosis;
  /**
   * - `conforms`: a conforming deployment explains all
   * - `deviates`: none does, and deployments that deviate explain all: `minimal`
   * - `unexplained`: none does, no use by others makes up for it, and nothing within reach explains all
   * - `open`: use of the keys by others explains it as well as anything does, or the work allowed was spent
   */
  readonly outcome: 'conforms' | 'deviates' | 'unexplained' | 'open';
  /** The cheapest explanations that deviate, all within the margin of the cheapest; empty unless the outcome is `deviates`. */
  readonly minimal: readonly Explained[];
  /** Requirements that every one of these breaks, and those that some break and others do not. */
  readonly broken: ReadonlySet<RequirementId>;
  readonly disputed: ReadonlySet<RequirementId>;
  /** Whether nothing that may yet be answered makes up for it that no conforming deployment explains the run. */
  readonly final: boolean;
}

/**
 * Diagnoses all budgets of a run. What both kinds share is paid for once: an explanation of the one kind that the other kind has too
 * costs no second deviation.
 *
 * @param asked as of `diagnoseKind`
 */
export function diagnoseRun(
  histories: readonly History[],
  anonymous: readonly Exchange[],
  { named = true, onShare = () => {} }: Asked = {},
): RunDiagnosis {
  const of = (kind: Kind) => histories.filter((history) => history.kind === kind && history.events.length > 0);
  const diagnoses = (['read', 'write'] as const).flatMap((kind, index) => {
    const own = of(kind);
    const other = of(kind === 'read' ? 'write' : 'read');
    const asked = { named, onShare: (share: number) => onShare((index + share) / 2) };
    const found = own.length === 0 ? [] : [diagnoseKind(kind, own, other, anonymous, asked)];
    onShare((index + 1) / 2);
    return found;
  });
  return {
    kinds: diagnoses.map((each) =>
      rule(
        each,
        diagnoses.filter((other) => other !== each),
      ),
    ),
  };
}

function rule(diagnosis: KindDiagnosis, others: readonly KindDiagnosis[]): KindRuling {
  const nothing: ReadonlySet<RequirementId> = new Set();
  const none = { diagnosis, minimal: [], broken: nothing, disputed: nothing, final: false };
  if (diagnosis.conforming) return { ...none, outcome: 'conforms' };
  const priced = diagnosis.deviating
    .map((each) => ({ each, bits: each.bits + others.reduce((sum, other) => sum + bitsBeside(other, each), 0) }))
    .sort((one, other) => one.bits - other.bits);
  const [cheapest] = priced;
  if (!cheapest) {
    const alone = diagnosis.others === 'do not explain it';
    return { ...none, outcome: alone ? 'unexplained' : 'open', final: alone };
  }
  const minimal = priced.filter(({ bits }) => bits <= cheapest.bits + TIE_BITS).map(({ each }) => each);
  const { bits, counted } = lead(diagnosis, others, cheapest.each);
  if (!(bits > CHANCE_BITS)) return { ...none, outcome: 'open' };
  const all = new Set(minimal.flatMap(brokenBy));
  const broken = brokenByEach(minimal);
  return {
    diagnosis,
    outcome: 'deviates',
    minimal,
    broken,
    disputed: new Set([...all].filter((id) => !broken.has(id))),
    final: counted && bits > FINAL_BITS,
  };
}

/** Bits to say why the budgets of another kind deviate where this is why those of the one do: the same deviation is said once. */
function bitsBeside({ deviating }: KindDiagnosis, { deviations }: Explained): number {
  const each = deviating.map(
    (other) => other.bits - (sameDeviations(other.deviations, deviations) ? DEVIATION_BITS : 0),
  );
  return each.length === 0 ? 0 : Math.min(...each);
}

function brokenBy({ deviations }: Explained): readonly RequirementId[] {
  return deviations.flatMap((each) => breaks(each));
}

function brokenByEach(explanations: readonly Explained[]): ReadonlySet<RequirementId> {
  const sets = explanations.map((each) => new Set(brokenBy(each)));
  return new Set([...(sets[0] ?? [])].filter((id) => sets.every((set) => set.has(id))));
}

/** Explanations that deviate and cost no more bits than this above the cheapest are as good as it: what the prices are off by. */
const TIE_BITS = 3;

/**
 * A lead over use by others that was counted, in bits, which nothing that may come makes up for. A description length is a bet on what is
 * recorded: that a wrong one is ever so far ahead of the right one, at whatever moment one looks, has a probability of one in a million (Ville
 * 1939).
 */
const FINAL_BITS = 20;

/**
 * By how many bits a deviation is cheaper than use of the keys by others, over both kinds where both have it. Where the use by others could
 * not be `counted`, there was one episode at least in each window of a key that lacks requests.
 */
function lead(
  { others, background, world }: KindDiagnosis,
  otherKinds: readonly KindDiagnosis[],
  explained: Explained,
): Lead {
  const { deviations, bits } = explained;
  if (others !== 'do not explain it' && deviations.some(followsNoRule)) return NONE;
  if (others === 'do not explain it' || deviations.some(isUnlikeOthers)) return ALL;
  const alike = otherKinds.flatMap(({ others, background, world, deviating }) => {
    const same = deviating.find((other) => sameDeviations(other.deviations, deviations));
    if (!same || !isOneCount(explained, same)) return [];
    const own = isSameRule(same.deviations, deviations) ? 0 : same.bits - DEVIATION_BITS;
    return [{ others, background, world, bits: own + shapeBits(same) }];
  });
  if (alike.some((other) => other.others === 'do not explain it')) return ALL;
  // What was refused with some left, again and again, others would have had to spend anew each time.
  const respent = deviations.some(({ operator }) => operator === 'second-limit')
    ? world.histories.reduce((sum, history) => sum + countUnspentRefusals(history), 0)
    : 0;
  const instead = [{ background, world }, ...alike].map((each) =>
    each.background ? each.background.bits : (MOMENT_BITS + KEY_BITS + 1) * windowsThatLack(each.world.histories),
  );
  const bitsOfOthers = instead.reduce((sum, each) => sum + each, respent * (MOMENT_BITS + KEY_BITS + 1));
  const counted = [background, ...alike.map((each) => each.background)].every((each) => each?.complete === true);
  return {
    bits: bitsOfOthers - alike.reduce((sum, each) => sum + each.bits, bits + shapeBits(explained)),
    counted,
  };
}

/** One count for both kinds has one mechanism; any other rule that both have is one whatever their mechanisms are. */
function isOneCount(one: Explained, other: Explained): boolean {
  const shared = one.deviations.some(({ operator }) => operator === 'shared-kinds');
  return !shared || one.fit?.shape === other.fit?.shape;
}

/** Bits to say the mechanism under which it explains all; none where what found it asked for none. */
function shapeBits({ fit }: Explained): number {
  return fit ? bitsOfShape(fit.shape) : 0;
}

/** By how many bits it leads, and whether the use by others was counted. */
interface Lead {
  readonly bits: number;
  readonly counted: boolean;
}

const NONE: Lead = { bits: Number.NEGATIVE_INFINITY, counted: false };
const ALL: Lead = { bits: Number.POSITIVE_INFINITY, counted: true };

/**
 * What a deviation has to save over use of the keys by others: in 300 runs with such use none saved anything, and it takes luck of one in ten
 * to save so much more.
 */
const CHANCE_BITS = Math.log2(10);

/** No use by others refills a budget little by little all along, nor has the headers tell the limit that is enforced. */
function isUnlikeOthers({ operator, parameters }: Deviation): boolean {
  if (operator !== 'other-limit') return operator === 'other-mechanism';
  return parameters.limitHeader === parameters.limit && parameters.limit !== LIMITS[parameters.kind];
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

/** Whether both are the same deviations, for whichever kind, as far as they can be measured. */
function sameDeviations(one: readonly Deviation[], other: readonly Deviation[]): boolean {
  return nameOf(one, MEASURED) === nameOf(other, MEASURED);
}

/** Whether one sentence says both, but for the kind. */
function isSameRule(one: readonly Deviation[], other: readonly Deviation[]): boolean {
  return nameOf(one, {}) === nameOf(other, {});
}

function nameOf(deviations: readonly Deviation[], open: Readonly<Record<string, null>>): string {
  return JSON.stringify(
    deviations.map(({ operator, parameters }) => [operator, { ...parameters, kinds: null, kind: null, ...open }]),
  );
}

/** In place of what each kind has of its own, and of what can be measured but roughly: how often, how late, how long and when. */
const MEASURED = {
  ...{ how: null, limit: null, limitHeader: null, remainingFrom: null },
  ...{ oneIn: null, lag: null, at: null, length: null, told: null },
};
