import { COVERAGE } from '../catalogue/coverage.ts';
import { badKeyNamed } from '../catalogue/key-states.ts';
import type { Levels } from '../plan/cover.ts';
import { countCoverage, possibleLevels } from '../plan/coverage-count.ts';
import { makePlan } from '../plan/plan.ts';
import { operationLevels } from '../plan/trials.ts';
import { levelsOfLoad } from '../plan/windows.ts';
import type { Operation } from '../profile/profile.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import type { ReportedCoverage } from './report.ts';

/** How much of what each requirement demands a run has tried; empty if no plan drove the run. */
export function reportCoverage({ header, exchanges }: Trace): readonly ReportedCoverage[] {
  if (header.command !== 'certify' && header.command !== 'check') return [];
  const { profile, keys } = header;
  const selection = new Set(header.selection);
  const operations = new Map(profile.operations.map((each) => [each.id, each]));
  const answered = exchanges.filter(({ status }) => status !== null);
  const single = answered.flatMap((each) => levelsOfExchange(each, operations.get(each.operation ?? '')));
  const spent = new Set(
    answered.flatMap((each) =>
      each.status === 429 ? [spender(each.experiment, each.operation, each.credential)] : [],
    ),
  );
  const windows = makePlan({ profile, keys, selection, mode: header.command }).tracks.flatMap(({ id, key, loads }) =>
    loads.flatMap((load) => {
      const carriers = load.carriers.filter(({ operation, way }) => spent.has(spender(id, operation.id, way)));
      // What they show within the limit is counted by their own answers: a window need not have been whole.
      return levelsOfLoad({ ...load, carriers }, key).filter(({ fault }) => fault === 'over-limit');
    }),
  );
  return countCoverage(selection, possibleLevels(profile, keys), [...single, ...windows]).map((count) => {
    const { experiments, judge } = COVERAGE[count.requirement];
    return { ...count, experiments, judge };
  });
}

function spender(experiment: string, operation: string | null, way: string): string {
  return `${experiment} ${operation} ${way}`;
}

/** The levels of a recorded request; none if no demand is about it. */
function levelsOfExchange(exchange: Exchange, operation: Operation | undefined): readonly Levels[] {
  const { fault, status, variation, key, step } = exchange;
  if (!operation || fault === 'unstated') return [];
  const badKey = badKeyNamed(variation);
  const keyed = fault !== 'no-key' && key !== null && key !== 'unknown';
  return [
    {
      ...operationLevels(operation),
      way: badKey?.family === 'wrong-scheme' ? 'bearer' : exchange.credential,
      fault: status === 429 ? 'over-limit' : fault,
      ...(keyed ? { key } : {}),
      ...(badKey ? { state: badKey.name } : {}),
      ...(fault === 'none' || fault === 'no-key' || fault === 'bad-key' ? {} : { probe: step }),
    },
  ];
}
