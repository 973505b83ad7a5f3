import type { RequirementId } from '../catalogue/requirement.ts';
import { breaks } from '../deployment/operators.ts';
import type { History } from '../oracle/history.ts';
import type { Shape } from '../oracle/shapes.ts';
import { unlessSpent, Work } from '../oracle/work.ts';
import type { Exchange, Kind } from '../trace/exchange.ts';
import { type Conforming, EXAMINING_WORK, examineKind, type KindDiagnosis } from './diagnose.ts';
import { EarlierParts } from './earlier-parts.ts';
import { explainKinds } from './explain-kinds.ts';
import { type Explained, shapeBits } from './explained.ts';
import { Fitter } from './fit.ts';
import { lead, respentBits } from './lead.ts';
import { DEVIATION_BITS } from './proposal.ts';
import { sameDeviations } from './same-rule.ts';
import { SEARCH_WORK } from './search.ts';
import { conformingWorld } from './world.ts';

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

/** What is asked of a diagnosis. */
export interface Asked {
  /** False: only whether limits are broken for good, so that it is not searched for what is where that cannot come out. */
  readonly named?: boolean;
  /** What earlier parts of the same run have told; more is added. */
  readonly earlier?: EarlierParts;
  /** Hears which share of the work that may be needed has been done, or is not needed after all: from 0 to 1, rising. */
  readonly onShare?: (share: number) => void;
}

/**
 * Diagnoses all budgets of a run. What both kinds share is paid for once: an explanation of the one kind that the other kind has too
 * costs no second deviation.
 */
export function diagnoseRun(
  histories: readonly History[],
  anonymous: readonly Exchange[],
  { named = true, earlier = new EarlierParts(), onShare = () => {} }: Asked = {},
): RunDiagnosis {
  const of = (kind: Kind) => histories.filter((history) => history.kind === kind && history.events.length > 0);
  const kinds = (['read', 'write'] as const).filter((kind) => of(kind).length > 0);
  let done = 0;
  const onWork = (events: number): void => {
    done += events;
    onShare(Math.min(1, done / (kinds.length * (EXAMINING_WORK + SEARCH_WORK))));
  };
  const examined = kinds.map((kind) => {
    const found = examineKind(kind, of(kind), earlier);
    onWork(EXAMINING_WORK);
    return found;
  });
  const searches = named || mayBeFinal(examined.map(({ diagnosis }) => diagnosis));
  const drawn = histories.filter(({ events }) => events.length > 0);
  const diagnoses = searches
    ? explainKinds(examined, drawn, anonymous, onWork, named ? null : { isEnough: isFinal, earlier })
    : examined.map(({ diagnosis }) => diagnosis);
  onShare(1);
  return {
    kinds: diagnoses.map((each, at) => rule(each, others(diagnoses, at))),
  };
}

function others(diagnoses: readonly KindDiagnosis[], at: number): readonly KindDiagnosis[] {
  return diagnoses.filter((_, index) => index !== at);
}

/** Whether an explanation of the kind at an index leads over use by others for good. */
function isFinal(diagnoses: readonly KindDiagnosis[], at: number, explained: Explained): boolean {
  const diagnosis = diagnoses[at];
  return diagnosis !== undefined && lead(diagnosis, others(diagnoses, at), explained).least > FINAL_BITS;
}

/**
 * Whether a deviation may lead over use by others by as much as makes it final: not where little use by others explains all. Where none does, that alone
 * is final.
 */
function mayBeFinal(diagnoses: readonly KindDiagnosis[]): boolean {
  if (diagnoses.some(({ others }) => others === 'do not explain it')) return false;
  const bits = diagnoses.map(({ others, background, world }) =>
    others === 'not needed'
      ? 0
      : respentBits(world.histories) + (background?.complete ? background.bits : Number.POSITIVE_INFINITY),
  );
  return bits.reduce((sum, each) => sum + each, 0) > FINAL_BITS + DEVIATION_BITS;
}

