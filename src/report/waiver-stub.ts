import type { ReportedVerdict } from './report.ts';

const DAY = 86_400_000;
const WAIVER_DAYS = 90;

/**
 * A waiver of this failure as YAML, to paste into the profile or a file of waivers: only the parts that fail, for 90
 * days from the run. The vendor must give the reason.
 *
 * @param started start of the run, ISO 8601
 */
export function waiverStub(verdict: Pick<ReportedVerdict, 'id' | 'parts'>, started: string): string {
  const until = new Date(Date.parse(started) + WAIVER_DAYS * DAY).toISOString().slice(0, 10);
  const failing = verdict.parts.filter((each) => each.verdict === 'fail' || each.verdict === 'waived');
  const parts = failing.length > 0 && failing.length < verdict.parts.length ? failing.map((each) => each.name) : [null];
  const entries = parts.flatMap((part) => [
    `  - requirement: ${verdict.id}`,
    // Every JSON string is also a YAML string.
    ...(part === null ? [] : [`    part: ${JSON.stringify(part)}`]),
    '    reason: "…"   # what is wrong, and who fixes it',
    `    until: ${until}`,
  ]);
  return ['waivers:', ...entries].join('\n');
}
