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
const CUT: MarkerOptions = { ...SECONDS, rounding: 'floor' };
const ONE_MORE: MarkerOptions = { ...SECONDS, rounding: 'plus-one' };
const MILLISECONDS: MarkerOptions = { unit: 'ms', rounding: 'floor', form: 'absolute' };
const TIME_LEFT: MarkerOptions = { ...MILLISECONDS, form: 'time-left' };

/** Every answer except a 401 is counted, whatever its status. */
const ALL_COUNTED = failures('counted');

/** The basis of all variants: fixed windows on whole minutes, and a marker in seconds. */
export const PLAIN: Choices = {
  mechanism: both({ name: 'grid', phase: 'clock' }),
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

const BUCKETS = { phase: 'clock', rounding: 'floor', latch: false, reanchor: false } as const;

type Options<M> = Partial<Omit<Choices, 'mechanism'>> & { readonly mechanism?: Partial<M> };

/** Makes variants of a mechanism, each with these options. */
function variantsOf<M extends Mechanism>(usual: M) {
  return (name: string, description: string, { mechanism, ...options }: Options<M> = {}): Variant => {
    return { name, description, options: { ...PLAIN, ...options, mechanism: both({ ...usual, ...mechanism } as M) } };
  };
}

function both(mechanism: Mechanism): Choices['mechanism'] {
  return { read: mechanism, write: mechanism };
}

function failures(treatment: Treatment): Readonly<Record<Due, Treatment>> {
  return { 200: 'counted', 400: treatment, 403: treatment, 404: treatment, 500: treatment };
}

type Of<Name extends Mechanism['name']> = Extract<Mechanism, { readonly name: Name }>;
const grid = variantsOf<Of<'grid'>>({ name: 'grid', phase: 'clock' });
const anchored = variantsOf<Of<'anchored'>>({ name: 'anchored', wholeSecond: false });
const log = variantsOf<Of<'log'>>({ name: 'log', logRefused: false, reset: 'oldest' });
const counter = variantsOf<Of<'counter'>>({ ...BUCKETS, name: 'counter' });

const GRIDS: readonly Variant[] = [
  grid('grid-clock', 'fixed windows on whole minutes, marker in seconds'),
  grid('grid-clock-ms', 'fixed windows on whole minutes, marker in ms', { marker: MILLISECONDS }),
  grid('grid-clock-us', 'fixed windows on whole minutes, marker in µs', { marker: { ...MILLISECONDS, unit: 'us' } }),
  grid('grid-clock-ns', 'fixed windows on whole minutes, marker in ns', { marker: { ...MILLISECONDS, unit: 'ns' } }),
  grid('grid-clock-plus-one', 'marker cut to the second, and one more', { marker: ONE_MORE }),
  grid('grid-process', 'windows counted from the start of the process', { mechanism: { phase: 'process' } }),
  grid('grid-process-floor', 'windows from the start of the process, marker cut to the second', {
    mechanism: { phase: 'process' },
    marker: CUT,
  }),
  grid('grid-key-hash', 'each key has its own whole-second phase', { mechanism: { phase: 'key-hash' } }),
  grid('grid-first-request', 'windows counted from the first request of each budget ever', {
    mechanism: { phase: 'first-request' },
    marker: MILLISECONDS,
  }),
  grid('grid-whole-second', 'a limiter whose clock ticks in whole seconds', {
    mechanism: { phase: 'key-hash' },
    wholeSecondClock: true,
  }),
  grid('grid-refunded', 'failed requests are taken off again when they are answered', {
    treatment: failures('refunded'),
    countRefused: false,
  }),
  grid('grid-late-read', 'Remaining and Reset are read again when the answer is written', { lateRead: true }),
  grid('grid-time-left', 'the marker is now plus the time left, in ms', { marker: TIME_LEFT }),
];

const ANCHOREDS: readonly Variant[] = [
  anchored('anchored', 'fixed windows from the first request, marker in seconds'),
  anchored('anchored-floor', 'the marker is cut to the second', { marker: CUT }),
  anchored('anchored-round', 'the marker is rounded to the second', { marker: { ...SECONDS, rounding: 'round' } }),
  anchored('anchored-ms', 'marker in ms', { marker: MILLISECONDS }),
  anchored('anchored-ns', 'marker in ns', { marker: { ...MILLISECONDS, unit: 'ns' } }),
  anchored('anchored-time-left', 'the marker is now plus the time left, rounded up to the second', {
    marker: { ...SECONDS, form: 'time-left' },
  }),
  anchored('anchored-time-left-ms', 'the marker is now plus the time left, in ms', { marker: TIME_LEFT }),
  anchored('anchored-whole-second', 'windows start at the whole second of their first request', {
    mechanism: { wholeSecond: true },
  }),
  anchored('anchored-second-clock', 'a limiter whose clock ticks in whole seconds', {
    wholeSecondClock: true,
    retryAfter: true,
  }),
  anchored('anchored-late-read', 'Remaining and Reset are read again when the answer is written', {
    marker: ONE_MORE,
    lateRead: true,
  }),
  anchored('anchored-refunded', 'failed requests are taken off again when they are answered', {
    treatment: failures('refunded'),
  }),
  anchored('anchored-bypassed', 'failed requests pass the limiter by', {
    treatment: failures('bypassed'),
    anonymous: 'zero',
  }),
  anchored('anchored-checked', 'failed requests are not counted, but refused when the budget is spent', {
    treatment: failures('checked'),
  }),
  anchored('anchored-missing-bypassed', 'only what is not found passes the limiter by', {
    treatment: { ...ALL_COUNTED, 404: 'bypassed' },
    marker: MILLISECONDS,
  }),
];

const LOGS: readonly Variant[] = [
  log('log', 'a sliding log, marker at the oldest entry’s end'),
  log('log-ms', 'marker in ms', { marker: MILLISECONDS }),
  log('log-floor', 'marker cut to the second', { marker: CUT }),
  log('log-now', 'marker one window after the request', { mechanism: { reset: 'now' } }),
  log('log-now-ms', 'marker one window after the request, in ms', {
    mechanism: { reset: 'now' },
    marker: MILLISECONDS,
  }),
  log('log-refused', 'refused requests are logged too, marker one window after the request', {
    mechanism: { logRefused: true, reset: 'now' },
    retryAfter: true,
  }),
  log('log-refused-slot', 'refused requests are logged too, marker at the next free slot', {
    mechanism: { logRefused: true, reset: 'slot' },
    marker: MILLISECONDS,
  }),
  log('log-late-read', 'Remaining and Reset are read again when the answer is written', { lateRead: true }),
  log('log-bypassed', 'failed requests are not logged', { treatment: failures('bypassed') }),
  log('log-refunded', 'failed requests are taken out of the log when they are answered', {
    treatment: failures('refunded'),
  }),
  log('log-whole-second', 'a log of whole seconds', { wholeSecondClock: true }),
];

const COUNTERS: readonly Variant[] = [
  counter('counter', 'a sliding counter on whole minutes, rounded down'),
  counter('counter-ms', 'marker in ms', { marker: MILLISECONDS }),
  counter('counter-round', 'rounded to the nearest', { mechanism: { rounding: 'round' } }),
  counter('counter-ceil', 'rounded up', { mechanism: { rounding: 'ceil' } }),
  counter('counter-real', 'compared without rounding', { mechanism: { rounding: 'real' } }),
  counter('counter-process', 'buckets counted from the start of the process, rounded to the nearest', {
    mechanism: { phase: 'process', rounding: 'round' },
    marker: CUT,
  }),
  counter('counter-first-request', 'buckets counted from the first request of each budget ever', {
    mechanism: { phase: 'first-request' },
    marker: MILLISECONDS,
  }),
  counter('counter-reanchored', 'buckets that start anew after two idle ones', {
    mechanism: { phase: 'first-request', reanchor: true },
  }),
  counter('counter-latched', 'keeps refusing after a refusal until the bucket ends', {
    mechanism: { latch: true },
    marker: MILLISECONDS,
  }),
  counter('counter-bypassed', 'failed requests are not counted', { treatment: failures('bypassed') }),
  counter(
    'counter-next-slot',
    'the marker is where the next slot comes free, cut to the second, and one more; read late',
    { mechanism: { reset: 'slot' }, marker: ONE_MORE, lateRead: true },
  ),
  counter('counter-next-slot-keys', 'the same with buckets from the first request of each budget, marker in ms', {
    mechanism: { phase: 'first-request', reset: 'slot' },
    marker: MILLISECONDS,
    lateRead: true,
  }),
  counter('counter-refused', 'refused requests are counted too', {
    mechanism: { phase: 'first-request', reanchor: true, countRefused: true },
  }),
  counter('counter-refused-now', 'refused requests are counted too, marker one window after the request', {
    mechanism: { phase: 'first-request', reanchor: true, countRefused: true, reset: 'now' },
    marker: CUT,
  }),
  counter('counter-late-read', 'Remaining is read again when the answer is written', { lateRead: true }),
];

const CLOCKS: readonly Variant[] = [
  anchored('skewed-ahead', 'the server’s clock is two hours ahead', { skew: 7200 }),
  grid('skewed-behind', 'the server’s clock is 95 seconds behind, marker in ms', { skew: -95, marker: MILLISECONDS }),
  log('skewed-log', 'a sliding log whose clock is 17 minutes behind', { skew: -1020 }),
  anchored('no-date', 'no Date header, and a clock that is 40 seconds ahead', { skew: 40, dateHeader: false }),
];

/** Every variant, plain ones first. The first is the default of the server. */
export const VARIANTS: readonly Variant[] = [...GRIDS, ...ANCHOREDS, ...LOGS, ...COUNTERS, ...CLOCKS];

/** The variant with this name. Throws a RangeError if there is none, so look up names from users in `VARIANTS`. */
export function variantNamed(name: string): Variant {
  const found = VARIANTS.find((each) => each.name === name);
  if (!found) throw new RangeError(`no variant ${name}`);
  return found;
}
