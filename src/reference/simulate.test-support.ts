import { EventQueue } from '../clock/event-queue.ts';
import { SECOND } from '../deployment/deployment.ts';
import { between, type Random, seededRandom } from '../random/random.ts';
import {
  type CapturedHeaders,
  type Exchange,
  type Failure,
  type Fault,
  type Group,
  type Kind,
  NO_HEADERS,
} from '../trace/exchange.ts';
import type { Conduct } from './conduct.ts';
import { type Admission, createGate, type Gate } from './gate.ts';
import { type Deferred, isDeferred } from './mechanisms/limiter.ts';
import { type Network, QUIET_NETWORK, type Range } from './network.ts';
import { arrivalOf, plainOperation } from './simulated-arrival.test-support.ts';

/** A request of a schedule: an `Exchange` before it is sent. Absent fields are those of a plain request. */
export interface SimulatedRequest {
  /** Send time in µs of the run's clock. */
  readonly at: number;
  /** Alias of the key; null if the request has none. */
  readonly key: string | null;
  readonly kind: Kind;
  readonly fault?: Fault;
  readonly credential?: string;
  readonly variation?: string | null;
  readonly operation?: string | null;
  readonly group?: Group | null;
  readonly method?: string;
  readonly target?: string;
  readonly connection?: number;
  readonly experiment?: string;
  readonly step?: string;
  readonly pair?: string | null;
}

export interface SimulationOptions {
  /** Makes the server's behaviour (`conductOf`). */
  readonly conduct: Conduct;
  readonly seed: number;
  readonly network?: Network;
  /** Wall clock at time 0 of the run, in µs since the Unix epoch. */
  readonly epoch?: number;
  /** Server clock minus the run's clock in seconds, in addition to the variant's own. */
  readonly skew?: number;
}

interface Outcome {
  readonly request: SimulatedRequest;
  answered: number | null;
  status: number | null;
  failure: Failure | null;
  headers: CapturedHeaders;
}

const DEFAULT_EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000 + 123_456;

/**
 * A run of the suite against a server in virtual time: the server's own code behind a simulated network. Add requests
 * with `send`, before the run or from actions set with `at`, then call `run`. The same seed gives the same history.
 */
export class Simulation {
  readonly random: Random;
  /** Server clock minus the run's clock, in µs: the suite would have to measure it. */
  readonly offset: number;
  readonly epoch: number;
  readonly #queue = new EventQueue();
  readonly #outcomes: Outcome[] = [];
  readonly #gate: Gate;
  readonly #network: Network;
  readonly #dated: boolean;
  #connections = 0;
  #date = { second: Number.NaN, text: [''] };

  constructor({ conduct, seed, network = QUIET_NETWORK, epoch = DEFAULT_EPOCH, skew = 0 }: SimulationOptions) {
    this.random = seededRandom(seed);
    this.epoch = epoch;
    const started = -this.random() * 600 * SECOND;
    const { options } = conduct({ started: 0, run: 0 });
    this.offset = (skew + options.skew) * SECOND;
    this.#dated = options.dateHeader;
    this.#network = network;
    this.#gate = createGate(conduct({ started: this.#serverTime(started), run: this.#serverTime(0) }));
  }

  /** A new connection for the next request. */
  connection(): number {
    return ++this.#connections;
  }

