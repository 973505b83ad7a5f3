// What all load scripts do. It runs inside k6, so it keeps to the syntax and globals that k6 2.2 has (see README.md).
import exec from 'k6/execution';
import http, { type Params, type Response } from 'k6/http';
import type { Options } from 'k6/options';
import { arrivalCount, dueAt } from '../src/load/arrivals.ts';
import { scenarioOptions } from '../src/load/k6-options.ts';
import { headersWithoutValue } from '../src/load/load-headers.ts';
import type { ArrivalPacing, LanePacing, LoadSpec, ScenarioName } from '../src/load/load-spec.ts';
import { encodeField } from '../src/load/record-line.ts';
import { type RenderedLoad, renderer } from '../src/load/render.ts';
import {
  type NumberedWave,
  numberedWaves,
  type PlannedRequest,
  requestLookup,
  requestOf,
} from '../src/load/request-id.ts';
import { SCENARIOS } from '../src/load/scenario.ts';
import { type MarkerAnswer, startAfter, waveTime } from '../src/load/wave-time.ts';
import { environmentOf, type ScriptEnvironment } from './environment.ts';
import { keyHider } from './hide-keys.ts';

/**
 * k6 makes this object anew at each access of `exec.instance`, which takes longer than all else that a record needs.
 */
let instance: typeof exec.instance | null = null;

