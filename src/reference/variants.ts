import type { Choices, Due, MarkerOptions, Mechanism, Treatment } from '../deployment/deployment.ts';

/**
 * A way to conform: one choice for everything that the specification leaves open. No suite may fail such a deployment.
 */
export interface Variant {
  readonly name: string;
  readonly description: string;
  readonly options: Choices;
}

const SECONDS: MarkerOptions = { unit: 's', rounding: 'ceil', form: 'absolute' };
const MILLISECONDS: MarkerOptions = { unit: 'ms', rounding: 'floor', form: 'absolute' };

const CLOCK_GRID: Mechanism = { name: 'grid', phase: 'clock' };
const ANCHORED: Mechanism = { name: 'anchored', wholeSecond: false };
const LOG: Mechanism = { name: 'log', logRefused: false, reset: 'oldest' };
const COUNTER: Mechanism = { name: 'counter', phase: 'clock', rounding: 'floor', latch: false, reanchor: false };

/** Every answer except a 401 is counted, whatever its status. */
const ALL_COUNTED: Readonly<Record<Due, Treatment>> = {
  200: 'counted',
  400: 'counted',
  403: 'counted',
  404: 'counted',
  500: 'counted',
};

/** The basis of all variants: fixed windows on whole minutes, and a marker in seconds. */
export const PLAIN: Choices = {
  mechanism: both(CLOCK_GRID),
  marker: SECONDS,
  treatment: ALL_COUNTED,
  countRefused: true,
  lateRead: false,
  wholeSecondClock: false,
  skew: 0,
  anonymous: 'full',
  dateHeader: true,
  retryAfter: false,
};

type Options = Partial<Omit<Choices, 'mechanism'>> & { readonly mechanism?: Mechanism };

function variant(name: string, description: string, { mechanism = CLOCK_GRID, ...options }: Options): Variant {
  return { name, description, options: { ...PLAIN, ...options, mechanism: both(mechanism) } };
}

function both(mechanism: Mechanism): Choices['mechanism'] {
  return { read: mechanism, write: mechanism };
}

function failures(treatment: Treatment): Readonly<Record<Due, Treatment>> {
  return { 200: 'counted', 400: treatment, 403: treatment, 404: treatment, 500: treatment };
}

const GRIDS: readonly Variant[] = [
  variant('grid-clock', 'fixed windows on whole minutes, marker in seconds', {}),
  variant('grid-clock-ms', 'fixed windows on whole minutes, marker in ms', { marker: MILLISECONDS }),
  variant('grid-clock-us', 'fixed windows on whole minutes, marker in µs', { marker: { ...MILLISECONDS, unit: 'us' } }),
  variant('grid-clock-ns', 'fixed windows on whole minutes, marker in ns', { marker: { ...MILLISECONDS, unit: 'ns' } }),
  variant('grid-clock-plus-one', 'marker cut to the second, and one more', {
    marker: { ...SECONDS, rounding: 'plus-one' },
  }),
  variant('grid-process', 'windows counted from the start of the process', {
    mechanism: { name: 'grid', phase: 'process' },
  }),
  variant('grid-process-floor', 'windows from the start of the process, marker cut to the second', {
    mechanism: { name: 'grid', phase: 'process' },
    marker: { ...SECONDS, rounding: 'floor' },
  }),
  variant('grid-key-hash', 'each key has its own whole-second phase', {
    mechanism: { name: 'grid', phase: 'key-hash' },
  }),
  variant('grid-first-request', 'windows counted from the first request of each budget ever', {
    mechanism: { name: 'grid', phase: 'first-request' },
    marker: MILLISECONDS,
  }),
  variant('grid-whole-second', 'a limiter whose clock ticks in whole seconds', {
    mechanism: { name: 'grid', phase: 'key-hash' },
    wholeSecondClock: true,
  }),
  variant('grid-refunded', 'failed requests are taken off again when they are answered', {
    treatment: failures('refunded'),
    countRefused: false,
  }),
  variant('grid-late-read', 'Remaining and Reset are read again when the answer is written', { lateRead: true }),
  variant('grid-time-left', 'the marker is now plus the time left, in ms', {
    marker: { ...MILLISECONDS, form: 'time-left' },
  }),
];

