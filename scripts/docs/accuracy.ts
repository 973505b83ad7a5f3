import { existsSync, readFileSync } from 'node:fs';
import { type RecordedAccuracy, recordedTable } from '../../src/accuracy/table.ts';

/** The recorded measurement of this release; null where none is recorded. */
export function readAccuracy(file: string): RecordedAccuracy | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RecordedAccuracy) : null;
}

/** The measurement in a sentence or two, for the README. */
export function accuracySummary(accuracy: RecordedAccuracy | null): string {
  if (accuracy === null) return 'No measurement is recorded yet for this release.';
  const { conforming, falseFailures, undecided, observable, defects, found, medianProof } = accuracy;
  return [
    `- **${falseFailures} false failures** in ${conforming} runs against conforming servers; ${undecided} left undecided`,
    `- **${found} of ${observable}** observable defects found, each under a requirement that it breaks (${defects} are seeded; the page lists those that no client can observe, and why)`,
    `- the median proof has ${medianProof} exchanges`,
  ].join('\n');
}

const INTRODUCTION = `How often is a verdict wrong? The repository measures it, with its reference server. The _conforming servers_ have every admissible window
mechanism and every option that real limiters have shown. Each other server has one _seeded defect_, which lists the requirements that it
breaks and those that may fail besides. The command \`accuracy\` runs the whole suite over HTTP against each, and rates the verdicts:

- **found**: a requirement that the defect breaks fails, and nothing fails that the defect cannot explain
- **missed**: no requirement fails that the defect breaks
- **false failure**: a requirement fails that the server meets
- **undecided**: nothing fails wrongly, but something decidable is inconclusive

In scaled time, this takes minutes:

\`\`\`sh
npx size-chart-conformance accuracy --out reports/accuracy
\`\`\`
`;

/** `docs/accuracy.md`. */
export function accuracyPage(accuracy: RecordedAccuracy | null): string {
  if (accuracy === null) {
    return `# Accuracy\n\n${INTRODUCTION}\nNo measurement is recorded yet for this release.\n`;
  }
  return recordedTable(accuracy, `${INTRODUCTION}\n## This release\n\n`);
}
