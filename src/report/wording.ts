import { isRequirementId, requirement } from '../catalogue/catalogue.ts';
import type { Level, Requirement } from '../catalogue/requirement.ts';
import { listed } from '../deployment/operator.ts';
import type { Overall } from '../judge/judgement.ts';
import type { VerdictName } from '../judge/verdict.ts';
import { failuresOf } from './causes.ts';
import type { Report, ReportedProof, ReportedVerdict } from './report.ts';

/**
 * Verdicts in the order of a reader's interest, those that need attention first: the sign next to the word (never only
 * colour), and the verb for one requirement and for several.
 */
const VERDICTS = [
  { name: 'fail', sign: '✗', one: 'fails', many: 'fail' },
  { name: 'inconclusive', sign: '?', one: 'is inconclusive', many: 'are inconclusive' },
  { name: 'waived', sign: '~', one: 'is waived', many: 'are waived' },
  { name: 'not tested', sign: '–', one: 'was not tested', many: 'were not tested' },
  { name: 'pass', sign: '✓', one: 'passes', many: 'pass' },
  { name: 'observed', sign: '·', one: 'was observed', many: 'were observed' },
] as const satisfies readonly { name: VerdictName; sign: string; one: string; many: string }[];

export function signOf(verdict: VerdictName): string {
  return VERDICTS.find(({ name }) => name === verdict)?.sign ?? '';
}

/**
 * Sections of the specification, and the suite that states the requirements of each prefix, by the prefix of their IDs.
 */
const SECTIONS: Readonly<Record<string, { readonly number: string; readonly title: string; readonly suite: string }>> =
  {
    AUTH: { number: '5', title: 'Authentication', suite: '05-authentication' },
    STATUS: { number: '7', title: 'Status codes', suite: '07-status-codes' },
    HDR: { number: '8', title: 'Limits', suite: '08-limit-headers' },
    LIMIT: { number: '8', title: 'Limits', suite: '08-limits' },
    VERSION: { number: '9', title: 'Versioning', suite: '09-versioning' },
  };

const UNKNOWN = { number: '', title: 'Other', suite: 'all' };

/**
 * Section of the specification that a requirement belongs to (AUTH-5 is judged by clause 7, and belongs to section 5).
 */
export function sectionOf({ id }: { readonly id: string }): (typeof SECTIONS)[string] {
  return SECTIONS[id.split('-')[0] ?? ''] ?? UNKNOWN;
}

/** The file that states a requirement as a test. */
export function suiteOf(requirement: { readonly id: string }): string {
  return `suites/${sectionOf(requirement).suite}.suite.ts`;
}

/** The requirements of a run that can pass or fail, by the title of their section. */
export function bySection(report: Report): ReadonlyMap<string, readonly ReportedVerdict[]> {
  return Map.groupBy(judged(report), (each) => sectionOf(each).title);
}

/** How much of the catalogue a run decided: passes, failures and waivers, of all requirements that can be decided. */
export function coverageOf(report: Report): Readonly<{ decided: number; all: number; whole: boolean }> {
  const left = [...report.verdicts.filter(isUndecided), ...unselected(report)];
  const whole = left.every(({ id }) => isRequirementId(id) && requirement(id).optional);
  const decided = judged(report).filter((each) => !isUndecided(each)).length;
  return { decided, all: decided + left.length, whole };
}

/** Whether a requirement that can fail was left open. */
export function isUndecided({ level, verdict }: Pick<ReportedVerdict, 'level' | 'verdict'>): boolean {
  return level !== 'observed' && (verdict === 'inconclusive' || verdict === 'not tested');
}

/** Requirements that the run did not select, and that can pass or fail. */
export function unselected(report: Report): Requirement[] {
  return report.unselected.filter(isRequirementId).map(requirement).filter(isFallible);
}

/** `no failure in 14 of 36 requirements, under load`: the text for a run that left out part of the catalogue. */
function noFailure(report: Report, whose = ''): string {
  const { decided, all } = coverageOf(report);
  const under = report.load === null ? '' : ', under load';
  const { waived } = report.result.counts;
  return `no failure${waived > 0 ? ' besides the waived ones' : ''} in ${decided} of ${all} requirements${whose}${under}`;
}

/**
 * The outcome of a run. `partial`: nothing failed, but not the whole catalogue was judged, or something is waived. This
 * does not count as conforming.
 */
export function outcomeOf(report: Report): Overall | 'partial' {
  const { overall, counts } = report.result;
  return overall !== 'conforms' || (coverageOf(report).whole && counts.waived === 0) ? overall : 'partial';
}

/**
 * The outcome of a run for programs, in files and outputs that name it in a word: what left out a part never `conforms`
 * there.
 */
export function outcomeName(report: Report): string {
  const outcome = outcomeOf(report);
  return outcome === 'partial' ? 'no failure in part' : outcome;
}

/** The verdict of the run in a few words, for a heading. */
export function overallWord(report: Report): string {
  const outcome = outcomeOf(report);
  return capital(outcome === 'partial' ? noFailure(report) : outcome);
}

/** The target's name, and its version if the profile gives one. */
export function targetName(report: Pick<Report, 'target'>): string {
  return report.target.version === null ? report.target.name : `${report.target.name} ${report.target.version}`;
}

/** The command that starts this release of the suite, for pasting. */
export function programOf({ suite }: Pick<Report, 'suite'>): string {
  return `npx ${suite.name}@${suite.version}`;
}

