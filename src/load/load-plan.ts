import type { Operation, Profile } from '../profile/profile.ts';
import type { Kind } from '../trace/exchange.ts';
import type { Extent } from './extent.ts';
import { LoadError } from './load-error.ts';
import { hiddenHeaders } from './load-headers.ts';
import { LOAD_FORMAT, type LoadSpec, type LoadTemplate, type ScenarioName } from './load-spec.ts';
import { SCENARIOS } from './scenario.ts';

/** The settings besides profile and scenario, from the user and the machine. */
export interface LoadChoices {
  readonly scenario: ScenarioName;
  readonly keys: number;
  readonly run: string;
  readonly scale: number;
  readonly seconds: number | null;
  readonly rate: number | null;
}

/** The specification of a run, without its T0. Throws a LoadError if the profile or the keys do not suffice. */
export function specify(profile: Profile, choices: LoadChoices): LoadSpec {
  const { scenario, keys, scale } = choices;
  const { defaults, leastKeys, kinds } = SCENARIOS[scenario];
  if (keys < leastKeys) {
    throw new LoadError(
      `Scenario ${scenario} needs ${leastKeys} keys, but SIZE_CHART_KEYS has ${keys}`,
      'Create more keys in the administration panel and add them to SIZE_CHART_KEYS, separated by commas.',
    );
  }
  if (defaults === null && (choices.seconds !== null || choices.rate !== null)) {
    throw new LoadError(
      `Scenario ${scenario} has a fixed length and rate`,
      'Leave out --duration and --rate, or choose sustained, soak or ramp.',
    );
  }
  const reads = kinds.includes('read') ? suitable(profile, 'read') : [];
  const writes = kinds.includes('write') ? suitable(profile, 'write') : [];
  return {
    format: LOAD_FORMAT,
    run: choices.run,
    scenario,
    baseUrl: profile.baseUrl,
    scale,
    start: null,
    keys,
    reads,
    writes,
    timeout: Math.max(2_000, Math.round(profile.http.timeoutMs.response / scale)),
    insecure: profile.http.tls.insecure,
    seconds: choices.seconds ?? defaults?.seconds ?? 0,
    rate: Math.min(choices.rate ?? defaults?.rate ?? 0, profile.pacing.maxRate ?? Number.POSITIVE_INFINITY),
  };
}

/**
 * Operations of a kind that can be repeated unchanged: those without a preparation, of which a valid profile has no
 * value to fill in. All reads take part, but only one write: the first that puts the same thing in the same place each
 * time; else the first that at least removes nothing, and the plan says that created things remain; else the first.
 */
function suitable(profile: Profile, kind: Kind): LoadTemplate[] {
  const ready = profile.operations.filter((operation) => operation.kind === kind && operation.prepare.length === 0);
  if (ready.length === 0) {
    throw new LoadError(
      `The profile has no ${kind} operation that can be repeated as it is`,
      'Add one without `prepare` and without captured variables: load sends it many times and prepares nothing.',
    );
  }
  const harm = ({ method, cleanup }: Operation): number =>
    /^DELETE$/i.test(method) ? 2 : /^(PUT|PATCH)$/i.test(method) && cleanup.length === 0 ? 0 : 1;
  const chosen = kind === 'read' ? ready : ready.toSorted((a, b) => harm(a) - harm(b)).slice(0, 1);
  return chosen.map(({ id, group, method, path, query, headers, body }) => {
    return { operation: id, group, method, path, query, headers: hiddenHeaders(headers), body };
  });
}

/** The plan in words, shown before anything is sent. */
export function describePlan(spec: LoadSpec, extent: Extent, instances: number): string[] {
  const { purpose, pacing } = SCENARIOS[spec.scenario];
  const seconds = extent.seconds / spec.scale;
  const operations = [...spec.reads, ...spec.writes].map(({ operation }) => operation).join(', ');
  const [write] = spec.writes;
  return [
    `Scenario   ${spec.scenario}: ${purpose}`,
    `Target     ${spec.baseUrl}`,
    `Requests   ${extent.requests} with ${spec.keys} key${spec.keys === 1 ? '' : 's'}, at most ${extent.peak} in a second`,
    `Operations ${operations}`,
    `Length     ${Math.ceil(seconds)} s${spec.scale === 1 ? '' : `, in time scaled ${spec.scale} times: such a run certifies nothing`}`,
    `Sending    ${pacing.pacing === 'lanes' ? `${extent.lanes} connections or more, at fixed times` : 'open model: no request waits for another'}, ${instances} k6 process${instances === 1 ? '' : 'es'}`,
    write?.method.toUpperCase() === 'POST' &&
      `Note       what ${write.operation} creates remains: load removes nothing`,
  ].filter((each) => each !== false);
}
