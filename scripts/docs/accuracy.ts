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
    `- **${found} of ${observable}** observable defects found, each under a requirement that it breaks (${defects} are seeded; what no client can observe is listed with the reason)`,
    `- a proof takes ${medianProof} exchanges in the median`,
  ].join('\n');
}

const INTRODUCTION = `How often is a verdict wrong? The repository answers by measuring. It holds a reference server with every admissible
window mechanism and every option that real limiters were seen to have: the _conforming servers_. It also holds that server with one
defect at a time: the _seeded defects_, each with the requirements that it breaks and those that it may break besides.
The command \`accuracy\` runs the whole suite over HTTP against each of them and rates what it says:

- **found**: a requirement that the defect breaks fails, and nothing fails that the defect cannot explain
- **missed**: nothing fails that the defect breaks
- **false failure**: a requirement fails that the server keeps.
- **undecided**: nothing fails wrongly, and something that could be decided was left inconclusive

The runs take place in scaled time, so that the whole set takes minutes. Measure it yourself:

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
