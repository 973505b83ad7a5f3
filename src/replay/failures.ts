import type { RequirementId } from '../catalogue/requirement.ts';
import { isOfLimits } from '../judge/shown.ts';
import type { Part } from '../judge/verdict.ts';
import { type Exchange, isFullKey, otherThan } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import { refusedWays } from './refused-ways.ts';
import { budgetOf, byItself, lengthOf, requestsOf, type Sequence } from './sequence.ts';
import { counted, leadingUp } from './shortest.ts';
import { OF_A_LIMIT } from './shown-elsewhere.ts';
import { type Recorded, shows, showsByDecisions } from './shows.ts';
import { type Evidence, isRefused, standing } from './standing.ts';
import { furtherWays } from './ways.ts';

/** The fields of a verdict that a sequence needs. */
interface Judged {
  readonly id: RequirementId;
  readonly proofs: readonly Evidence[];
  readonly parts: readonly Pick<Part, 'name' | 'verdict'>[];
}

/**
 * Each failure that a run shows of a requirement, as the shortest sequences that show it, in the order in which they
 * should be sent. Each may be mended without the others, so the requirement no longer fails only if none of them shows
 * again. If the answer shows the failure by itself: its evidence, or the same after a success of the same key. If it
 * depends on earlier requests: all that were counted. A limit is also counted where a header shows sooner that it is
 * another. Empty if no proof has a request.
 *
 * @param verdicts all of the run: those with proofs failed
 */
export function sequencesFor(
  id: RequirementId,
  verdicts: readonly Judged[],
  recorded: Trace,
): readonly (readonly Sequence[])[] {
  const failed = verdicts.filter(({ proofs }) => proofs.length > 0);
  const proofs = failed.flatMap((each) => (each.id === id ? each.proofs : []));
  // A request that shows a failure is sent by itself, whatever its purpose was. For limits, that would count it twice.
  const shown = new Set(isOfLimits(id) ? [] : proofs.flatMap(({ evidence }) => evidence.map(({ seq }) => seq)));
  const own = (exchanges: readonly Exchange[]) =>
    exchanges.map((each) => (shown.has(each.seq) ? byItself(each) : each));
  const trace = { ...recorded, exchanges: own(recorded.exchanges) };
  const told = proofs.map(({ evidence }) => ({ evidence: own(evidence) })).filter((each) => each.evidence.length > 0);
  if (told.length === 0) return [];
  const ways = furtherWays(id, told, trace);
  const refused = isOfLimits(id) ? [] : [...told, ...ways.found].filter(isRefused);
  const spent = refusedWays(id, refused, trace);
  const alone = standing(id, told, ways, trace).map((each) => (spent ? each : { ...each, isCertain: false }));
  if (alone.length > 0 || (spent ?? []).length > 0) return [...alone, ...(spent ?? [])].map((each) => [each]);
  const names = new Set(failed.map((each) => each.id));
  const parts = failed.flatMap((each) => (each.id === id ? each.parts : []));
  const isKnown = (each: readonly Sequence[]): boolean => each.length > 0 && each.every(({ isCertain }) => isCertain);
  // One that may not show the failure would leave a mended deployment undecided.
  const otherKind = ofOtherKind(id, told, parts, trace)
    .flatMap((each) => countedAgain(id, each, names, trace))
    .filter(isKnown);
  const kinds = ofEachKind(told).flatMap((each) => countedAgain(id, each, names, trace));
  const found = [...kinds, ...otherKind].filter((each) => each.some((sequence) => requestsOf(sequence).length > 0));
  if (found.length > 0) return found.toSorted((one, other) => firstLength(one) - firstLength(other));
  return [leadingUp(told, trace)].filter((each) => each.length > 0);
}

function firstLength([first]: readonly Sequence[]): number {
  return first ? lengthOf(first) : 0;
}

/** Proofs on budgets of one kind show nothing about the other kind. */
function ofEachKind(proofs: readonly Evidence[]): readonly (readonly Evidence[])[] {
  const kinds = ({ evidence }: Evidence): string => [...new Set(evidence.map(({ kind }) => kind))].sort().join();
  return [...Map.groupBy(proofs, kinds).values()];
}

/** The part of a requirement on limits that both kinds of requests are. */
const BOTH_KINDS = 'reads and writes';

/**
 * Where both kinds of requests fail and the proofs have one, the budgets of the other: it may be mended without the
 * first.
 */
function ofOtherKind(
  id: RequirementId,
  proofs: readonly Evidence[],
  parts: Judged['parts'],
  { exchanges }: Trace,
): readonly (readonly Evidence[])[] {
  const [kind, another] = [...new Set(proofs.flatMap(({ evidence }) => evidence.map((each) => each.kind)))];
  const isOfBoth = parts.some(({ name, verdict }) => name === BOTH_KINDS && verdict === 'fail');
  if (!isOfLimits(id) || !isOfBoth || kind === undefined || another !== undefined) return [];
  const others = exchanges.filter((each) => each.kind === otherThan(kind) && isFullKey(each.key));
  return [[...Map.groupBy(others, budgetOf).values()].map((each) => ({ evidence: each.slice(0, 1) }))];
}

/** The sequences that show a failure sooner, and those in which it shows whatever the headers say. */
function countedAgain(
  id: RequirementId,
  proofs: readonly Evidence[],
  failed: ReadonlySet<RequirementId>,
  trace: Trace,
): readonly (readonly Sequence[])[] {
  const needed = formsOf(id, proofs);
  const told: Recorded = { trace, shown: (each) => needed(each) && shows(id, each, trace) };
  const sooner = counted(id, proofs, failed, told);
  const isDecided = (each: readonly Exchange[]): boolean => showsByDecisions(id, each, trace);
  if (!id.startsWith('LIMIT-') || sooner.every((each) => isDecided(requestsOf(each)))) return [sooner];
  const decided: Recorded = { trace, shown: (each) => needed(each) && isDecided(each) };
  const own = counted(id, proofs, failed, decided);
  // Clause 8 states the same limit for every key, and the budget of another one may have been spent in one window.
  const later = own.length > 0 || !OF_A_LIMIT.test(id) ? own : counted(id, likeThem(proofs, trace), failed, decided);
  const [first] = later;
  if (!first) return [OF_A_LIMIT.test(id) ? sooner.map((each) => ({ ...each, isCertain: false })) : sooner];
  // It takes only seconds, and its headers show what the shorter one shows.
  return first.pace === 'at once' && sooner.every(({ isCertain }) => isCertain) ? [later] : [sooner, later];
}

/** The budgets of all full keys, for as many kinds of requests. */
function likeThem(proofs: readonly Evidence[], { exchanges }: Trace): readonly Evidence[] {
  const kinds = new Set(proofs.flatMap(({ evidence }) => evidence.map(({ kind }) => kind)));
  const alike = exchanges.filter(({ key, kind }) => isFullKey(key) && kinds.has(kind));
  return [...Map.groupBy(alike, budgetOf).values()].map((each) => ({ evidence: each.slice(0, 1) }));
}

/** Whether requests have all the forms with which the limit was evaded: each may be mended without the others. */
function formsOf(id: RequirementId, proofs: readonly Evidence[]): (exchanges: readonly Exchange[]) => boolean {
  const form = ({ variation, credential }: Exchange): string => `${variation} ${credential}`;
  const evaded = id === 'LIMIT-EVADE' ? proofs.flatMap(({ evidence }) => evidence.map(form)) : [];
  return (exchanges) => evaded.every((each) => exchanges.some((exchange) => form(exchange) === each));
}
