import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Fitter } from '../src/diagnosis/fitter.ts';
import { conformingWorld } from '../src/diagnosis/world.ts';
import { FINEST } from '../src/oracle/candidates.ts';
import { type Event, type History, type Outcome, type Range, WINDOW } from '../src/oracle/history.ts';
import { phaseByMarkers } from '../src/oracle/marker-phase.ts';
import { StreamedCheck } from '../src/oracle/stream.ts';
import { WitnessSearch } from '../src/oracle/witness.ts';
import { findWitness } from '../src/oracle/witnessed.ts';
import { Work } from '../src/oracle/work.ts';
import { seededRandom } from '../src/random/random.ts';
import { LIMIT, limiterOf, MECHANISMS, type Mechanism, UNIT } from './limiter.ts';

// How fast the oracle judges, in how much memory, and how both grow with the length of a run. Each line is measured in
// a process of its own, so that the peak is that line's alone. The requests are made up, of conforming targets; they
// are made before the clock starts, save where they are pushed one by one ("stream"), which shows that memory does not
// grow with the trace.
//
// Usage: node bench/oracle.ts            the table, up to 10^6 requests
//        node bench/oracle.ts --long     up to 10^7

const OFFSET = { low: -1_000_000, high: 1_000_000 };
/** Requests per minute and key: twice the limit, so that half of them are refused. */
const RATE = 2 * LIMIT;

interface Case {
  readonly mode: 'judge' | 'stream';
  readonly mechanism: Mechanism;
  readonly requests: number;
  readonly keys: number;
  /** Requests of a key that are under way at once. */
  readonly concurrency: number;
}

interface Request {
  readonly from: number;
  readonly to: number;
  readonly decided: number;
}

/** Requests of one key, in order of the decision and nearly in order of sending. */
function* requestsOf(count: number, concurrency: number, seed: number): Generator<Request> {
  const random = seededRandom(seed);
  const gap = WINDOW / RATE;
  for (let index = 0; index < count; index++) {
    const decided = Math.round((index + 0.1 * random()) * gap);
    const before = Math.round(random() * 0.5 * concurrency * gap);
    const after = Math.round(random() * 0.5 * concurrency * gap);
    yield { from: decided - before, to: decided + after, decided };
  }
}

const EXCHANGE = {} as Event['exchange'];

function historyOf({ mechanism, requests, keys, concurrency }: Case, key: number): History {
  const limiter = limiterOf(mechanism);
  const events: Event[] = [];
  for (const { from, to, decided } of requestsOf(requests / keys, concurrency, key)) {
    const { accepted, remaining, reset } = limiter(decided);
    const outcome: Outcome = accepted ? 'accepted' : 'refused';
    events.push({ exchange: EXCHANGE, from, to, outcome, group: '', remaining, reset });
  }
  events.sort((one, other) => one.from - other.from);
  return {
    key: `key-${key}`,
    kind: 'read',
    limit: LIMIT,
    shown: LIMIT,
    events,
    unit: UNIT,
    offset: OFFSET,
    until: Number.POSITIVE_INFINITY,
  };
}

/** CPU time, and not wall time, so that whatever else the machine does at the time counts little. */
function secondsSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1e6;
}

/** Judges as a load trace is judged: a witness first, then the search. */
function judgeAll(options: Case): number {
  let seconds = 0;
  const fitter = new Fitter(new Work(Number.POSITIVE_INFINITY));
  for (let key = 0; key < options.keys; key++) {
    const history = historyOf(options, key);
    const started = process.cpuUsage();
    const explained = findWitness(history) ?? fitter.fit(conformingWorld([history]));
    seconds += secondsSince(started);
    if (!explained) throw new Error(`${JSON.stringify(options)}: a conforming history was not explained`);
  }
  return seconds;
}

/** One search of fixed windows for a budget, or the check of one sliding mechanism. */
interface Stream {
  readonly push: (event: Event) => boolean;
  readonly explained: () => boolean;
}

function streamOf(mechanism: Mechanism, phase: Range | null): Stream {
  if (mechanism === 'grid' || mechanism === 'anchored') {
    const search = new WitnessSearch(LIMIT, UNIT, OFFSET);
    return {
      push: ({ from, to, outcome, remaining, reset }) => search.push(from, to, outcome, remaining, reset),
      explained: () => search.finish() !== null,
    };
  }
  const counting = { failedCounted: new Set<string>(), undecided: new Set<string>(), refusedCounted: false };
  const variant = { mechanism, counting, lag: 0, reset: 'oldest', latch: false } as const;
  const check = new StreamedCheck({ limit: LIMIT, shown: LIMIT, unit: UNIT, offset: OFFSET }, variant, phase);
  return { push: (event) => check.push(event), explained: () => check.finish() };
}

