import type { History } from '../oracle/history.ts';
import { type Exchange, type Kind, otherThan } from '../trace/exchange.ts';
import { withCoincidence } from './coincidence.ts';
import { EXAMINING_WORK, examineKind, type KindDiagnosis } from './diagnose.ts';
import { EarlierParts } from './earlier-parts.ts';
import { explainKinds } from './explain-kinds.ts';
import type { Explained } from './explained.ts';
import { isSettled, mayBeFinal } from './final.ts';
import { type KindRuling, rule } from './kind-ruling.ts';
import { lead } from './lead.ts';
import { SEARCH_WORK } from './search.ts';

/** How deployments explain the reads and the writes of a run. */
export interface RunDiagnosis {
  readonly kinds: readonly KindRuling[];
}

/** Options of a diagnosis. */
export interface Asked {
  /**
   * False: only decide whether limits are broken for good, without a search for the deviation if that cannot be
   * decided.
   */
  readonly named?: boolean;
  /** Findings about earlier parts of the same run; new ones are added. */
  readonly earlier?: EarlierParts;
  /** Is told which share of the possible work is done or not needed: from 0 to 1, rising. */
  readonly onShare?: (share: number) => void;
}

/**
 * Diagnoses all budgets of a run. What both kinds share is paid for once: if an explanation of one kind also fits the
 * other, it costs no second deviation.
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
    const found = examineKind(kind, of(kind), of(otherThan(kind)), earlier);
    onWork(EXAMINING_WORK);
    return named ? withCoincidence(found) : found;
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

/** Whether the lead over use by others, of an explanation of the kind at an index, is final. */
function isFinal(diagnoses: readonly KindDiagnosis[], at: number, explained: Explained): boolean {
  const diagnosis = diagnoses[at];
  return diagnosis !== undefined && isSettled(explained, lead(diagnosis, others(diagnoses, at), explained).least);
}

function others(diagnoses: readonly KindDiagnosis[], at: number): readonly KindDiagnosis[] {
  return diagnoses.filter((_, index) => index !== at);
}
