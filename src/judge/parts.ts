import type { RequirementId } from '../catalogue/requirement.ts';
import { listed } from '../deployment/operator.ts';
import type { Exchange } from '../trace/exchange.ts';
import { type Compared, contrast } from './contrast.ts';
import { sentKeyText } from './sent-key.ts';
import type { Opinion, Part, Proof, VerdictName } from './verdict.ts';
import { bySent } from './view.ts';

/** At most so many proofs for a requirement: more of the same tell nobody more. */
const MOST_PROOFS = 5;

/** What was found on a part of a requirement, with what a summary of the whole needs. */
export interface Finding {
  readonly name: string;
  readonly verdict: VerdictName;
  readonly witnesses: number;
  readonly summary: string;
  /** What is wrong, as a sentence about all parts of which it is true; only where it fails. */
  readonly failure?: Failure;
  /** The wrong statuses, the worst first, where they are all that may differ from the sentence of another part. */
  readonly seen?: readonly number[];
  readonly remedy?: string;
  readonly proofs?: readonly Proof[];
  /** Of a part that fails: what was answered wrongly, and what was answered as it should be. */
  readonly compared?: Compared;
  /** The requirement can pass without it: it is no part of its statement, or nobody can provoke it. */
  readonly optional?: boolean;
}

/** @param seen the wrong statuses of all these parts; left out: of its own */
type Failure = (names: string, seen?: readonly number[]) => string;

/** A part that answers do not decide. */
export function unsettled(name: string, summary: string, remedy: string): Finding {
  return { name, verdict: 'inconclusive', witnesses: 0, summary, remedy };
}

/** A part of which nothing was sent. */
export function untested(name: string, summary: string, remedy: string): Finding {
  return { name, verdict: 'not tested', witnesses: 0, summary, remedy };
}

/** A part that fails. @param failure what is wrong, with the names of the parts of which it is true */
export function failing(
  name: string,
  witnesses: number,
  failure: Failure,
  proofs: readonly Proof[],
  compared?: Compared,
  seen?: readonly number[],
): Finding {
  const summary = failure(name);
  return {
    name,
    verdict: 'fail',
    witnesses,
    summary,
    failure,
    proofs,
    ...(compared && { compared }),
    ...(seen && { seen }),
  };
}

/** What is needed to say that a group of requests, all alike, contradicts a sentence of the specification. */
export interface Contradiction {
  readonly part: string;
  readonly expected: string;
  readonly received: string;
  /** Fewest requests that prove it. */
  readonly evidence: readonly Exchange[];
  readonly argument: readonly string[];
  /** How many requests of the run show the same; more than one is said in `received`. */
  readonly count?: number;
}

export function proofOf({ part, expected, received, evidence, argument, count = 1 }: Contradiction): Proof {
  return {
    expected,
    received: count > 1 ? `${received} (${count} times in the run; the first is shown)` : received,
    evidence: [...evidence].sort(bySent),
    argument,
    diagnosis: null,
    part,
  };
}

/** One proof for each kind of equal failures: its first request, and how many there were. */
export function proofPerKind<E extends Exchange, K>(
  failures: readonly E[],
  kindOf: (exchange: E) => K,
  contradiction: (first: E, kind: K) => Omit<Contradiction, 'count'>,
): Proof[] {
  return [...groupBy(failures, kindOf)].flatMap(([kind, [first, ...same]]) =>
    first ? proofOf({ ...contradiction(first, kind), count: same.length + 1 }) : [],
  );
}

const WORST_FIRST: readonly VerdictName[] = ['fail', 'inconclusive', 'not tested', 'pass'];

/**
 * What several findings come to: the worst of those that count. Nothing found is `not tested`: nothing passes on
 * nothing.
 */
export interface Sum {
  readonly verdict: VerdictName;
  readonly witnesses: number;
  readonly summary: string;
  /** The part of the deployment in which all failures are (`Verdict.place`); null: not known, or everywhere. */
  readonly place: string | null;
  readonly remedy: string | null;
  /** Shortest first, and no more than a reader wants. */
  readonly proofs: readonly Proof[];
}

/** @param passed what to say when all pass, such as `every answer carries the three headers` */
export function sumUp(findings: readonly Finding[], passed: string): Sum {
  const counting = findings.filter((each) => each.optional !== true || each.verdict === 'fail');
  const verdict = WORST_FIRST.find((name) => counting.some((each) => each.verdict === name)) ?? 'not tested';
  const decisive = counting.filter((each) => each.verdict === verdict);
  const proofs = decisive.flatMap((each) => each.proofs ?? []);
  const open = verdict !== 'pass' && verdict !== 'fail';
  const remedy = open ? unique(decisive.flatMap((each) => each.remedy ?? [])).join('; ') : '';
  return {
    verdict,
    witnesses: findings.reduce((sum, each) => sum + each.witnesses, 0),
    ...(verdict === 'pass' ? { summary: passed, place: null } : saidApart(decisive, 'no request of the run tests it')),
    remedy: remedy === '' ? null : remedy,
    proofs: [...proofs].sort((a, b) => a.evidence.length - b.evidence.length).slice(0, MOST_PROOFS),
  };
}