/** The sentence that summarises the run; it is at the top of every format. */
export function headline(report: Report): string {
  const target = targetName(report);
  const counts = countsText(report);
  switch (outcomeOf(report)) {
    case 'partial':
      return `${target}: ${noFailure(report, ' of the Size Chart Service API v1')}.`;
    case 'conforms':
      return `${target} conforms to the Size Chart Service API v1: ${counts}.`;
    case 'does not conform':
      return `${target} does not conform to the Size Chart Service API v1: ${counts}.`;
    case 'incomplete':
      return `The run against ${target} is incomplete, so it gives no verdict: ${counts}.`;
    case 'inconclusive':
      return `Whether ${target} conforms to the Size Chart Service API v1 could not be established: ${counts}.`;
  }
}

/**
 * `2 of 36 requirements fail, 1 more because of them, 29 pass, 4 were not tested`: what decides the verdict comes first,
 * and what follows from a failure is no failure of its own. Those only observed do not count.
 */
export function countsText(report: Report): string {
  const { overall } = report.result;
  const lead = overall === 'does not conform' ? 'fail' : overall === 'inconclusive' ? 'inconclusive' : 'pass';
  const all = judged(report).length;
  const total = ` of ${plural(all, 'requirement')}`;
  return countsByVerdict(report)
    .filter(({ name, count }) => count > 0 || name === lead)
    .sort((a, b) => Number(b.name === lead) - Number(a.name === lead))
    .flatMap(({ name, one, many, count }) => {
      const after = name === 'fail' ? failuresOf(report).following.length : 0;
      const own = count - after;
      const isOne = own === 1 || (name === lead && all === 1);
      const told = `${own}${name === lead ? total : ''} ${isOne ? one : many}`;
      return after === 0 ? told : [told, `${after} more because of ${own === 1 ? 'it' : 'them'}`];
    })
    .join(', ');
}

/** `AUTH-7 fails; LIMIT-RW and LIMIT-KEY are inconclusive.` */
export function byVerdict(verdicts: readonly ReportedVerdict[]): string {
  const groups = VERDICTS.flatMap(({ name, one, many }) => {
    const ids = verdicts.filter(({ verdict }) => verdict === name).map(({ id }) => id);
    return ids.length === 0 ? [] : [`${listed(ids)} ${ids.length === 1 ? one : many}`];
  });
  return `${groups.join('; ')}.`;
}

/** The requirements of the run that can pass or fail: all but those that are only observed. */
export function judged(report: Report): ReportedVerdict[] {
  return report.verdicts.filter(isFallible);
}

function isFallible({ level }: { readonly level: Level }): boolean {
  return level !== 'observed';
}

/** The diagnoses in the proofs of a failure, each once. */
export function diagnosesOf({ proofs }: Pick<ReportedVerdict, 'proofs'>): string[] {
  return [...new Set(proofs.flatMap(({ diagnosis }) => (diagnosis === null ? [] : inSentence(diagnosis))))];
}

/** The verdicts that occur among the judged requirements, with how many have each, in the order of interest. */
export function verdictCounts(report: Report): { name: VerdictName; count: number }[] {
  return countsByVerdict(report).filter(({ count }) => count > 0);
}

function countsByVerdict(report: Report): ((typeof VERDICTS)[number] & { count: number })[] {
  const groups = Map.groupBy(judged(report), ({ verdict }) => verdict);
  return VERDICTS.map((each) => ({ ...each, count: groups.get(each.name)?.length ?? 0 }));
}

/** A proof as lines of text. */
export function proofLines({ expected, received, argument }: ReportedProof): string[] {
  return [`expected: ${expected}`, `received: ${received}`, ...argument];
}

/** `1 request`, `2 requests`. */
export function plural(count: number, noun: string): string {
  return `${withCommas(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `12,345`. */
export function withCommas(count: number): string {
  return count.toLocaleString('en-US');
}

/**
 * With a capital first letter and a full stop. A name at its start, such as that of an operation or a URL, stays
 * unchanged.
 */
export function sentence(text: string): string {
  const start = /^[a-z]+(?![\w./{-]|:\/\/)/.test(text) ? capital(text) : text;
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

/** As a part of another sentence: with a small first letter, except for names. */
export function inSentence(text: string): string {
  return /^[A-Z][a-z]* /.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** With a capital first letter, for headings. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A length of time for people: `850 ms`, `12.4 s`, `2 min 5 s`. */
export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${trim(seconds)} s`;
  const whole = Math.round(seconds);
  const rest = whole % 60;
  return rest === 0 ? `${Math.floor(whole / 60)} min` : `${Math.floor(whole / 60)} min ${rest} s`;
}

/** Milliseconds for people: three significant digits at most below a second. */
export function milliseconds(value: number): string {
  if (Math.abs(value) >= 1000) return `${trim(value / 1000)} s`;
  return `${trim(value)} ms`;
}

function trim(value: number): string {
  const digits = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  return Number(value.toFixed(digits)).toString().replace('-', '−');
}

/** Raw values of a header for a table: `—` if absent, several field lines joined by ` ⏎ `. */
export function headerText(values: readonly string[]): string {
  if (values.length === 0) return '—';
  return values.map((value) => (value === '' ? '(empty)' : value)).join(' ⏎ ');
}
