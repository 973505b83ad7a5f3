import { prepareRun } from '../../cli/prepare-run.ts';
import { type VirtualClock, virtualClock } from '../../clock/virtual-clock.ts';
import { SECOND } from '../../deployment/deployment.ts';
import { makeRenderer } from '../../drive/renderer.ts';
import type { RunOptions } from '../../drive/run.ts';
import { runPlan } from '../../drive/run-plan.ts';
import { type Recording, RequestsSpent } from '../../drive/sender.ts';
import { openSession, type Session } from '../../drive/session.ts';
import { EVERYTHING } from '../../plan/plan.ts';
import type { Mode } from '../../plan/tracks.ts';
import type { Profile } from '../../profile/profile.ts';
import { seededRandom } from '../../random/random.ts';
import type { Conduct } from '../../reference/conduct.ts';
import type { KeySet } from '../../reference/credentials.ts';
import { isDeferred } from '../../reference/mechanisms/limiter.ts';
import { type Network, QUIET_NETWORK } from '../../reference/network.ts';
import { createService, type Service } from '../../reference/service.ts';
import type { Exchange, Kind } from '../../trace/exchange.ts';
import type { Intent, NoteLine, Trace, TraceFooter, TraceHeader } from '../../trace/trace.ts';
import { type VirtualClient, virtualClient } from './virtual-client.ts';

/** Requests of somebody else who uses a key of the run. */
export interface OtherUse {
  /** Alias. */
  readonly key: string;
  readonly kind: Kind;
  readonly requests: number;
  /** µs of the run's clock at which the first of them is decided; negative: before the run. */
  readonly at: number;
  /** µs between two of them. */
  readonly every: number;
}

export interface VirtualRunOptions {
  readonly profile: Profile;
  /** How many full keys the run has. */
  readonly keys: number;
  /** Creates the behaviour of the deployment. */
  readonly conduct: Conduct;
  readonly seed: number;
  /** Wall clock at the run's start, in µs since the Unix epoch. */
  readonly epoch: number;
  readonly network?: Network;
  readonly others?: readonly OtherUse[];
  /** What the plan may spend; `certify` if absent. */
  readonly mode?: Mode;
  /** The requests to send instead of the plan. */
  readonly script?: (session: Session) => Promise<void>;
  /** A layer in front of the service that may change its answers; called once. */
  readonly around?: (service: Service, keys: KeySet) => Service;
}

/** A run in virtual time. */
export interface VirtualRun {
  /** The trace that the command would have recorded. */
  readonly trace: Trace;
  /** The same with every request at the moment at which it was decided: the most that a judge could know. */
  readonly exact: Trace;
  /** The recorded lines in order, for a file. */
  readonly lines: readonly RunLine[];
}

export type RunLine =
  | NoteLine
  | { readonly type: 'intents'; readonly intents: readonly Intent[] }
  | { readonly type: 'answer'; readonly exchange: Exchange };

/**
 * Runs the plan of `certify` or `check`, with its own experiments, against a reference service in virtual time. The
 * same options give the same run, to the last bit.
 */
export async function virtualRun(options: VirtualRunOptions): Promise<VirtualRun> {
  const { profile, seed, epoch, network = QUIET_NETWORK, script, mode = 'certify' } = options;
  const { around = (service: Service) => service } = options;
  const keys = keysOf(options.keys);
  const random = seededRandom(seed, 'virtual run');
  const clock = virtualClock(epoch);
  const { skew, lateRead } = options.conduct({ started: 0, run: 0 }).options;
  const serverTime = (time: number): number => epoch + time + skew * SECOND;
  const started = serverTime(-random() * 600 * SECOND);
  const service = around(createService(options.conduct({ started, run: serverTime(0) }), keys), keys);
  useByOthers(options.others ?? [], { service, clock, serverTime, profile });
  const run = prepared(profile, keys, mode, seed);
  const redact = hiderOf(keys);
  const timeout = profile.http.timeoutMs.response * 1000;
  const { userAgent } = run;
  const client = virtualClient({
    clock,
    service,
    serverTime,
    network,
    random,
    baseUrl: profile.baseUrl,
    userAgent,
    timeout,
    redact,
  });
  const lines: RunLine[] = [];
  const controller = new AbortController();
  const session = openSession({
    profile,
    keys,
    client,
    clock,
    recording: recorder(lines, clock),
    renderer: makeRenderer(clock, seed),
    redact,
    seed,
    controller,
    onExchange: () => {},
  });
  let outcome: TraceFooter['outcome'] = 'complete';
  await clock.run(script ? script(session) : runPlan(run.plan, session)).catch((error: unknown) => {
    if (!(error instanceof RequestsSpent)) throw error;
    outcome = 'interrupted';
  });
  const trace = traceOf({ ...run.header, epoch }, lines, outcome, clock.now());
  return { trace, exact: exactly(trace, client, lateRead), lines };
}

