import { scaledWall } from '../clock/scaled-time.ts';
import { type Exchange, NO_HEADERS } from '../trace/exchange.ts';
import { SharedExchange, type SharedFields } from '../trace/shared-exchange.ts';
import type { Intent } from '../trace/trace.ts';
import { clockOffsets, type InstanceClock } from './clock-offsets.ts';
import { plannedRequests } from './extent.ts';
import type { InstanceRecords } from './instance-records.ts';
import { LoadError } from './load-error.ts';
import type { LoadSpec, LoadTemplate } from './load-spec.ts';
import { renderer } from './render.ts';
import { type PlannedRequest, requestLookup } from './request-id.ts';

/** The records of all instances as one history, on one clock. */
export interface JoinedLoad {
  readonly spec: LoadSpec;
  /** Wall time in µs since the Unix epoch at time 0 of the run's clock, in that clock's scale. */
  readonly epoch: number;
  /** In order of `sent`, numbered from 1. */
  readonly exchanges: readonly Exchange[];
  readonly unanswered: readonly Intent[];
  readonly accounting: Accounting;
  readonly waves: readonly JoinedWave[];
  readonly instances: readonly JoinedInstance[];
  /** Why the figures, or the verdict, cannot be relied on; empty where they can. */
  readonly defects: readonly string[];
}

export interface Accounting {
  readonly due: number;
  readonly sent: number;
  readonly recorded: number;
  readonly dropped: number;
  readonly unanswered: number;
}

