import { Histogram } from '../judge/histogram.ts';
import type { RampFigures, RampStep } from '../report/load-section.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Stage } from './load-spec.ts';

/** The number of equal steps in a ramp. */
const STEPS = 20;
/** Steps whose median is the floor that the knee rises from. */
const LEAST_BEFORE = 3;
/** A rise that lasts for fewer steps is a hiccup. */
const LEAST_STEPS = 3;
const RISE = 2;

/** Counts the results of each step of a rising rate. */
export class RampCounter {
  readonly #start: number;
  readonly #length: number;
  readonly #steps: { rate: number; requests: number; refused: number; failed: number; latency: Histogram }[];

  /** @param start when the first request left, in µs of the run's clock */
  constructor({ from, to, seconds }: Stage, start: number) {
    this.#start = start;
    this.#length = (seconds * 1e6) / STEPS;
    this.#steps = Array.from({ length: STEPS }, (_, i) => {
      const rate = (from + ((to - from) * (i + 0.5)) / STEPS) / 60;
      return { rate, requests: 0, refused: 0, failed: 0, latency: new Histogram() };
    });
  }

  take({ sent, answered, status }: Pick<Exchange, 'sent' | 'answered' | 'status'>): void {
    const at = Math.floor((sent - this.#start) / this.#length);
    const step = this.#steps[Math.min(STEPS - 1, Math.max(0, at))];
    if (!step) return;
    step.requests += 1;
    if (answered !== null) step.latency.add(answered - sent);
    if (status === 429) step.refused += 1;
    if (status === null || status >= 500) step.failed += 1;
  }

  /**
   * The steps, and where the rate was too high. The knee is the first step whose p95 is more than twice the median p95
   * of the steps before it, if the same holds for every later step and for at least three steps.
   */
  figures(): RampFigures {
    const told = this.#steps
      .filter(({ requests }) => requests > 0)
      .map(({ rate, requests, refused, failed, latency }): RampStep => {
        const p95 = latency.count === 0 ? null : Math.round(latency.quantile(0.95)) / 1000;
        return { rate: Math.round(rate * 10) / 10, requests, p95, refused, failed };
      });
    const knee = kneeOf(told.map(({ p95 }) => p95));
    return {
      steps: told,
      knee: knee === null ? null : (told[knee]?.rate ?? null),
      refusedFrom: told.find(({ refused }) => refused > 0)?.rate ?? null,
      failedFrom: told.find(({ failed }) => failed > 0)?.rate ?? null,
    };
  }
}

/** The stage of a scenario whose rate rises throughout; null if it does not. */
export function risingStage(stages: readonly Stage[]): Stage | null {
  const [stage] = stages;
  return stage && stages.length === 1 && stage.to > stage.from ? stage : null;
}

/**
 * Index of the step from which on the p95 stays high; null if there is none. A step without answers counts as infinite.
 */
export function kneeOf(p95: readonly (number | null)[]): number | null {
  const values = p95.map((each) => each ?? Number.POSITIVE_INFINITY);
  for (let i = LEAST_BEFORE; i <= values.length - LEAST_STEPS; i += 1) {
    const most = RISE * median(values.slice(0, i));
    if (values.slice(i).every((each) => each > most)) return i;
  }
  return null;
}

/** The lower one of the two in the middle of an even number. */
function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
}
