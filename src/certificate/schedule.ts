import { LIMITS } from '../catalogue/limits.ts';
import { followBudgets, leftOf } from '../drive/budget-state.ts';
import { makePlan, type Plan } from '../plan/plan.ts';
import { burstSize } from '../plan/roles.ts';
import type { Operation } from '../profile/profile.ts';
import { valueSource } from '../profile/template.ts';
import { seededRandom } from '../random/random.ts';
import {
  IN_SEEDED_ORDER,
  inSeededOrder,
  isPollStep,
  MADE_UP_KEY,
  MADE_UP_SHOWN,
  madeUpKey,
  nameOf,
  orderLabel,
  pollLabel,
  pollPause,
  UNKNOWN_PATH,
  unknownPath,
  valuesLabel,
} from '../random/seeded-schedule.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Trace, TraceHeader } from '../trace/trace.ts';
import { missingRequests } from './planned-requests.ts';

/**
 * What a trace shows that a driver with its profile, keys and seed would not have done, as clauses; empty if all is
 * right. It makes the plan again, and draws again everything that only the seed determines: the order of requests that
 * may come in any order, the pauses before polls, and made-up names. The size of each burst follows from the answers
 * before it. Nothing here depends on speed, so no honest run is refuted.
 */
export function deviationsFromSchedule(trace: Trace): readonly string[] {
  const { header } = trace;
  const bySeq = [...trace.exchanges].sort((one, other) => one.seq - other.seq);
  const plan = planOf(header);
  if (JSON.stringify(plan.experiments) !== JSON.stringify(header.experiments)) {
    return ['its experiments do not follow from profile, keys and selection'];
  }
  const experiments = Map.groupBy(bySeq, (each) => each.experiment);
  return [
    ...strays(plan, bySeq),
    ...missingRequests(trace, plan, experiments),
    ...[...experiments].flatMap(([experiment, own]) => [
      ...orderDeviations(header.seed, experiment, own),
      ...pauseDeviations(header, experiment, own),
    ]),
    ...burstDeviations(header, bySeq),
    ...nameDeviations(header, bySeq),
  ];
}

/** The plan that profile, keys and selection give. */
function planOf({ profile, keys, command, selection }: TraceHeader): Plan {
  return makePlan({ profile, keys, selection: new Set(selection), mode: command === 'check' ? 'check' : 'certify' });
}

function strays(plan: Plan, exchanges: readonly Exchange[]): readonly string[] {
  const planned = new Set(plan.experiments.filter((each) => each.omitted === null).map((each) => each.id));
  const stray = exchanges.find((each) => !planned.has(each.experiment));
  return stray ? [`request ${stray.seq} belongs to no experiment of the plan`] : [];
}

function orderDeviations(seed: number, experiment: string, own: readonly Exchange[]): readonly string[] {
  const free = own.filter((each) => IN_SEEDED_ORDER.has(each.step));
  const due = inSeededOrder(seededRandom(seed, orderLabel(experiment)), free, (each) => each);
  const first = free.find((each, index) => nameOf(each) !== nameOf(due[index] ?? each));
  return first
    ? [`from request ${first.seq} on, the requests of ${experiment} are not in the order that the seed determines`]
    : [];
}

/**
 * How much rounding may shorten a pause, in µs of real time: times are recorded in whole µs, and printed as decimals.
 */
const ROUNDING = 10;

function pauseDeviations(
  { seed, scale }: TraceHeader,
  experiment: string,
  own: readonly Exchange[],
): readonly string[] {
  let polls = 0;
  // A poll's preparation comes between its pause and the poll.
  const asked = own.filter(({ step }) => step !== 'prepare');
  for (const [index, { seq, step, sent }] of asked.entries()) {
    if (!isPollStep(step)) continue;
    const pause = pollPause(seededRandom(seed, pollLabel(experiment, polls)), step) * 1e6;
    const before = asked[index - 1];
    polls += 1;
    if (before && sent - (before.answered ?? before.sent) < pause - ROUNDING * scale) {
      return [`the pause before request ${seq} of ${experiment} is shorter than the seed determines`];
    }
  }
  return [];
}

/**
 * Bursts of a different size than follows from the answers before them. A complete burst may have been sent again, if a
 * key was in use before or is accepted only in the other header.
 */