const ANCHOREDS: readonly Variant[] = [
  variant('anchored', 'fixed windows from the first request, marker in seconds', { mechanism: ANCHORED }),
  variant('anchored-floor', 'the marker is cut to the second', {
    mechanism: ANCHORED,
    marker: { ...SECONDS, rounding: 'floor' },
  }),
  variant('anchored-round', 'the marker is rounded to the second', {
    mechanism: ANCHORED,
    marker: { ...SECONDS, rounding: 'round' },
  }),
  variant('anchored-ms', 'marker in ms', { mechanism: ANCHORED, marker: MILLISECONDS }),
  variant('anchored-ns', 'marker in ns', { mechanism: ANCHORED, marker: { ...MILLISECONDS, unit: 'ns' } }),
  variant('anchored-time-left', 'the marker is now plus the time left, rounded up to the second', {
    mechanism: ANCHORED,
    marker: { ...SECONDS, form: 'time-left' },
  }),
  variant('anchored-time-left-ms', 'the marker is now plus the time left, in ms', {
    mechanism: ANCHORED,
    marker: { ...MILLISECONDS, form: 'time-left' },
  }),
  variant('anchored-whole-second', 'windows start at the whole second of their first request', {
    mechanism: { name: 'anchored', wholeSecond: true },
  }),
  variant('anchored-second-clock', 'a limiter whose clock ticks in whole seconds', {
    mechanism: ANCHORED,
    wholeSecondClock: true,
    retryAfter: true,
  }),
  variant('anchored-late-read', 'Remaining and Reset are read again when the answer is written', {
    mechanism: ANCHORED,
    marker: { ...SECONDS, rounding: 'plus-one' },
    lateRead: true,
  }),
  variant('anchored-refunded', 'failed requests are taken off again when they are answered', {
    mechanism: ANCHORED,
    treatment: failures('refunded'),
  }),
  variant('anchored-bypassed', 'failed requests pass the limiter by', {
    mechanism: ANCHORED,
    treatment: failures('bypassed'),
    anonymous: 'zero',
  }),
  variant('anchored-checked', 'failed requests are not counted, but refused when the budget is spent', {
    mechanism: ANCHORED,
    treatment: failures('checked'),
  }),
  variant('anchored-missing-bypassed', 'only what is not found passes the limiter by', {
    mechanism: ANCHORED,
    treatment: { ...ALL_COUNTED, 404: 'bypassed' },
    marker: MILLISECONDS,
  }),
];

const LOGS: readonly Variant[] = [
  variant('log', 'a sliding log, marker at the oldest entry’s end', { mechanism: LOG }),
  variant('log-ms', 'marker in ms', { mechanism: LOG, marker: MILLISECONDS }),
  variant('log-floor', 'marker cut to the second', { mechanism: LOG, marker: { ...SECONDS, rounding: 'floor' } }),
  variant('log-now', 'marker one window after the request', { mechanism: { ...LOG, reset: 'now' } }),
  variant('log-now-ms', 'marker one window after the request, in ms', {
    mechanism: { ...LOG, reset: 'now' },
    marker: MILLISECONDS,
  }),
  variant('log-refused', 'refused requests are logged too, marker one window after the request', {
    mechanism: { name: 'log', logRefused: true, reset: 'now' },
    retryAfter: true,
  }),
  variant('log-refused-slot', 'refused requests are logged too, marker at the next free slot', {
    mechanism: { name: 'log', logRefused: true, reset: 'slot' },
    marker: MILLISECONDS,
  }),
  variant('log-late-read', 'Remaining and Reset are read again when the answer is written', {
    mechanism: LOG,
    lateRead: true,
  }),
  variant('log-bypassed', 'failed requests are not logged', { mechanism: LOG, treatment: failures('bypassed') }),
  variant('log-refunded', 'failed requests are taken out of the log when they are answered', {
    mechanism: LOG,
    treatment: failures('refunded'),
  }),
  variant('log-whole-second', 'a log of whole seconds', { mechanism: LOG, wholeSecondClock: true }),
];

