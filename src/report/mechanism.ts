import { WINDOW_S } from '../catalogue/limits.ts';
import type { BudgetAnalysis, Interval, SurvivingVariant } from '../oracle/analysis.ts';
import type { Mechanism } from './report.ts';

/**
 * The inferred properties of a mechanism, in words and figures, in display order. @param epoch wall clock in µs at time
 * 0 of the run's
 */
export function parametersOf(
  variant: SurvivingVariant,
  analysis: Pick<BudgetAnalysis, 'windowLength'>,
  epoch: number,
): Mechanism['parameters'] {
  const { phase, marker, offset, wholeSeconds, refusedCounted, counted, notCounted } = variant;
  const { low, high } = offset;
  const parameters = {
    window: analysis.windowLength && interval(analysis.windowLength),
    'starts in the minute at': phase && moment(phase, epoch),
    marker: marker ?? 'no usable one',
    'limiter’s clock ahead by': low === null || high === null ? null : interval({ low, high }),
    clock: wholeSeconds ? 'whole seconds' : null,
    refusals: refusedCounted ? 'counted' : 'not counted',
    counted: counted.join(', ') || null,
    'not counted': notCounted.join(', ') || null,
  };
  return Object.entries(parameters).flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
}

/**
 * By the wall clock, because the run's clock begins within a minute. This is one possible value; others near it may
 * also explain the budget.
 */
function moment({ low }: Interval, epoch: number): string {
  return `about ${(((epoch + low) / 1e6) % WINDOW_S).toFixed(1)} s`;
}

/** Takes µs and returns seconds: the narrower the interval, the more decimals. */
function interval({ low, high }: Interval): string {
  const digits = Math.min(3, Math.max(1, 1 - Math.floor(Math.log10(Math.max(high - low, 1) / 1e6))));
  const seconds = (value: number): string => {
    if (!Number.isFinite(value)) return '…';
    // No negative zero, and a typographic minus sign.
    return (value / 1e6)
      .toFixed(digits)
      .replace(/^-(?=[0.]+$)/, '')
      .replace('-', '−');
  };
  return seconds(low) === seconds(high) ? `${seconds(low)} s` : `${seconds(low)} to ${seconds(high)} s`;
}