/** Requests of one instance that were due together, and when the first and the last of them left, in µs of the run's clock. */
export interface JoinedWave {
  readonly due: number;
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

export interface JoinedInstance {
  readonly name: string;
  readonly requests: number;
  readonly clock: InstanceClock | null;
}

/**
 * Joins the records of a run's instances. Throws a LoadError where one is missing, there twice, or of another run: a part
 * of the requests cannot be judged, since the rest of them drew on the same budgets.
 *
 * @param options.sameHost all instances ran on this machine, so their wall clocks agree
 */
export function joinInstances(instances: readonly InstanceRecords[], options: { sameHost: boolean }): JoinedLoad {
  const [first] = instances;
  if (!first) throw new LoadError('there is nothing to merge', 'Name the record files of all instances of one run.');
  requireOneRun(instances);
  requireWhole(instances);
  const { spec } = first;
  const clocks = clockOffsets(instances, options);
  const epochs = instances.map((instance, i) => instance.epoch.low - (clocks[i]?.offset ?? 0));
  const zero = Math.min(...epochs);
  const lookup = requestLookup(spec);
  const rendered = renderer(spec);
  const exchanges: SharedExchange[] = [];
  const unanswered: Intent[] = [];
  const defects = instances.flatMap(defectsOf);
  let unknown = 0;

  for (const [i, instance] of instances.entries()) {
    const shift = (epochs[i] ?? zero) - zero;
    const slack = clocks[i]?.uncertainty ?? 0;
    const early = (clock: number): number => Math.max(0, Math.floor((clock + shift - slack) * spec.scale));
    const late = (clock: number): number => Math.ceil((clock + shift + slack) * spec.scale);
    const shared = sharing(spec, i + 1);
    const { ids, sent, answered, statuses, headers, failures } = instance.answers;
    for (const [at, id] of ids.entries()) {
      const request = lookup(id);
      if (!request) {
        unknown += 1;
        continue;
      }
      const failure = failures.get(at) ?? null;
      exchanges.push(
        new SharedExchange(shared(request), {
          target: rendered(request.template, id).target,
          sent: early(sent[at] ?? 0),
          answered: failure === null ? late(answered[at] ?? 0) : null,
          status: failure === null ? (statuses[at] ?? null) : null,
          failure,
          headers: headers[at] ?? NO_HEADERS,
        }),
      );
    }
    for (const { id, sent: announced } of instance.unanswered) {
      const request = lookup(id);
      if (!request) {
        unknown += 1;
        continue;
      }
      const { target } = rendered(request.template, id);
      unanswered.push({ seq: 0, ...shared(request), target, sent: early(announced) });
    }
  }
  if (unknown > 0) defects.push(`${unknown} records are of requests that the plan does not have`);

  exchanges.sort((a, b) => a.sent - b.sent);
  let seq = 0;
  for (const exchange of exchanges) exchange.seq = ++seq;
  const numbered = unanswered.sort((a, b) => a.sent - b.sent).map((intent) => ({ ...intent, seq: ++seq }));
  const accounting = reconcile(instances, plannedRequests(spec), exchanges.length, numbered.length);
  return {
    spec,
    epoch: scaledWall(zero, spec.scale),
    exchanges,
    unanswered: numbered,
    accounting,
    waves: instances.flatMap((instance, i) => wavesOf(instance, (epochs[i] ?? zero) - zero, zero, spec.scale)),
    instances: instances.map((instance, i) => ({
      name: instance.name,
      requests: instance.sent,
      clock: i === 0 ? null : (clocks[i] ?? null),
    })),
    defects,
  };
}

/** A function from a request to what it has in common with others of its key, kind, step and operation. */
function sharing(spec: LoadSpec, connection: number): (request: PlannedRequest) => SharedFields {
  const known = new Map<LoadTemplate, Map<string, SharedFields[]>>();
  return ({ key, kind, step, template }) => {
    let steps = known.get(template);
    if (!steps) {
      steps = new Map();
      known.set(template, steps);
    }
    let byKey = steps.get(step);
    if (!byKey) {
      byKey = [];
      steps.set(step, byKey);
    }
    const found = byKey[key];
    if (found) return found;
    const made: SharedFields = {
      experiment: spec.scenario,
      step,
      pair: null,
      operation: template.operation,
      group: template.group,
      kind,
      fault: 'none',
      key: aliasOf(key),
      credential: 'x-api-key',
      variation: null,
      method: template.method,
      connection,
    };
    byKey[key] = made;
    return made;
  };
}

/** Alias of the key with this index, counted from 0. */
export function aliasOf(key: number): string {
  return `key-${key + 1}`;
}

function requireOneRun(instances: readonly InstanceRecords[]): void {
  const [first] = instances;
  const wanted = JSON.stringify(first?.spec);
  for (const instance of instances) {
    if (JSON.stringify(instance.spec) === wanted) continue;
    throw new LoadError(
      `${instance.name} and ${first?.name} are not of the same run (${instance.spec.run} and ${first?.spec.run})`,
      'Merge the records of one run only: all its instances were given the same specification.',
    );
  }
}

/** Checks that the instances' segments tile the whole, and that no lane or arrival was run by two of them. */
function requireWhole(instances: readonly InstanceRecords[]): void {
  const bySegment = [...instances].sort((a, b) => a.segment.from - b.segment.from);
  let covered = 0;
  for (const { name, segment } of bySegment) {
    if (segment.from > covered + 1e-9) throw missing(covered, segment.from);
    if (segment.from < covered - 1e-9) {
      throw new LoadError(
        `${name} repeats a part of the run that another file has already`,
        'Give each instance once; where one was started again, keep the records of one start only, and run the load anew.',
      );
    }
    covered = segment.to;
  }
  if (covered < 1 - 1e-9) throw missing(covered, 1);
  const seen = new Map<number, string>();
  for (const { name, lanes } of instances) {
    for (const lane of lanes) {
      const other = seen.get(lane);
      if (other !== undefined) {
        throw new LoadError(
          `lane ${lane} was run twice (${other} and ${name})`,
          'Start every instance once, each with its own execution segment, and run the load anew.',
        );
      }
      seen.set(lane, name);
    }
  }
}

function missing(from: number, to: number): LoadError {
  const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;
  return new LoadError(
    `the part of the run from ${percent(from)} to ${percent(to)} is missing`,
    'Give the record files of all instances: the requests of the missing one drew on the same budgets.',
  );
}

function defectsOf(instance: InstanceRecords): string[] {
  const defects = instance.exceptions.map((message) => `${instance.name}: the script failed: ${message}`);
  const { low, high } = instance.epoch;
  if (high < low) defects.push(`${instance.name}: its wall clock was set during the run`);
  if (instance.contradictions > 0) {
    defects.push(
      `${instance.name}: ${instance.contradictions} answers were recorded that no sending was announced for`,
    );
  }
  return defects;
}

function reconcile(
  instances: readonly InstanceRecords[],
  due: number,
  recorded: number,
  unanswered: number,
): Accounting {
  const sent = instances.reduce((sum, instance) => sum + instance.sent, 0);
  return { due, sent, recorded, dropped: Math.max(0, due - sent), unanswered };
}

/** Times of an instance's waves on the run's clock. */
function wavesOf(instance: InstanceRecords, shift: number, zero: number, scale: number): JoinedWave[] {
  return instance.waves.map(({ due, first, last, count }) => ({
    due: (due * 1000 - zero) * scale,
    first: (first + shift) * scale,
    last: (last + shift) * scale,
    count,
  }));
}