const COUNTERS: readonly Variant[] = [
  variant('counter', 'a sliding counter on whole minutes, rounded down', { mechanism: COUNTER }),
  variant('counter-ms', 'marker in ms', { mechanism: COUNTER, marker: MILLISECONDS }),
  variant('counter-round', 'rounded to the nearest', { mechanism: { ...COUNTER, rounding: 'round' } }),
  variant('counter-ceil', 'rounded up', { mechanism: { ...COUNTER, rounding: 'ceil' } }),
  variant('counter-real', 'compared without rounding', { mechanism: { ...COUNTER, rounding: 'real' } }),
  variant('counter-process', 'buckets counted from the start of the process, rounded to the nearest', {
    mechanism: { ...COUNTER, phase: 'process', rounding: 'round' },
    marker: { ...SECONDS, rounding: 'floor' },
  }),
  variant('counter-first-request', 'buckets counted from the first request of each budget ever', {
    mechanism: { ...COUNTER, phase: 'first-request' },
    marker: MILLISECONDS,
  }),
  variant('counter-reanchored', 'buckets that start anew after two idle ones', {
    mechanism: { ...COUNTER, phase: 'first-request', reanchor: true },
  }),
  variant('counter-latched', 'keeps refusing after a refusal until the bucket ends', {
    mechanism: { ...COUNTER, latch: true },
    marker: MILLISECONDS,
  }),
  variant('counter-bypassed', 'failed requests are not counted', {
    mechanism: COUNTER,
    treatment: failures('bypassed'),
  }),
  variant(
    'counter-next-slot',
    'the marker is where the next slot comes free, cut to the second, and one more; read late',
    {
      mechanism: { ...COUNTER, reset: 'slot' },
      marker: { ...SECONDS, rounding: 'plus-one' },
      lateRead: true,
    },
  ),
  variant('counter-next-slot-keys', 'the same with buckets from the first request of each budget, marker in ms', {
    mechanism: { ...COUNTER, phase: 'first-request', reset: 'slot' },
    marker: MILLISECONDS,
    lateRead: true,
  }),
  variant('counter-refused', 'refused requests are counted too', {
    mechanism: { ...COUNTER, phase: 'first-request', reanchor: true, countRefused: true },
  }),
  variant('counter-refused-now', 'refused requests are counted too, marker one window after the request', {
    mechanism: { ...COUNTER, phase: 'first-request', reanchor: true, countRefused: true, reset: 'now' },
    marker: { ...SECONDS, rounding: 'floor' },
  }),
  variant('counter-late-read', 'Remaining is read again when the answer is written', {
    mechanism: COUNTER,
    lateRead: true,
  }),
];

const CLOCKS: readonly Variant[] = [
  variant('skewed-ahead', 'the server’s clock is two hours ahead', { mechanism: ANCHORED, skew: 7200 }),
  variant('skewed-behind', 'the server’s clock is 95 seconds behind, marker in ms', {
    skew: -95,
    marker: MILLISECONDS,
  }),
  variant('skewed-log', 'a sliding log whose clock is 17 minutes behind', { mechanism: LOG, skew: -1020 }),
  variant('no-date', 'no Date header, and a clock that is 40 seconds ahead', {
    mechanism: ANCHORED,
    skew: 40,
    dateHeader: false,
  }),
];

/** Every variant, plain ones first. The first is the default of the server. */
export const VARIANTS: readonly Variant[] = [...GRIDS, ...ANCHOREDS, ...LOGS, ...COUNTERS, ...CLOCKS];

/** The variant with this name. Throws a RangeError if there is none, so look up names from users in `VARIANTS`. */
export function variantNamed(name: string): Variant {
  const found = VARIANTS.find((each) => each.name === name);
  if (!found) throw new RangeError(`no variant ${name}`);
  return found;
}