/** One opinion from what was found on each part of a requirement. */
export function combine(
  id: RequirementId,
  findings: readonly Finding[],
  passed: string,
  extra: { readonly remedy?: string; readonly notes?: readonly string[]; readonly witnesses?: number } = {},
): Opinion {
  const sum = sumUp(findings, passed);
  const decided = sum.verdict === 'pass' || sum.verdict === 'fail';
  return {
    id,
    ...sum,
    remedy: decided ? null : (sum.remedy ?? extra.remedy ?? null),
    witnesses: extra.witnesses ?? sum.witnesses,
    parts: findings.map(toPart),
    notes: extra.notes ?? [],
  };
}

function toPart({ name, verdict, witnesses, summary }: Finding): Part {
  return { name, verdict, witnesses, summary };
}

/** What some findings say: those that say the same together, whatever their further statuses; of many the first two. */
function sentence(findings: readonly Finding[], otherwise: string): string {
  const [first = otherwise, second, ...others] = [
    ...groupBy(findings, (each) => each.failure?.('', each.seen?.slice(0, 1)) ?? each.summary).values(),
  ].map(together);
  if (second === undefined) return first;
  return others.length === 0 ? `${first}; ${second}` : `${first}; ${second}; and ${others.length} more`;
}

function together(alike: readonly Finding[]): string {
  const names = fewOf(alike.map(({ name }) => name));
  const [first] = alike;
  const seen = unique(alike.flatMap((each) => each.seen ?? []));
  return first?.failure?.(names, first.seen && seen) ?? `${names}: ${first?.summary ?? ''}`;
}

/** A sentence about failures, and the part of the deployment that sets them apart, if one does. */
export type Said = Pick<Sum, 'summary' | 'place'>;

/** What some findings of failures say, and what sets the wrong answers apart from right ones. */
export function saidApart(findings: readonly Finding[], otherwise: string): Said {
  return setApart(sentence(findings, otherwise), findings);
}

/** A sentence about some findings of failures, with what sets the wrong answers apart. */
export function setApart(text: string, findings: readonly Finding[]): Said {
  const compared = findings.flatMap((each) => each.compared ?? []);
  const [first] = compared;
  const apart =
    first &&
    contrast({
      ...first,
      wrong: compared.flatMap(({ wrong }) => wrong),
      right: compared.flatMap(({ right }) => right),
    });
  return { summary: apart ? `${text} (${apart.words})` : text, place: apart?.place ?? null };
}

/** Names side by side: of many the first ones, and how many there are besides. */
function fewOf(names: readonly string[]): string {
  return listed(names.length <= MOST_NAMES ? names : [...names.slice(0, 4), `${names.length - 4} more`]);
}

/** A sentence, and of which parts it is true. */
export function on(text: string): (names: string) => string {
  return (names) => (names === '' ? text : `${text}: ${names}`);
}

/** How many of some answers, in words. */
export function share(some: number, all: number): string {
  return some === all ? allOf(all, 'answer') : `${some} of ${all} answers`;
}

/** On all of the things that are counted beside it, in words. */
export function onAll(total: number): string {
  return total === 1 ? 'on the only one' : total === 2 ? 'on both' : `on all ${total}`;
}

/** All of some things, in words: `all 3 operations`, `both operations`, `the only operation`. */
export function allOf(total: number, noun: string): string {
  return total === 1 ? `the only ${noun}` : `${total === 2 ? 'both' : `all ${total}`} ${noun}s`;
}

/** As many as there are statuses in the specification, and one more. */
const MOST_NAMES = 8;

export function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/** How many fit: without a list of them, which for a long run takes as much memory as the run. */
export function count<T>(values: readonly T[], fits: (value: T) => boolean): number {
  let fitting = 0;
  for (const value of values) if (fits(value)) fitting += 1;
  return fitting;
}

/** Groups in order of first appearance. */
export function groupBy<T, K>(values: Iterable<T>, key: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const name = key(value);
    const group = groups.get(name);
    if (group) group.push(value);
    else groups.set(name, [value]);
  }
  return groups;
}

/** `#12 GET /labels with no key`: how arguments name a request. */
export function describe(exchange: Exchange): string {
  return `#${exchange.seq} ${exchange.method} ${exchange.target} ${sentKeyText(exchange)}`;
}