function rule(diagnosis: KindDiagnosis, others: readonly KindDiagnosis[]): KindRuling {
  const nothing: ReadonlySet<RequirementId> = new Set();
  const none = { diagnosis, minimal: [], broken: nothing, disputed: nothing, final: false };
  if (diagnosis.conforming) return { ...none, outcome: 'conforms' };
  const known = mechanismsOf(others, diagnosis.deviating);
  const priced = diagnosis.deviating
    .map((each) => ({
      each,
      bits:
        each.bits -
        (each.shape && known.has(each.shape) ? shapeBits(each) : 0) +
        others.reduce((sum, other) => sum + bitsBeside(other, each), 0),
    }))
    .sort((one, other) => one.bits - other.bits);
  const [cheapest] = priced;
  if (!cheapest) {
    const alone = diagnosis.others === 'do not explain it';
    return { ...none, outcome: alone ? 'unexplained' : 'open', final: alone };
  }
  const minimal = priced.filter(({ bits }) => bits <= cheapest.bits + TIE_BITS).map(({ each }) => each);
  const { bits, least } = lead(diagnosis, others, cheapest.each);
  if (!(bits > chanceBits(cheapest.each))) return { ...none, outcome: 'open' };
  const all = new Set(minimal.flatMap(brokenBy));
  const broken = brokenByEach(minimal);
  return {
    diagnosis,
    outcome: 'deviates',
    minimal,
    broken,
    disputed: new Set([...all].filter((id) => !broken.has(id))),
    final: least > FINAL_BITS,
  };
}

/** Bits to say why the budgets of another kind deviate where this is why those of the one do: the same deviation is said once. */
function bitsBeside({ deviating }: KindDiagnosis, { deviations }: Explained): number {
  const each = deviating.map(
    (other) => other.bits - (sameDeviations(other.deviations, deviations) ? DEVIATION_BITS : 0),
  );
  return each.length === 0 ? 0 : Math.min(...each);
}

/**
 * The mechanisms of some explanations that explain another kind, which conforms: a deployment has one for both as a rule, so that it need not be said
 * again.
 */
function mechanismsOf(others: readonly KindDiagnosis[], explanations: readonly Explained[]): ReadonlySet<Shape> {
  const shapes = [...new Set(explanations.flatMap(({ shape }) => shape ?? []))];
  return new Set(
    others.flatMap(({ conforming }) => (conforming ? shapes.filter((shape) => isExplainedBy(conforming, shape)) : [])),
  );
}

function isExplainedBy({ fit, histories }: Conforming, shape: Shape): boolean {
  if (shape === fit.shape) return true;
  const world = { ...conformingWorld(histories), shapes: [shape] };
  return unlessSpent(() => new Fitter(new Work(BESIDE_WORK)).fit(world) !== null, false);
}

/** Events that may be looked at to see whether one mechanism explains what conforms. */
const BESIDE_WORK = 1_000_000;

function brokenBy({ deviations }: Explained): readonly RequirementId[] {
  return deviations.flatMap((each) => breaks(each));
}

function brokenByEach(explanations: readonly Explained[]): ReadonlySet<RequirementId> {
  const sets = explanations.map((each) => new Set(brokenBy(each)));
  return new Set([...(sets[0] ?? [])].filter((id) => sets.every((set) => set.has(id))));
}

/** Explanations that deviate and cost no more bits than this above the cheapest are as good as it: it is less than twice as likely. */
const TIE_BITS = 1;

/**
 * What a deviation has to save over use of the keys by others, which takes luck of one in 64: as few deployments deviate. Of 370 runs with such use four
 * saved 1 to 5 bits, and the others none.
 */
const CHANCE_BITS = 6;

/**
 * Of two deviations, more: so many pairs are tried that one may lead by luck where nothing deviates. Of 300 runs with such use one pair saved 16 bits, and
 * no other any.
 */
function chanceBits({ deviations }: Explained): number {
  return deviations.length > 1 ? FINAL_BITS : CHANCE_BITS;
}

/**
 * A lead over use by others, in bits, which nothing that may come makes up for. A description length is a bet on what is
 * recorded: that a wrong one is ever so far ahead of the right one, at whatever moment one looks, has a probability of one in a million (Ville
 * 1939).
 */
const FINAL_BITS = 20;