const PREPARED = new WeakMap<Profile, Map<string, RunOptions>>();

/** What is planned, found once: it depends on nothing of the deployment, and takes as long as a run. */
function prepared(profile: Profile, keys: ReturnType<typeof keysOf>, mode: Mode, seed: number): RunOptions {
  const known = PREPARED.get(profile) ?? new Map<string, RunOptions>();
  PREPARED.set(profile, known);
  const name = `${keys.full.length} ${mode} ${seed}`;
  const found = known.get(name) ?? prepareRun({ profile, keys }, { command: mode, mode, selection: EVERYTHING, seed });
  known.set(name, found);
  return found;
}

/** Requests of others: they are decided and answered at once, and the run does not see the answers. */
function useByOthers(
  uses: readonly OtherUse[],
  {
    service,
    clock,
    serverTime,
    profile,
  }: { service: Service; clock: VirtualClock; serverTime(time: number): number; profile: Profile },
): void {
  const all = uses.flatMap((use) =>
    Array.from({ length: use.requests }, (_, index) => ({ ...use, time: use.at + index * use.every })),
  );
  for (const { key, kind, time } of all.sort((one, other) => one.time - other.time)) {
    const operation = profile.operations.find((each) => each.kind === kind && each.prepare.length === 0);
    if (!operation) continue;
    const { pathname } = new URL(profile.baseUrl);
    const request = {
      method: operation.method,
      url: pathname + operation.path,
      headers: { 'x-api-key': secretOf(key), 'user-agent': 'somebody else' },
      body: operation.method === 'GET' ? '' : '{"name":"x","text":"x"}',
      connection: -1,
      address: '198.51.100.1',
    };
    const send = (): void => {
      let received = service.receive(request, serverTime(time));
      while (isDeferred(received)) received = received.resume(serverTime(time));
      service.answer(received, serverTime(time));
    };
    if (time < 0) send();
    else clock.at(time, send);
  }
}

function secretOf(alias: string): string {
  return `${alias.replace('-', '')}-7b1d4f9a2c`;
}

function keysOf(count: number): {
  readonly full: readonly string[];
  readonly restricted: string;
  readonly revoked: string;
} {
  const full = Array.from({ length: count }, (_, index) => secretOf(`key-${index + 1}`));
  return { full, restricted: secretOf('restricted'), revoked: secretOf('revoked') };
}

function hiderOf({ full, restricted, revoked }: ReturnType<typeof keysOf>): (text: string) => string {
  const known = [
    ...full.map((key, index) => [key, `key-${index + 1}`] as const),
    [restricted, 'restricted'] as const,
    [revoked, 'revoked'] as const,
  ];
  return (text) => known.reduce((hidden, [key, alias]) => hidden.replaceAll(key, `<${alias}>`), text);
}

function recorder(lines: RunLine[], clock: VirtualClock): Recording {
  return {
    intend: (intents) => lines.push({ type: 'intents', intents }),
    record: (exchange) => lines.push({ type: 'answer', exchange }),
    note: (code, experiment, text) => lines.push({ type: 'note', time: clock.now(), code, experiment, text }),
  };
}

function traceOf(
  header: TraceHeader,
  lines: readonly RunLine[],
  outcome: TraceFooter['outcome'],
  ended: number,
): Trace {
  const exchanges = lines.flatMap((line) => (line.type === 'answer' ? [line.exchange] : []));
  return {
    header,
    exchanges: exchanges.sort((one, other) => one.sent - other.sent || one.seq - other.seq),
    unanswered: [],
    notes: lines.flatMap((line) => (line.type === 'note' ? [line] : [])),
    footer: { type: 'footer', exchanges: exchanges.length, intents: exchanges.length, outcome, ended, chain: '' },
  };
}

/** A request without an answer stays unchanged: it is only known that the answer was lost. */
function exactly(trace: Trace, client: VirtualClient, lateRead: boolean): Trace {
  const exchanges = trace.exchanges.map((exchange): Exchange => {
    const moments = client.moments(exchange.headers);
    return moments
      ? { ...exchange, sent: moments.decided, answered: lateRead ? moments.written : moments.decided }
      : exchange;
  });
  return { ...trace, exchanges: exchanges.sort((one, other) => one.sent - other.sent || one.seq - other.seq) };
}
