import { findingsOf } from './findings.ts';
import { printable } from './printable.ts';
import type { Report } from './report.ts';
import { capital, overallWord, plural, sentence } from './wording.ts';

/** GitHub shows at most ten errors of one step. */
const SHOWN = 10;

/**
 * Workflow commands by which GitHub Actions marks a job: an error for each failure, with its sentence; a warning where
 * nothing failed and not everything could be judged; nothing where the target conforms.
 */
export function githubAnnotations(report: Report): string {
  const findings = findingsOf(report).filter(({ verdict }) => verdict.verdict === 'fail');
  const { overall, reason } = report.result;
  if (findings.length === 0) {
    return overall === 'conforms' ? '' : command('warning', overallWord(report), sentence(capital(reason)));
  }
  const told = findings.length > SHOWN ? findings.slice(0, SHOWN - 1) : findings;
  const rest = findings.length - told.length;
  return [
    ...told.map((each) => command('error', `${each.verdict.id} ${each.verdict.title}`, each.sentence)),
    ...(rest > 0 ? [command('error', 'And more', `${plural(rest, 'further failure')}: see report.html.`)] : []),
  ].join('');
}

/** One command, with what would end a property or the line written as GitHub reads it back. */
function command(level: 'error' | 'warning', title: string, text: string): string {
  const data = (value: string): string =>
    printable(value).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (value: string): string => data(value).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${level} title=${property(title)}::${data(text)}\n`;
}
