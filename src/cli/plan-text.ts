import type { Plan } from '../plan/plan.ts';
import type { Role } from '../plan/roles.ts';
import { isLoopback } from '../profile/loopback.ts';
import { printable } from '../report/printable.ts';
import type { PlannedExperiment, TraceHeader } from '../trace/trace.ts';
import { coverageSummary, plannedCoverage } from './coverage-text.ts';

/**
 * The plan in words, as printed before anything is sent. @param verbose adds a line for each requirement of which
 * something is left out
 */
export function planText(plan: Plan, header: Omit<TraceHeader, 'epoch'>, verbose = false): string {
  const rows = plan.experiments
    .filter((each) => each.omitted === null)
    .map((each) => [
      each.id,
      holdersOf(each, plan),
      `${each.requests}`,
      `${each.start.toFixed(0)}–${(each.start + each.seconds).toFixed(0)} s`,
      purposeOf(each.id, plan),
    ]);
  const omitted = plan.experiments.filter((each) => each.omitted !== null);
  const { full, restricted, revoked } = header.keys;
  const roles = [`${full.length} full`, ...(restricted ? ['1 restricted'] : []), ...(revoked ? ['1 revoked'] : [])];
  const allowed = header.profile.pacing.maxRequests;
  const pace =
    header.scale === 1 ? '' : `, in scaled time (${header.scale} times as fast; such a run certifies nothing)`;
  return [
    `Target      ${header.profile.target.name}  ${header.baseUrl}`,
    `Keys        ${roles.join(', ')}`,
    `Seed        ${header.seed}${header.nonce === null ? '' : `   nonce ${header.nonce}`}`,
    ...((header.attempts ?? 1) > 1
      ? [`Attempts    ${header.attempts} on this target within a day, including this one`]
      : []),
    '',
    ...columns([['experiment', 'on', 'requests ≤', 'when', 'what it does'], ...rows]),
    ...omitted.map((each) => `not run: ${each.id}: ${each.omitted}`),
    '',
    ...coverageSummary(plannedCoverage(plan, header), verbose),
    '',
    ...(plan.tracks.length > 0 && !isLoopback(header.baseUrl)
      ? [`This spends the read and write budgets of ${full.length} keys: nobody else may use them until the run ends.`]
      : []),
    `At most ${plan.requests} requests, about ${plan.seconds} s${pace}.`,
    ...(allowed !== null && allowed < plan.requests
      ? [
          `--max-requests or pacing.max_requests allows ${allowed}: if the run needs more, it ends early, and what is unfinished is not judged.`,
        ]
      : []),
    ...(plan.lowerBound.seconds > 0
      ? [
          `It takes at least ${plan.lowerBound.seconds} s, or less if a window had begun before the run: ${plan.lowerBound.why}.`,
        ]
      : []),
  ]
    .map(printable)
    .join('\n');
}

/** What each role does with the budget of a key, and each other experiment, in a few words. */
const PURPOSES: Readonly<Record<Role, string>> & Readonly<Record<string, string>> = {
  polled: 'spends the budget, asks until it is back',
  silent: 'spends the budget, then leaves it alone',
  boundary: 'spends the budget around the end of a window',
  idle: 'uses the budget with long pauses',
  brief: 'spends the budget once',
  preflight: 'sees whether the target answers',
  authentication: 'good keys, bad keys and none',
  status: 'what is due 400, 403, 404 or 500',
  further: 'what would have disturbed the budgets before',
  odd: 'malformed JSON, arbitrary requests',
  observed: 'what the specification leaves open',
  'clean-up': 'deletes what the run created',
};

function purposeOf(id: string, { tracks }: Plan): string {
  return PURPOSES[tracks.find((each) => each.id === id)?.role ?? id] ?? '';
}

/** The keys of an experiment; a check chooses one key once each has been tried. */
function holdersOf({ id, keys }: PlannedExperiment, { mode }: Plan): string {
  if (mode === 'check' && keys.length > 1 && id !== 'preflight') return 'the key with most left';
  return keys.length > 2 ? `${keys.length} keys` : keys.join(', ');
}

/** The plan as JSON, for programs. */
export function planJson(plan: Plan, header: Omit<TraceHeader, 'epoch'>): string {
  const { experiments, requests, seconds, lowerBound } = plan;
  const coverage = plannedCoverage(plan, header);
  const allowed = header.profile.pacing.maxRequests;
  return JSON.stringify({ seed: header.seed, requests, allowed, seconds, lowerBound, experiments, coverage }, null, 2);
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1, 2, 3, 4].map((index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