/** The events of one budget as they come: nothing is kept of them. */
function eventMaker(mechanism: Mechanism): (time: number) => Event {
  const limiter = limiterOf(mechanism);
  return (time) => {
    const { accepted, remaining, reset } = limiter(time);
    const outcome: Outcome = accepted ? 'accepted' : 'refused';
    return { exchange: EXCHANGE, from: time - 300, to: time + 400, outcome, group: '', remaining, reset };
  };
}

/** Time between two requests of one of the keys, in µs, when they ask in turn. */
function turn(keys: number): number {
  return WINDOW / RATE / keys;
}

/** The phase of a counter takes a pass over the markers. */
function phaseOf({ mechanism, requests, keys }: Case): Range | null {
  if (mechanism !== 'counter') return null;
  const make = eventMaker(mechanism);
  function* passing(): Generator<Event> {
    for (let index = 0; index < requests; index++) yield make(Math.round(index * turn(keys)));
  }
  const range = phaseByMarkers({ events: passing(), unit: UNIT });
  if (!range) throw new Error('the markers of a conforming stream tell no phase');
  const middle = (range.low + range.high) / 2;
  return { low: Math.max(range.low, middle - FINEST / 2), high: Math.min(range.high, middle + FINEST / 2) };
}

/**
 * Pushes requests one by one, as they are made, into one search for each key, keys in turn: nothing is kept of them.
 */
function streamAll(options: Case): number {
  const { mechanism, requests, keys } = options;
  const started = process.cpuUsage();
  const phase = phaseOf(options);
  const budgets = Array.from({ length: keys }, () => ({
    make: eventMaker(mechanism),
    stream: streamOf(mechanism, phase),
  }));
  for (let index = 0; index < requests; index++) {
    const budget = budgets[index % keys];
    budget?.stream.push(budget.make(Math.round(index * turn(keys))));
  }
  if (budgets.some(({ stream }) => !stream.explained())) throw new Error('a conforming stream is not explained');
  return secondsSince(started);
}

function measure(options: Case): void {
  const seconds = options.mode === 'stream' ? streamAll(options) : judgeAll(options);
  const { mode, mechanism, requests, keys, concurrency } = options;
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  const rate = Math.round(requests / seconds / 1000);
  const microseconds = ((seconds * 1e6) / requests).toFixed(2);
  const cells = [mode, mechanism, requests, keys, mode === 'stream' ? 1 : concurrency, rate, microseconds, peak];
  console.log(`| ${cells.join(' | ')} |`);
}

function casesUpTo(most: number): readonly Case[] {
  const lengths = [10_000, 100_000, 1_000_000, 10_000_000].filter((length) => length <= most);
  const judged = MECHANISMS.flatMap((mechanism) => [
    ...lengths
      .filter((requests) => requests <= 1_000_000)
      .map((requests): Case => ({ mode: 'judge', mechanism, requests, keys: 1, concurrency: 1 })),
    ...[16, 256].map((concurrency): Case => ({ mode: 'judge', mechanism, requests: 100_000, keys: 1, concurrency })),
    { mode: 'judge', mechanism, requests: 1_000_000, keys: 10_000, concurrency: 16 } as const,
  ]);
  const streamed = MECHANISMS.flatMap((mechanism) =>
    [1, 10_000].flatMap((keys) =>
      lengths
        // Fewer than a hundred of each key come within seconds, in which no marker tells the phase of a counter.
        .filter((requests) => requests >= 100_000 && requests >= 100 * keys)
        .map((requests): Case => ({ mode: 'stream', mechanism, requests, keys, concurrency: 1 })),
    ),
  );
  return [...judged, ...streamed];
}

const [given] = process.argv.slice(2);
if (given?.startsWith('{')) measure(JSON.parse(given) as Case);
else {
  console.log('| mode | mechanism | requests | keys | under way per key | 1,000 requests/s | µs each | peak MB |');
  console.log('|---|---|---:|---:|---:|---:|---:|---:|');
  for (const each of casesUpTo(given === '--long' ? 10_000_000 : 1_000_000)) {
    const self = fileURLToPath(import.meta.url);
    const { status } = spawnSync(process.execPath, [self, JSON.stringify(each)], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}
