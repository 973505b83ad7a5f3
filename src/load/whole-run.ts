import { LoadError } from './load-error.ts';
import type { LoadSpec } from './load-spec.ts';
import type { InstanceRecords } from './recorded.ts';

/** The common specification of the instances. @throws LoadError if they do not belong to one run */
export function requireOneRun(instances: readonly InstanceRecords[]): LoadSpec {
  const [first] = instances;
  if (!first) throw new LoadError('there is nothing to merge', 'Give the record files of all instances of one run.');
  const wanted = JSON.stringify(first.spec);
  for (const instance of instances) {
    if (JSON.stringify(instance.spec) === wanted) continue;
    throw new LoadError(
      `${instance.name} and ${first.name} do not belong to the same run (${instance.spec.run} and ${first.spec.run})`,
      'Merge the records of one run only: all its instances have the same specification.',
    );
  }
  return first.spec;
}

/** Checks that the instances' segments cover the whole exactly once. @throws LoadError */
export function requireWhole(instances: readonly InstanceRecords[]): void {
  const bySegment = [...instances].sort((a, b) => a.segment.from - b.segment.from);
  let covered = 0;
  for (const { name, segment } of bySegment) {
    if (segment.from > covered + 1e-9) throw missing(covered, segment.from);
    if (segment.from < covered - 1e-9) {
      throw new LoadError(
        `${name} repeats a part of the run that another file already has`,
        'Give each instance once. If an instance was started twice, run the load again.',
      );
    }
    covered = segment.to;
  }
  if (covered < 1 - 1e-9) throw missing(covered, 1);
}

/** Checks that no lane ran twice. @throws LoadError */
export function requireLanesOnce(instances: readonly InstanceRecords[]): void {
  const begun = instances.flatMap(({ name, lanes }) => lanes.map((lane) => ({ name, lane })));
  for (const [lane, [first, again]] of Map.groupBy(begun, ({ lane }) => lane)) {
    if (!first || !again) continue;
    throw new LoadError(
      `lane ${lane} ran twice (${first.name} and ${again.name})`,
      'Run the load again, and start every instance once, each with its own execution segment.',
    );
  }
}

function missing(from: number, to: number): LoadError {
  const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;
  return new LoadError(
    `the part of the run from ${percent(from)} to ${percent(to)} is missing`,
    'Give the record files of all instances: the missing requests drew on the same budgets.',
  );
}
