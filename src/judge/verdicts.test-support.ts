import type { RequirementId } from '../catalogue/requirement.ts';
import { judge } from './conclude.ts';
import { limitsThat, type Sketch, type TraceOptions, traceOf } from './trace-builder.test-support.ts';
import type { Verdict } from './verdict.ts';

/** The judgement of a trace of these exchanges. */
export function conclude(sketches: readonly Sketch[], options: TraceOptions = {}, limits = limitsThat()) {
  return judge(traceOf(sketches, options), limits);
}

/** The verdict on one requirement that a trace of these exchanges gets, the limits all passing. */
export function verdictOn(id: RequirementId, sketches: readonly Sketch[], options: TraceOptions = {}): Verdict {
  const found = conclude(sketches, options).verdicts.find((each) => each.id === id);
  if (!found) throw new RangeError(`no verdict on ${id}`);
  return found;
}

/** IDs that fail on these exchanges, in catalogue order. */
export function failing(sketches: readonly Sketch[], options: TraceOptions = {}): string[] {
  return conclude(sketches, options)
    .verdicts.filter((each) => each.verdict === 'fail')
    .map((each) => each.id);
}

export function part(verdict: Verdict, name: string): string | undefined {
  return verdict.parts.find((each) => each.name === name)?.verdict;
}
