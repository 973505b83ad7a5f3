import type { RequirementId } from '../catalogue/requirement.ts';
import type { Clock } from '../clock/clock.ts';
import { createTrace } from '../trace/recorder.ts';
import { type NoteLine, type PlannedExperiment, TRACE_FORMAT, type Trace, type TraceHeader } from '../trace/trace.ts';
import { extentOf } from './extent.ts';
import { aliasOf, type JoinedLoad } from './join-instances.ts';
import { SCENARIOS } from './scenario.ts';

/** What a load trace's header says of the run besides what its records do. */
export type RunIdentity = Pick<
  TraceHeader,
  'suite' | 'profile' | 'profileDigest' | 'catalogueDigest' | 'seed' | 'nonce' | 'runtime'
> & { readonly selection: readonly RequirementId[] };

/**
 * The joined records as the suite's trace: what a certifying run would have written, had it sent these requests.
 *
 * @param failures why the run did not come to its end as planned; where there is one, it counts as interrupted
 */
export function loadTrace(load: JoinedLoad, identity: RunIdentity, failures: readonly string[]): Trace {
  const { spec, exchanges, unanswered, epoch } = load;
  const ended = exchanges.reduce((latest, { sent, answered }) => Math.max(latest, answered ?? sent), 0);
  const keys = Array.from({ length: spec.keys }, (_, key) => aliasOf(key));
  const notes = failures.map(
    (text): NoteLine => ({ type: 'note', time: ended, code: 'interrupted', experiment: spec.scenario, text }),
  );
  return {
    header: {
      type: 'header',
      format: TRACE_FORMAT,
      command: 'load',
      baseUrl: spec.baseUrl,
      keys: { full: keys, restricted: false, revoked: false },
      experiments: [experimentOf(load, keys, identity.selection)],
      epoch,
      scale: spec.scale,
      ...identity,
    },
    exchanges,
    unanswered,
    notes,
    footer: {
      type: 'footer',
      exchanges: exchanges.length,
      intents: unanswered.length,
      outcome: failures.length === 0 ? 'complete' : 'interrupted',
      ended,
      chain: '',
    },
  };
}

function experimentOf(
  { spec }: JoinedLoad,
  keys: readonly string[],
  selection: readonly RequirementId[],
): PlannedExperiment {
  const { requests, seconds } = extentOf(spec);
  const requirements = SCENARIOS[spec.scenario].requirements.filter((id) => selection.includes(id));
  return { id: spec.scenario, requirements, keys, requests, start: 0, seconds, omitted: null };
}

/** A line of a trace is bounded: so many intents fit into one. */
const INTENTS_A_LINE = 500;

/** Writes a trace as a file, with the hash chain that the file alone can have. Throws a TraceError where it cannot. */
export function writeLoadTrace(file: string, trace: Trace): void {
  const ended = trace.footer?.ended ?? 0;
  const stopped: Clock = {
    scale: trace.header.scale,
    epoch: trace.header.epoch,
    now: () => ended,
    sleepUntil: () => Promise.resolve(),
  };
  const recorder = createTrace(file, trace.header, stopped);
  for (let at = 0; at < trace.unanswered.length; at += INTENTS_A_LINE) {
    recorder.intend(trace.unanswered.slice(at, at + INTENTS_A_LINE));
  }
  for (const exchange of trace.exchanges) recorder.record(exchange);
  for (const { code, experiment, text } of trace.notes) recorder.note(code, experiment, text);
  recorder.close(trace.footer?.outcome ?? 'interrupted');
}
