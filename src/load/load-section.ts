import { Histogram } from '../judge/histogram.ts';
import type { BudgetAnalysis } from '../oracle/analysis.ts';
import type { Burst, LatencyByStatus, LoadSection, LoadWindow } from '../report/load-section.ts';
import { middle } from '../report/report-budgets.ts';
import type { Condensed } from '../trace/condensed.ts';
import { type Exchange, isSuccess } from '../trace/exchange.ts';
import type { Intent } from '../trace/trace.ts';
import type { JoinedLoad } from './join-instances.ts';
import { RampCounter, risingStage } from './knee.ts';
import type { LoadSpec, Stage } from './load-spec.ts';
import type { RecordedWave } from './recorded.ts';
import { SCENARIOS } from './scenario.ts';

/** Maximum windows and bursts in the report; those over the limit come first, so the omitted ones are fine. */
const WINDOWS_SHOWN = 500;
const BURSTS_SHOWN = 200;

/** Waves that were due within this many µs are one burst, even from different lanes. */
const TOGETHER_US = 1_000;
/** A burst has at least this many requests. */
const LEAST_BURST = 10;

/** The figures of a load run, added up while its exchanges come. */
export class LoadFigures {
  readonly #rising: Stage | null;
  #ramp: RampCounter | null = null;
  /**
   * Latency from the last byte sent to the head received, separate for each status, because a refusal takes a different
   * time than another answer.
   */
  readonly #latency = new Map<number | null, Histogram>();
  #accepted = 0;
  #first = Number.NaN;
  #last = 0;

  constructor(spec: LoadSpec) {
    const { pacing } = SCENARIOS[spec.scenario];
    this.#rising = pacing.pacing === 'arrivals' ? risingStage(pacing.stages(spec)) : null;
  }

  /** The next exchange in order of sending. */
  take(exchange: Pick<Exchange, 'sent' | 'answered' | 'status'>): void {
    const { status, sent, answered } = exchange;
    if (Number.isNaN(this.#first)) {
      this.#first = sent;
      this.#ramp = this.#rising && new RampCounter(this.#rising, sent);
    }
    this.#last = Math.max(this.#last, answered ?? sent);
    if (isSuccess(status)) this.#accepted += 1;
    const latency = this.#latency.get(status) ?? new Histogram();
    this.#latency.set(status, latency);
    latency.add(answered === null ? 0 : answered - sent);
    this.#ramp?.take(exchange);
  }

  /** How many were accepted and refused, and how many had another answer, or none. */
  get counts(): { readonly accepted: number; readonly refused: number; readonly other: number } {
    const all = [...this.#latency.values()].reduce((sum, { count }) => sum + count, 0);
    const refused = this.#latency.get(429)?.count ?? 0;
    return { accepted: this.#accepted, refused, other: all - this.#accepted - refused };
  }

  /** The report's section on the run, in which times are ms of the run's clock. */
  section(load: JoinedLoad, budgets: readonly BudgetAnalysis[], condensed: Condensed | undefined): LoadSection {
    const { accounting, instances, spec } = load;
    const seconds = Math.max(0, this.#last - (this.#first || 0)) / 1e6;
    const windows = budgets.flatMap(windowsOf).sort(worstFirst);
    const shown = windows.slice(0, WINDOWS_SHOWN);
    const further = condensed?.budgets.reduce((sum, group) => sum + group.windows, 0) ?? 0;
    return {
      scenario: spec.scenario,
      seconds,
      accounting,
      throughput: { sent: perSecond(accounting.sent, seconds), accepted: perSecond(this.#accepted, seconds) },
      windows: shown,
      windowsOmitted: windows.length + further - shown.length,
      latency: this.#latencyByStatus(),
      bursts: burstsOf(load.waves).slice(0, BURSTS_SHOWN),
      ramp: this.#ramp?.figures() ?? null,
      instances,
      warnings: warningsOf(load),
    };
  }

  #latencyByStatus(): LatencyByStatus[] {
    return [...this.#latency]
      .sort(([a], [b]) => (a ?? 1_000) - (b ?? 1_000))
      .map(([status, histogram]) => {
        const at = (share: number): number => Math.round(histogram.quantile(share)) / 1000;
        const { count, max } = histogram;
        const tail = { p95: at(0.95), p99: at(0.99), p999: at(0.999), max: Math.round(max) / 1000 };
        return { status, count, p50: at(0.5), p90: at(0.9), ...tail };
      });
  }
}

function perSecond(requests: number, seconds: number): number {
  return seconds === 0 ? 0 : Math.round((requests / seconds) * 10) / 10;
}

/** Windows in which the best mechanism puts the requests. */
function windowsOf({ key, kind, limit, windows }: BudgetAnalysis): LoadWindow[] {
  return windows.map(({ start, end, accepted, refused, overshoot, undershoot }) => {
    return { key, kind, start: middle(start), end: middle(end), limit, accepted, refused, overshoot, undershoot };
  });
}

function worstFirst(a: LoadWindow, b: LoadWindow): number {
  const wrong = ({ overshoot, undershoot }: LoadWindow): number => overshoot + undershoot;
  return wrong(b) - wrong(a) || a.start - b.start || a.key.localeCompare(b.key) || a.kind.localeCompare(b.kind);
}

/** The bursts as delivered: waves of all lanes and instances that were due at one moment. */
export function burstsOf(waves: readonly RecordedWave[]): Burst[] {
  const bursts: { due: number; count: number; first: number; last: number }[] = [];
  for (const { due, count, first, last } of waves.toSorted((a, b) => a.due - b.due)) {
    const burst = bursts.at(-1);
    if (burst && due - burst.due <= TOGETHER_US) {
      burst.count += count;
      burst.first = Math.min(burst.first, first);
      burst.last = Math.max(burst.last, last);
    } else bursts.push({ due, count, first, last });
  }
  const round = (us: number): number => Math.round(us) / 1000;
  return bursts
    .filter(({ count }) => count >= LEAST_BURST)
    .map(({ due, count, first, last }) => {
      return { due: round(due), requests: count, spread: round(last - first), late: round(Math.max(0, last - due)) };
    });
}

function warningsOf({ accounting, defects, spec, unanswered: open }: JoinedLoad): string[] {
  const { due, sent, recorded, dropped, unanswered } = accounting;
  return [
    ...defects,
    dropped > 0 &&
      `${dropped} of ${due} requests were never sent: the run was ended early, or this machine could not keep up`,
    sent !== recorded + unanswered && `${sent} requests were announced, but ${recorded + unanswered} are accounted for`,
    unanswered > 0 &&
      `${unanswered} requests have no known outcome, because k6 ended before they did: ${namesOf(open)}`,
    spec.scale !== 1 && `time ran ${spec.scale} times faster: latencies are in scaled ms`,
  ].filter((each) => each !== false);
}

/** Budgets that a sentence names one by one. */
const MOST_NAMED = 6;

/** The numbers of these requests in the trace, where they come last, and the budgets that they may have drawn on. */
function namesOf(intents: readonly Intent[]): string {
  const budgets = Map.groupBy(intents, ({ key, kind }) => `${key} ${kind}`);
  const [first, last] = [intents[0], intents[intents.length - 1]];
  const named = [...budgets].sort(([one], [other]) => (one < other ? -1 : 1)).slice(0, MOST_NAMED);
  const whose = named.map(([name, own]) => `${own.length} of ${name}`);
  if (budgets.size > named.length) whose.push(`and more of ${budgets.size - named.length} other budgets`);
  return `#${first?.seq} to #${last?.seq} of the trace, ${whose.join(', ')}`;
}
