import type { Proof, Verdict } from '../judge/verdict.ts';
import type { Report, ReportedVerdict } from './report.ts';

/** What shows of which other failure one is a part. */
type Failed = Pick<Verdict, 'id' | 'verdict' | 'proofs' | 'followsFrom'>;

/**
 * What is shown among the failures, in the order in which to change it: first what keeps most from being judged, and
 * what is waived last.
 */
export function inOrderOfChange(report: Report): readonly ReportedVerdict[] {
  const weight = (each: ReportedVerdict): number => (each.verdict === 'waived' ? -1 : each.suppresses.length);
  return report.verdicts.filter(isShown).toSorted((a, b) => weight(b) - weight(a));
}

/** Whether a verdict is shown among the failures: a waiver hides nothing. */
export function isShown({ verdict, proofs }: Pick<ReportedVerdict, 'verdict' | 'proofs'>): boolean {
  return verdict === 'fail' || (verdict === 'waived' && proofs.length > 0);
}

/** The failures of a run, and those that only follow from them: what follows is no failure of its own. */
export function failuresOf(report: Report): Readonly<Record<'own' | 'following', readonly ReportedVerdict[]>> {
  const causes = causesOf(inOrderOfChange(report));
  const failed = report.verdicts.filter(({ verdict }) => verdict === 'fail');
  return { own: failed.filter((each) => !causes.has(each)), following: failed.filter((each) => causes.has(each)) };
}

/** The failure that each other one is a part of, and that is a part of none itself. */
export function causesOf<V extends Failed>(ordered: readonly V[]): ReadonlyMap<V, V> {
  const failed = ordered.filter(({ verdict }) => verdict === 'fail');
  const leads = new Map(failed.map((each) => [each, leadOf(each, failed)]));
  const first = (each: V, passed: readonly V[] = []): V => {
    const lead = leads.get(each);
    return lead && !passed.includes(each) ? first(lead, [...passed, each]) : each;
  };
  return new Map(failed.map((each) => [each, first(each)] as const).filter(([each, cause]) => cause !== each));
}

/**
 * The failure that another one is a part of, as the judge knows it; where it does not, the first of those before it
 * whose proofs together prove all of it.
 */
function leadOf<V extends Failed>(other: V, failed: readonly V[]): V | undefined {
  const { followsFrom } = other;
  if (followsFrom) return failed.find(({ id }) => followsFrom.includes(id));
  const proved = other.proofs.filter(({ evidence }) => evidence.length > 0);
  const before = failed
    .slice(0, failed.indexOf(other))
    .filter(({ followsFrom: own = [] }) => !own.includes(other.id))
    .filter(({ proofs }) => proofs.some((one) => proved.some((each) => proves(one, each))));
  const isProved = proved.every((each) => before.some(({ proofs }) => proofs.some((one) => proves(one, each))));
  return isProved ? before[0] : undefined;
}

/** By the same requests; or by the same wrong status of one of them. */
function proves(one: Proof, other: Proof): boolean {
  const requests = ({ evidence }: Proof): readonly number[] => evidence.map(({ seq }) => seq);
  const [seen, alsoSeen] = [one, other].map(({ received }) => /^[45]\d\d\b/.exec(received)?.[0]);
  if (requests(one).join() === requests(other).join()) return true;
  return seen !== undefined && seen === alsoSeen && requests(other).every((seq) => requests(one).includes(seq));
}