  /** Sends a request at its time, which must not be earlier than the action that calls this. */
  send(request: SimulatedRequest): void {
    const outcome: Outcome = { request, answered: null, status: null, failure: null, headers: NO_HEADERS };
    this.#outcomes.push(outcome);
    const { lost, uplink } = this.#network;
    let arrives = request.at + this.#latency(uplink);
    if (lost > 0 && this.random() < lost) {
      outcome.failure = this.random() < 0.5 ? 'timeout' : 'reset';
      const fate = this.random();
      if (fate < 1 / 3) return;
      if (fate > 2 / 3) arrives += this.random() * 5 * SECOND;
    }
    this.#queue.push(arrives, () => {
      this.#admitted(outcome, this.#gate.admit(arrivalOf(request), this.#serverTime(arrives)), arrives);
    });
  }

  /** Runs an action at a time, such as sending what depends on the answers so far (`answers`). */
  at(time: number, action: () => void): void {
    this.#queue.push(time, action);
  }

  /** The answers until this time to a key's requests of this kind, in order of arrival. */
  answers(key: string, kind: Kind, until: number): readonly Exchange[] {
    return this.#outcomes
      .filter(
        ({ request, answered }) => request.key === key && request.kind === kind && (answered ?? Infinity) <= until,
      )
      .sort((one, other) => (one.answered ?? 0) - (other.answered ?? 0))
      .map((outcome, index) => exchangeOf(outcome, index));
  }

  /** Runs until nothing is left to do, and returns the history in order of `sent`. */
  run(): Exchange[] {
    for (let event = this.#queue.pop(); event; event = this.#queue.pop()) event.run();
    return this.#outcomes
      .sort((one, other) => one.request.at - other.request.at)
      .map((outcome, index) => exchangeOf(outcome, index + 1));
  }

  #admitted(outcome: Outcome, admission: Admission | Deferred<Admission>, time: number): void {
    if (isDeferred(admission)) {
      const resumes = time + admission.wait;
      this.#queue.push(resumes, () => {
        this.#admitted(outcome, admission.resume(this.#serverTime(resumes)), resumes);
      });
      return;
    }
    const writes = time + this.#latency(this.#network.work);
    this.#queue.push(writes, () => this.#answer(outcome, admission, writes));
  }

  #answer(outcome: Outcome, admission: Admission, time: number): void {
    const now = this.#serverTime(time);
    const { status, headers, breaksOff } = this.#gate.answer(admission, now);
    if (breaksOff) outcome.failure ??= 'reset';
    if (outcome.failure !== null) return;
    const { limit, remaining, reset, other } = headers;
    const retry = other['retry-after'];
    const date = this.#dated ? this.#dateAt(now) : [];
    outcome.answered = time + this.#latency(this.#network.downlink);
    outcome.status = status;
    outcome.headers = { limit, remaining, reset, date, retryAfter: retry === undefined ? [] : [retry], other: {} };
  }

  /** The Date header: the same text during a whole second. */
  #dateAt(now: number): string[] {
    const second = Math.floor(now / SECOND);
    if (second !== this.#date.second) this.#date = { second, text: [new Date(second * 1000).toUTCString()] };
    return this.#date.text;
  }

  #latency(range: Range): number {
    return Math.round(between(() => this.random() ** 3, range));
  }

  #serverTime(time: number): number {
    return this.epoch + time + this.offset;
  }
}

/** The history of a schedule that does not depend on answers. */
export function simulate(requests: readonly SimulatedRequest[], options: SimulationOptions): Exchange[] {
  const simulation = new Simulation(options);
  for (const request of requests) simulation.send(request);
  return simulation.run();
}

function exchangeOf({ request, answered, status, failure, headers }: Outcome, seq: number): Exchange {
  const { kind, key } = request;
  return {
    seq,
    experiment: request.experiment ?? 'simulated',
    step: request.step ?? 'probe',
    pair: request.pair ?? null,
    operation: request.operation === undefined ? plainOperation(kind) : request.operation,
    group: request.group === undefined ? 'service' : request.group,
    kind,
    fault: request.fault ?? 'none',
    key,
    credential: request.credential ?? (key === null ? 'none' : 'x-api-key'),
    variation: request.variation ?? null,
    method: request.method ?? (kind === 'read' ? 'GET' : 'PUT'),
    target: request.target ?? '/service',
    connection: request.connection ?? 0,
    sent: request.at,
    answered,
    status,
    failure,
    headers,
  };
}
