// What all load scripts do. It runs inside k6, so it keeps to the syntax and globals that k6 2.2 has (see README.md).
import exec from 'k6/execution';
import http, { type Response } from 'k6/http';
import type { Options } from 'k6/options';
import { arrivalCount, dueAt } from '../src/load/arrivals.ts';
import { scenarioOptions } from '../src/load/k6-options.ts';
import type { ArrivalPacing, LanePacing, LoadSpec, ScenarioName, Wave } from '../src/load/load-spec.ts';
import { encodeField } from '../src/load/record-line.ts';
import { renderer } from '../src/load/render.ts';
import { numberedWaves, type PlannedRequest, requestLookup } from '../src/load/request-id.ts';
import { SCENARIOS } from '../src/load/scenario.ts';
import { type MarkerAnswer, startAfter, waveTime } from '../src/load/wave-time.ts';
import { environmentOf, type ScriptEnvironment } from './environment.ts';

/** µs of this instance's monotonic clock; far finer than `Date.now()`, and no clock step bends it. */
const clock = (): number => exec.instance.currentTestRunDuration * 1000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Send = (id: number, request: PlannedRequest) => Promise<Response>;

/** Makes the two exports of a k6 script: its options, and what each iteration does. */
export function script(scenario: ScenarioName): { readonly options: Options; readonly run: () => Promise<void> } {
  const environment = environmentOf(scenario);
  const { spec } = environment;
  const { pacing } = SCENARIOS[scenario];
  const send = sender(environment);
  const iterate = pacing.pacing === 'lanes' ? lane(spec, pacing, send) : arrival(spec, pacing, send);
  const { certificate } = environment;
  const options = { ...scenarioOptions(spec), ...(certificate ? { tlsAuth: [certificate] } : {}) };
  return { options, run: () => guarded(environment, iterate) };
}

/** A failure of the script must never look like a quiet target: it is recorded, and ends the run (k6 alone would exit 0). */
async function guarded(environment: ScriptEnvironment, iterate: () => Promise<void>): Promise<void> {
  try {
    if (environment.keys.length === 0) throw new Error('there is no key: set SIZE_CHART_KEYS or SIZE_CHART_KEYS_FILE');
    await iterate();
  } catch (error) {
    const message = error instanceof Error ? `${error.message} ${error.stack ?? ''}` : String(error);
    console.log(`!|${exec.vu.idInTest - 1}|${encodeField(message)}`);
    exec.test.abort(`the load script failed: ${message}`);
  }
}

function announce(spec: LoadSpec, start: number): void {
  if (exec.scenario.iterationInInstance === 0) {
    console.log(`=|${JSON.stringify(spec)}`);
    tieClocks();
  }
  const segment = encodeField(String(exec.test.options.executionSegment ?? '0:1'));
  console.log(`@|${exec.vu.idInTest - 1}|${start}|${segment}`);
}

/**
 * Ties the wall clock, which shows whole ms, to the finer one: by the last reading before it moves on, and the first after.
 * A few times, since the machine may be busy elsewhere at just that moment.
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

/** One lane from its first wave to its last answer: its tracks go side by side, and no request waits for an earlier one's answer. */
function lane(spec: LoadSpec, pacing: LanePacing, send: Send): () => Promise<void> {
  const lookup = requestLookup(spec);
  return async () => {
    const number = exec.vu.idInTest - 1;
    const start = spec.start ?? startAfter(Date.now());
    announce(spec, start);
    let sent = 0;

    const launch = (first: number, count: number, due: number): Promise<Response[]> => {
      console.log(`>|${first}|${count}|${Math.round(due)}|${Math.floor(clock())}`);
      const answers: Promise<Response>[] = [];
      for (let id = first; id < first + count; id += 1) {
        const request = lookup(id);
        if (!request) throw new Error(`request ${id} is none of the plan's`);
        answers.push(send(id, request));
      }
      sent += count;
      return Promise.all(answers);
    };

    const follow = async (waves: readonly { readonly wave: Wave; readonly first: number }[]): Promise<void> => {
      const open: Promise<unknown>[] = [];
      let marker: MarkerAnswer | null = null;
      for (const { wave, first } of waves) {
        for (let turn = 0; turn < wave.times; turn += 1) {
          const due = waveTime(spec, wave, turn, start, marker);
          const ahead = due - Date.now();
          if (ahead > 0) await pause(ahead);
          const answers = launch(first + turn * wave.count, wave.count, due);
          open.push(answers);
          if (wave.step === 'marker') marker = markerOf((await answers)[0]);
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

/** One request of the open model. k6 starts one iteration more than the rate calls for, at the very end: that one sends nothing. */
function arrival(spec: LoadSpec, pacing: ArrivalPacing, send: Send): () => Promise<void> {
  const stages = pacing.stages(spec);
  const requests = arrivalCount(stages);
  const lookup = requestLookup(spec);
  let announced = false;
  return async () => {
    const start = exec.scenario.startTime;
    if (!announced) announce(spec, start);
    announced = true;
    const id = exec.scenario.iterationInTest;
    const request = lookup(id);
    if (id >= requests || !request) return;
    console.log(`>|${id}|1|${Math.round(start + dueAt(stages, id) / spec.scale)}|${Math.floor(clock())}`);
    await send(id, request);
  };
}

/** A function that sends one request and records its answer. It rejects only where the script itself is wrong. */
function sender({ spec, keys, headers }: ScriptEnvironment): Send {
  const rendered = renderer(spec);
  return async (id, { template, key }) => {
    const { method, url, body, headers: own } = rendered(template, id);
    const params = { headers: { ...headers, ...own, 'X-API-Key': keys[key] ?? '' }, timeout: spec.timeout };
    const sent = Math.floor(clock());
    const answer = await http.asyncRequest(method, url, body, params);
    const answered = Math.ceil(clock());
    if (answer.status === 0) {
      console.log(`x|${id}|${sent}|${answered}|${answer.error_code}|${encodeField(answer.error)}`);
      return answer;
    }
    const { headers: got } = answer;
    const rate = `${encodeField(got['X-Ratelimit-Limit'])}|${encodeField(got['X-Ratelimit-Remaining'])}|${encodeField(got['X-Ratelimit-Reset'])}`;
    console.log(
      `<|${id}|${sent}|${answered}|${answer.status}|${rate}|${encodeField(got.Date)}|${encodeField(got['Retry-After'])}`,
    );
    return answer;
  };
}

function markerOf(answer: Response | undefined): MarkerAnswer | null {
  if (!answer || answer.status === 0) return null;
  const field = (name: string): string[] => {
    const value = answer.headers[name];
    return value === undefined ? [] : [value];
  };
  const captured = { limit: [], remaining: [], reset: field('X-Ratelimit-Reset'), date: field('Date') };
  return { headers: { ...captured, retryAfter: [], other: {} }, answered: Date.now() };
}
