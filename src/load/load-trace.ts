import { rmSync } from 'node:fs';
import type { RequirementId } from '../catalogue/requirement.ts';
import { withMissing } from '../judge/condense.ts';
import { Condenser, MOST_WHOLE } from '../judge/condenser.ts';
import type { Proved } from '../judge/so-far.ts';
import type { Exchange } from '../trace/exchange.ts';
import { createTrace, type Recorder } from '../trace/recorder.ts';
import {
  type NoteLine,
  type PlannedExperiment,
  TRACE_FORMAT,
  type Trace,
  type TraceFooter,
  type TraceHeader,
} from '../trace/trace.ts';
import { extentOf } from './extent.ts';
import { gatherBudgets } from './gather-budgets.ts';
import type { JoinedLoad } from './join-instances.ts';
import type { LoadSpec } from './load-spec.ts';
import { aliasOf } from './make-exchange.ts';
import { SCENARIOS } from './scenario.ts';

/** What a load trace's header says of the run besides what its records do. */
export type RunIdentity = Pick<
  TraceHeader,
  'suite' | 'profile' | 'profileDigest' | 'catalogueDigest' | 'seed' | 'nonce' | 'runtime'
> & { readonly selection: readonly RequirementId[] };

/** The number of intents that fit into one line of a trace, which is limited in size. */
const INTENTS_A_LINE = 500;

/**
 * The trace of a load run while its records are joined: what a certifying run would have written, had it sent these
 * requests. In memory it is complete up to a number of exchanges, and condensed beyond that.
 */
export class LoadTrace {
  readonly #header: TraceHeader;
  readonly #file: string | null;
  readonly #recorder: Recorder | null;
  readonly #condenser: Condenser;
  readonly #notes: NoteLine[] = [];
  /** All exchanges; null once there are too many. */
  #whole: Exchange[] | null = [];
  #exchanges = 0;
  #ended = 0;

  /**
   * @param epoch wall time in µs since the Unix epoch at time 0 of the run's clock, in that clock's scale
   * @param file where it is written; null: nowhere
   */
  constructor({ spec, epoch }: { spec: LoadSpec; epoch: number }, identity: RunIdentity, file: string | null) {
    const { scale } = spec;
    this.#header = headerOf(spec, epoch, identity);
    this.#file = file;
    const clock = { scale, epoch, now: () => this.#ended, sleepUntil: () => Promise.resolve() };
    this.#recorder = file === null ? null : createTrace(file, this.#header, clock);
    this.#condenser = new Condenser(epoch);
  }

  /** The next exchange in order of sending. @throws TraceError where it cannot be written */
  take(exchange: Exchange): void {
    this.#exchanges += 1;
    this.#ended = Math.max(this.#ended, exchange.answered ?? exchange.sent);
    this.#recorder?.record(exchange);
    this.#condenser.take(exchange);
    this.#whole?.push(exchange);
    if (this.#exchanges > MOST_WHOLE) this.#whole = null;
  }

  /** How many budgets something contradicts so far. */
  contradicted(): number {
    return this.#condenser.contradicted();
  }

  /** All that is known so far. */
  soFar(): Trace {
    this.#recorder?.flush();
    return this.#traceOf([], null);
  }

  /** Notes a failure that is shown while the run lasts. */
  show({ verdict: { id }, time }: Proved): void {
    this.#note({ type: 'note', time, code: 'failure-shown', experiment: null, text: id });
  }

  /** Notes the one cause for which nothing can be judged. */
  block(text: string): void {
    this.#note({ type: 'note', time: this.#ended, code: 'preflight', experiment: null, text });
  }

  /**
   * Writes the end, and gives the whole.
   *
   * @param failures why the run did not finish as planned; where there is one, it counts as interrupted
   */
  end({ spec, unanswered }: JoinedLoad, failures: readonly string[]): Trace {
    const time = this.#ended;
    for (let at = 0; at < unanswered.length; at += INTENTS_A_LINE) {
      this.#recorder?.intend(unanswered.slice(at, at + INTENTS_A_LINE));
    }
    for (const text of failures)
      this.#note({ type: 'note', time, code: 'interrupted', experiment: spec.scenario, text });
    const outcome = failures.length === 0 ? 'complete' : 'interrupted';
    this.#recorder?.close(outcome);
    const [exchanges, intents] = [this.#exchanges, unanswered.length];
    return this.#traceOf(unanswered, { type: 'footer', exchanges, intents, outcome, ended: time, chain: '' });
  }

  /** Removes the file, because it turned out not to be a run. */
  discard(): void {
    if (this.#file === null) return;
    this.#recorder?.close('interrupted');
    rmSync(this.#file, { force: true });
  }

  #note(note: NoteLine): void {
    this.#notes.push(note);
    this.#recorder?.note(note.code, note.experiment, note.text, note.time);
  }

  #traceOf(unanswered: Trace['unanswered'], footer: TraceFooter | null): Trace {
    const base = { header: this.#header, unanswered, notes: [...this.#notes], footer };
    if (this.#whole) return { ...base, exchanges: this.#whole };
    const { condensed, kept, missing } = this.#condenser.finish(footer !== null);
    const gathered = missing.size > 0 && this.#file !== null ? gatherBudgets(this.#file, missing) : [];
    return { ...base, exchanges: withMissing(kept, missing, gathered), condensed };
  }
}

function headerOf(spec: LoadSpec, epoch: number, identity: RunIdentity): TraceHeader {
  const { requests, seconds, keys } = extentOf(spec);
  const aliases = Array.from({ length: spec.keys }, (_, key) => aliasOf(key));
  const selection = identity.selection.filter((id) => SCENARIOS[spec.scenario].requirements.includes(id));
  const experiment: PlannedExperiment = {
    id: spec.scenario,
    requirements: selection,
    keys: aliases.slice(0, keys),
    requests,
    start: 0,
    seconds,
    omitted: null,
  };
  return {
    type: 'header',
    format: TRACE_FORMAT,
    command: 'load',
    baseUrl: spec.baseUrl,
    keys: { full: aliases, restricted: false, revoked: false },
    experiments: [experiment],
    epoch,
    scale: spec.scale,
    ...identity,
    selection,
  };
}
