import { badge } from './badge.ts';
import { codeQualityReport } from './code-quality.ts';
import { ctrfReport } from './ctrf.ts';
import { htmlReport } from './html/html-report.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { type Report, serialiseReport } from './report.ts';
import { terminalReport } from './terminal.ts';

/**
 * Every file of a report: the name that `--reporter` takes, the file that a run's folder has it under, and its maker.
 */
export const FORMATS = {
  json: { file: 'report.json', render: serialiseReport },
  html: { file: 'report.html', render: htmlReport },
  junit: { file: 'junit.xml', render: junitReport },
  ctrf: { file: 'ctrf.json', render: ctrfReport },
  gitlab: { file: 'gl-code-quality-report.json', render: codeQualityReport },
  markdown: { file: 'summary.md', render: markdownReport },
  badge: { file: 'badge.svg', render: badge },
  text: { file: 'summary.txt', render: (report: Report) => terminalReport(report) },
} as const satisfies Record<string, { file: string; render: (report: Report) => string }>;

/** What `--reporter` chooses from: the files, and `github`, which prints annotations. */
export type Reporter = keyof typeof FORMATS | 'github';

export function isReporter(name: string): name is Reporter {
  return name === 'github' || Object.hasOwn(FORMATS, name);
}