function burstDeviations(header: TraceHeader, exchanges: readonly Exchange[]): readonly string[] {
  const bursts = [...Map.groupBy(exchanges, ({ experiment, step }) => `${experiment} ${step}`).values()];
  return bursts.flatMap((burst) => {
    const [first] = burst;
    if (!first || first.key === null) return [];
    const sizes = sizesOf(first, first.key, header, exchanges);
    if (sizes.some((size) => burst.length % size === 0)) return [];
    return [`${first.experiment} has ${burst.length} requests of ${first.step}, not ${sizes.join(' or ')}`];
  });
}

/**
 * The possible sizes of the burst that begins with `first`: what was left may have changed while the burst was
 * prepared.
 */
function sizesOf(
  first: Exchange,
  key: string,
  { epoch }: TraceHeader,
  exchanges: readonly Exchange[],
): readonly number[] {
  const { experiment, step, kind, seq } = first;
  const sizeWith = (left: number): number => burstSize(step, kind, left);
  if (sizeWith(0) === sizeWith(LIMITS[kind])) return [sizeWith(0)];
  const budgets = followBudgets(epoch);
  const sizes = new Set<number>();
  const before = inOrderLearnt(exchanges.filter((each) => each.key === key && each.kind === kind && each.seq < seq));
  const own = before.findLastIndex((each) => each.experiment === experiment);
  for (const [at, exchange] of before.entries()) {
    budgets.learn(exchange);
    if (at >= own) sizes.add(sizeWith(leftOf(budgets.of(key, kind), kind)));
  }
  return [...sizes];
}

/** In the order in which the driver learnt of the answers; it learns those of a burst when it has all of them. */
function inOrderLearnt(exchanges: readonly Exchange[]): readonly Exchange[] {
  const nameOf = ({ seq, experiment, step, kind }: Exchange): string =>
    burstSize(step, kind, LIMITS[kind]) > 1 ? `${experiment} ${step}` : `${seq}`;
  const heard = new Map<string, number>();
  for (const each of exchanges) {
    const name = nameOf(each);
    heard.set(name, Math.max(heard.get(name) ?? 0, each.answered ?? each.sent));
  }
  const at = (each: Exchange): number => heard.get(nameOf(each)) ?? 0;
  return [...exchanges].sort((one, other) => at(one) - at(other) || one.seq - other.seq);
}

function nameDeviations(header: TraceHeader, exchanges: readonly Exchange[]): readonly string[] {
  const found: string[] = [];
  const key = madeUpKey(MADE_UP_SHOWN, seededRandom(header.seed, MADE_UP_KEY));
  const isTold = header.madeUpKey !== undefined || exchanges.some(({ fault, variation }) => isMadeUp(fault, variation));
  if (isTold && header.madeUpKey !== key) found.push('it made up another key than the seed determines');
  const path = unknownPath(seededRandom(header.seed, UNKNOWN_PATH));
  const other = exchanges.find((each) => each.variation === 'unknown-path' && each.target !== path);
  if (other) found.push(`request ${other.seq} asks for another unknown path than the seed determines`);
  const drawing = header.profile.operations.filter(drawsVisibly);
  if (drawing.length === 0) return found;
  const drawn = uuidsOf(header, exchanges.length);
  const ids = new Set(drawing.map(({ id }) => id));
  const foreign = exchanges.find(
    ({ operation, fault, target }) =>
      operation !== null && ids.has(operation) && fault === 'none' && !uuidsIn(target).some((each) => drawn.has(each)),
  );
  if (foreign) found.push(`request ${foreign.seq} carries another made-up name than the seed determines`);
  return found;
}

function isMadeUp(fault: Exchange['fault'], variation: string | null): boolean {
  return fault === 'bad-key' && variation === 'unknown';
}

/** Whether the recorded path or query contains a UUID that the suite made up. */
function drawsVisibly({ path, query }: Operation): boolean {
  return [path, ...Object.values(query)].some((text) => /\{\{\s*uuid\s*\}\}/.test(text));
}

/** More requests may have been filled in than were sent, because an interruption stopped them. */
const UNSENT = 1000;

/**
 * A request is filled in once for sending, and several times to find out its target: at most this many times in all.
 */
const FILLED_IN = 6;

function uuidsOf({ seed, epoch }: TraceHeader, requests: number): ReadonlySet<string> {
  const random = seededRandom(seed, valuesLabel(epoch));
  const source = valueSource(
    () => Math.floor(random() * 2 ** 32),
    () => 0,
  );
  return new Set(Array.from({ length: FILLED_IN * requests + UNSENT }, () => source.uuid()));
}

function uuidsIn(target: string): readonly string[] {
  return target.match(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g) ?? [];
}
