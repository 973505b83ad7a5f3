import type { Operation, Probe, Profile } from '../profile/profile.ts';
import { clearsAtOnce, usesUp } from '../profile/repetition.ts';
import { GENERATED, variablesIn } from '../profile/template.ts';
import { changedBy, thingAt, thingNamed } from '../trace/things.ts';
import { type Claim, exclusion } from './exclusion.ts';
import { type Captured, PreparationFailed, type Preparations } from './preparation.ts';
import type { RequestSpec } from './request-spec.ts';

/** How often one request waits for things that others hold, if its preparation gives another thing each time. */
const MOST_TRIES = 8;

/** Prepare, operate and clean up, with no other request in between that would use up the request's target. */
export interface CriticalSections {
  /**
   * Runs the work when everything that its specs need is prepared and held.
   *
   * @param burst does not queue behind waiting single requests
   * @throws PreparationFailed if something that a spec needs cannot be created
   */
  run<Result>(
    specs: readonly RequestSpec[],
    burst: boolean,
    work: (captured: readonly Captured[]) => Promise<Result>,
  ): Promise<Result>;
  /** The target of an operation or probe, with these values. */
  thingsOf(template: Operation | Probe, captured: Captured): readonly string[];
  /** What it may use up for others. */
  takenBy(template: Operation | Probe, captured: Captured): readonly string[];
}

/**
 * Critical sections over things: a path, or a value that was captured. A request that may use a thing up has it alone,
 * together with its preparation and its clean-up; all others share it. Operations that the profile says always succeed
 * leave a thing usable, so bursts of them may overlap with single requests.
 *
 * @param render the path and query below the base URL
 */
export function criticalSections(
  profile: Pick<Profile, 'operations'>,
  prepared: () => Preparations,
  render: (template: Operation | Probe, captured: Captured) => string,
): CriticalSections {
  const operations = new Map(profile.operations.map((operation) => [operation.id, operation]));
  const things = exclusion();

  function thingsOf(template: Operation | Probe, captured: Captured): readonly string[] {
    const named = variablesOf(template).flatMap((name) => captured[name] ?? []);
    return [thingAt(render(template, captured)), ...named.map(thingNamed)];
  }

  const takenBy = (template: Operation | Probe, captured: Captured): readonly string[] => {
    const things = thingsOf(template, captured);
    const at = thingAt(render(template, captured));
    // What a POST creates is beside everything else at its path: it may only use up what it names.
    return creates(template) ? things.filter((each) => each !== at) : [...things, changedBy(template.method, at)];
  };

  /** Preparation and clean-up steps whose target is known beforehand. */
  function claimOfSteps(ids: readonly string[]): Claim[] {
    return ids.flatMap((id) => {
      const step = operations.get(id);
      if (!step) return [];
      const own = variablesOf(step).some(isCaptured) ? NOTHING : claimOn(step, {}, usesUp(step));
      return [...claimOfSteps(step.prepare), own];
    });
  }

  function claimOn(template: Operation | Probe, captured: Captured, takes: boolean): Claim {
    return takes
      ? { needs: [], takes: takenBy(template, captured) }
      : { needs: thingsOf(template, captured), takes: [] };
  }

  function claimBefore(spec: RequestSpec): Claim {
    const { operation } = spec;
    const supply = prepared().supplyOf(spec);
    const isKnown = !variablesOf(spec.probe ?? operation).some(isCaptured);
    const made = supply === null ? [] : [supply];
    return union([
      mayUseUp(spec) ? { needs: [], takes: made } : { needs: made, takes: [] },
      isKnown ? claimOn(spec.probe ?? operation, {}, mayUseUp(spec)) : NOTHING,
      ...claimOfSteps(operation.prepare),
      // It creates the same thing each time, whatever name the target gives it.
      ...(clearsAtOnce(operation) ? [{ needs: [], takes: [`what ${operation.id} creates`] }] : []),
      ...(clearsAtOnce(operation) ? claimOfSteps(operation.cleanup) : []),
    ]);
  }

  return {
    thingsOf,
    takenBy,
    async run(specs, burst, work) {
      let claim = union(specs.map(claimBefore));
      for (let left = MOST_TRIES; left > 0; left -= 1) {
        const hold = await things.hold(claim, burst);
        try {
          const captured: Captured[] = [];
          for (const spec of specs) captured.push(await prepared().for(spec));
          const whole = union(
            specs.map((spec, index) => claimOn(spec.probe ?? spec.operation, captured[index] ?? {}, mayUseUp(spec))),
          );
          // It never waits while it holds something: it releases everything, and requests everything together.
          if (!hold.extend(whole)) claim = union([claim, whole]);
          else if (specs.every(prepared().stands) || burst) return await work(captured);
        } finally {
          hold.release();
        }
      }
      const [first] = specs;
      throw new PreparationFailed(`other requests use up what is prepared for ${first?.operation.id} each time`);
    },
  };
}

const NOTHING: Claim = { needs: [], takes: [] };

/** A refused request changes nothing, and a faulty request is sent to be refused. */
function mayUseUp({ operation, fault = 'none', method }: RequestSpec): boolean {
  return usesUp(operation) && (fault === 'none' || fault === 'unstated') && method === undefined;
}

/** Whether it makes a thing, as the profile shows by what it captures from the answer. */
function creates(template: Operation | Probe): boolean {
  return template.method === 'POST' && 'capture' in template && template.capture.length > 0;
}

function variablesOf({ path, query, headers, body }: Operation | Probe): readonly string[] {
  return [path, ...Object.values(query), ...Object.values(headers), body?.text ?? ''].flatMap(variablesIn);
}

function isCaptured(name: string): boolean {
  return !GENERATED.some((each) => each === name);
}

function union(claims: readonly Claim[]): Claim {
  return {
    needs: [...new Set(claims.flatMap(({ needs }) => needs))],
    takes: [...new Set(claims.flatMap(({ takes }) => takes))],
  };
}