/** µs of this instance's monotonic clock; far finer than `Date.now()`, and no clock step bends it. */
function clock(): number {
  instance ??= exec.instance;
  return instance.currentTestRunDuration * 1000;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Gives the answer to a marker request only: any other would be kept in memory for nothing. */
type Send = (id: number, request: PlannedRequest) => Promise<Response | null>;

/** Makes the two exports of a k6 script: its options, and what each iteration does. */
export function script(scenario: ScenarioName): { readonly options: Options; readonly run: () => Promise<void> } {
  const environment = environmentOf(scenario);
  const { spec } = environment;
  const { pacing } = SCENARIOS[scenario];
  const send = sender(environment);
  const iterate = pacing.pacing === 'lanes' ? lane(environment, pacing, send) : arrival(environment, pacing, send);
  const { certificate } = environment;
  const options = { ...scenarioOptions(spec), ...(certificate ? { tlsAuth: [certificate] } : {}) };
  return { options, run: () => guarded(environment, iterate) };
}

/**
 * A failure of the script must never look like a quiet target: it is recorded, and ends the run (k6 alone would exit
 * 0).
 */
async function guarded(environment: ScriptEnvironment, iterate: () => Promise<void>): Promise<void> {
  try {
    if (environment.keys.length === 0)
      throw new Error('no API key is given: set SIZE_CHART_KEYS or SIZE_CHART_KEYS_FILE');
    const lacking = headersWithoutValue(environment.spec, environment.headers);
    if (lacking.length > 0)
      throw new Error(`the headers ${lacking.join(', ')} have no value: set SIZE_CHART_LOAD_HEADERS (load/README.md)`);
    await iterate();
  } catch (error) {
    const said = error instanceof Error ? `${error.message} ${error.stack ?? ''}` : String(error);
    const message = keyHider(environment.keys)(said);
    console.log(`!|${exec.vu.idInTest - 1}|${encodeField(message)}`);
    exec.test.abort(`the load script failed: ${message}`);
  }
}

function announce(shown: LoadSpec, start: number): void {
  if (exec.scenario.iterationInInstance === 0) {
    console.log(`=|${JSON.stringify(shown)}`);
    tieClocks();
  }
  const segment = encodeField(String(exec.test.options.executionSegment ?? '0:1'));
  console.log(`@|${exec.vu.idInTest - 1}|${start}|${segment}`);
}

/**
 * Ties the wall clock, which shows whole ms, to the finer one: by the last reading before it moves on, and the first
 * after. A few times, since the machine may be busy elsewhere at just that moment.
 */
function tieClocks(): void {
  const read = () => ({ before: clock(), wall: Date.now(), after: clock() });
  let last = read();
  for (let ticks = 0; ticks < 5; ) {
    const next = read();
    if (next.wall !== last.wall) {
      ticks += 1;
      for (const { before, wall, after } of [last, next]) {
        console.log(`~|${Math.floor(before)}|${wall}|${Math.ceil(after)}`);
      }
    }
    last = next;
  }
}

/**
 * One lane from its first wave to its last answer: its tracks go side by side, and no request waits for an earlier
 * one's answer.
 */
function lane({ spec, shown }: ScriptEnvironment, pacing: LanePacing, send: Send): () => Promise<void> {
  return async () => {
    const number = exec.vu.idInTest - 1;
    const start = spec.start ?? startAfter(Date.now());
    announce(shown, start);
    let sent = 0;

    const launch = (numbered: NumberedWave, turn: number, due: number): Promise<Response | null>[] => {
      const { count } = numbered.wave;
      const first = numbered.first + turn * count;
      console.log(`>|${first}|${count}|${Math.round(due)}|${Math.floor(clock())}`);
      const answers: Promise<Response | null>[] = [];
      for (let id = first; id < first + count; id += 1) answers.push(send(id, requestOf(spec, numbered, id)));
      sent += count;
      return answers;
    };

    const follow = async (waves: readonly NumberedWave[]): Promise<void> => {
      const open: Promise<Response | null>[] = [];
      let marker: MarkerAnswer | null = null;
      for (const numbered of waves) {
        const { wave } = numbered;
        for (let turn = 0; turn < wave.times; turn += 1) {
          const due = waveTime(spec, wave, turn, start, marker);
          const ahead = due - Date.now();
          if (ahead > 0) await pause(ahead);
          const answers = launch(numbered, turn, due);
          open.push(...answers);
          if (wave.step === 'marker') marker = markerOf(await answers[0]);
        }
      }
      await Promise.all(open);
    };

    const tracks = pacing.tracks(spec, number);
    const numbered = numberedWaves(tracks, number);
    await Promise.all(tracks.map((track) => follow(numbered.filter((each) => each.track === track))));
    console.log(`.|${number}|${sent}`);
  };
}

/**
 * One request of the open model. k6 starts one iteration more than the rate calls for, at the very end: that one sends
 * nothing.
 */
function arrival({ spec, shown }: ScriptEnvironment, pacing: ArrivalPacing, send: Send): () => Promise<void> {
  const stages = pacing.stages(spec);
  const requests = arrivalCount(stages);
  const lookup = requestLookup(spec);
  let announced = false;
  return async () => {
    const start = exec.scenario.startTime;
    if (!announced) announce(shown, start);
    announced = true;
    const id = exec.scenario.iterationInTest;
    const request = lookup(id);
    if (id >= requests || !request) return;
    console.log(`>|${id}|1|${Math.round(start + dueAt(stages, id) / spec.scale)}|${Math.floor(clock())}`);
    await send(id, request);
  };
}

/**
 * Answers to a burst that are printed together, which takes less time than one by one, and ms that the first of them
 * waits at most. A k6 that is killed meanwhile loses them: their requests have been announced, and count as unknown.
 */
const MOST_WAITING = 20;
const LONGEST_WAIT = 50;

/**
 * A function that sends one request and records its answer. It rejects only where the script itself is wrong. It runs
 * once a request, in an interpreter: what can be kept from one request to the next is kept.
 */
function sender({ spec, keys, headers: { all } }: ScriptEnvironment): Send {
  const rendered = renderer(spec);
  const hide = keyHider(keys);
  const params = new Map<RenderedLoad['headers'], Params[]>();
  const encoded = new Map<string | undefined, string>();
  const field = (value: string | undefined): string => {
    let text = encoded.get(value);
    if (text === undefined) {
      text = encodeField(value === undefined ? undefined : hide(value));
      if (encoded.size > 5_000) encoded.clear();
      encoded.set(value, text);
    }
    return text;
  };
  const paramsOf = (own: RenderedLoad['headers'], key: number): Params => {
    let perKey = params.get(own);
    if (!perKey) {
      perKey = [];
      params.set(own, perKey);
    }
    perKey[key] ??= { headers: { ...all, ...own, 'X-API-Key': keys[key] ?? '' }, timeout: spec.timeout };
    return perKey[key];
  };
  const waiting: string[] = [];
  let open = 0;
  const flush = (): void => {
    if (waiting.length > 0) console.log(waiting.splice(0).join('\n'));
  };
  const record = (line: string): void => {
    open -= 1;
    if (waiting.push(line) === MOST_WAITING || open === 0) flush();
    else if (waiting.length === 1) setTimeout(flush, LONGEST_WAIT);
  };
  return (id, { template, key, step }) => {
    const { method, url, body, headers: own, fixed } = rendered(template, id);
    const param = fixed
      ? paramsOf(own, key)
      : { headers: { ...all, ...own, 'X-API-Key': keys[key] ?? '' }, timeout: spec.timeout };
    open += 1;
    const sent = Math.floor(clock());
    return http.asyncRequest(method, url, body, param).then((answer) => {
      const answered = Math.ceil(clock());
      const { status } = answer;
      if (status === 0) {
        record(`x|${id}|${sent}|${answered}|${answer.error_code}|${encodeField(hide(answer.error))}`);
        return null;
      }
      const got = answer.headers;
      const rate = `${field(got['X-Ratelimit-Limit'])}|${field(got['X-Ratelimit-Remaining'])}|${field(got['X-Ratelimit-Reset'])}`;
      record(`<|${id}|${sent}|${answered}|${status}|${rate}|${field(got.Date)}|${field(got['Retry-After'])}`);
      return step === 'marker' ? answer : null;
    });
  };
}

function markerOf(answer: Response | null | undefined): MarkerAnswer | null {
  if (!answer) return null;
  const field = (name: string): string[] => {
    const value = answer.headers[name];
    return value === undefined ? [] : [value];
  };
  const captured = { limit: [], remaining: [], reset: field('X-Ratelimit-Reset'), date: field('Date') };
  return { headers: { ...captured, retryAfter: [], other: {} }, answered: Date.now() };
}
