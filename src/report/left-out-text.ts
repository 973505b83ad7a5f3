import { listed } from '../deployment/operator.ts';
import type { Report, ReportedVerdict } from './report.ts';
import { isUndecided, plural } from './wording.ts';

/** How many requests of the plan could not be sent, why, and which verdicts that leaves open. */
export function leftOutText({
  conditions: { leftOut = [] },
  verdicts,
}: Pick<Report, 'conditions' | 'verdicts'>): string[] {
  return [...Map.groupBy(leftOut, ({ why }) => why)].map(([why, own]) => {
    const count = own.reduce((sum, { requests }) => sum + requests, 0);
    const names = [...new Set(own.map(({ operation }) => operation))];
    const [were, them] = count === 1 ? ['was', 'it'] : ['were', 'them'];
    const open = verdicts.filter((each) => isOpenFor(each, names)).map(({ id }) => id);
    const matters =
      open.length === 0
        ? `No verdict depends on ${them}.`
        : `Without ${them}, ${listed(open)} ${open.length === 1 ? 'stays' : 'stay'} undecided.`;
    return `${plural(count, 'request')} for ${names.join(', ')} ${were} left out: ${why}. ${matters}`;
  });
}

/** Whether a requirement is undecided for one of these operations. */
function isOpenFor(verdict: ReportedVerdict, operations: readonly string[]): boolean {
  if (!isUndecided(verdict)) return false;
  const { level, summary, parts } = verdict;
  const open = parts.filter((each) => isUndecided({ level, verdict: each.verdict }));
  const told = [summary, ...open.map((each) => `${each.name} ${each.summary}`)];
  const words = new Set(told.join(' ').split(/[\s:;,]+/));
  return operations.some((each) => words.has(each));
}
