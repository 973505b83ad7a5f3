import { OF_EVERY_KEY, TOGETHER } from '../catalogue/key-states.ts';
import { WINDOW_S } from '../catalogue/limits.ts';
import { isAccepted } from '../drive/budget-state.ts';
import type { Plan } from '../plan/plan.ts';
import { BAD_PARTS, GIVE_UP_AFTER_S, stepsOf } from '../plan/roles.ts';
import type { Track } from '../plan/tracks.ts';
import type { Trial } from '../plan/trials.ts';
import { repeatable } from '../profile/repetition.ts';
import { IN_SEEDED_ORDER, isPollStep } from '../random/seeded-schedule.ts';
import { type Exchange, isFullKey } from '../trace/exchange.ts';
import { saysLeftOut } from '../trace/left-out.ts';
import type { Intent, NoteLine, Trace } from '../trace/trace.ts';
import { missingOddities } from './odd-requests.ts';

/**
 * What a trace lacks although it says that the experiments ended, as clauses. A driver that came this far has sent
 * every step of a track and every single request of the plan, or has noted what it could not send.
 *
 * @param experiments the requests of each, in the order in which they were numbered
 */
export function missingRequests(
  trace: Trace,
  plan: Plan,
  experiments: ReadonlyMap<string, readonly Exchange[]>,
): readonly string[] {
  const { notes } = trace;
  if (notes.some(({ code }) => code === 'preflight')) return [];
  const ended = new Set(notes.filter(({ code }) => code === 'experiment-ended').map(({ experiment }) => experiment));
  const cut = plan.tracks
    .filter((track) => ended.has(track.id) && !isWhole(track, experiments.get(track.id) ?? []))
    .map(({ id }) => id);
  const asked = experiments.get('observed')?.some(({ step }) => IN_SEEDED_ORDER.has(step)) ?? false;
  if (plan.observed && ended.has('observed') && !asked) cut.push('observed');
  return [
    ...cut.map((id) => `${id} lacks some of its steps, though the trace says that it ended`),
    ...missingTrials(trace, dueTrials(plan, trace, ended)),
    ...(ended.has('authentication') ? unsettled(trace) : []),
    ...(ended.has('odd') ? missingOddities(trace, plan.odd) : []),
  ];
}

/**
 * Steps that the session adds for others: what they need, what they leave behind, and a witness after a lost answer.
 */
const AIDS: ReadonlySet<string> = new Set(['prepare', 'remove', 'witness']);

/**
 * Whether a track has all of its steps in order, or ends with the last poll of a budget that does not come back in
 * time.
 */
function isWhole(track: Track, own: readonly Exchange[]): boolean {
  const due = stepsOf(track);
  const sent = own
    .map(({ step }) => (IN_SEEDED_ORDER.has(step) ? 'evasion' : step))
    .filter((step) => due.includes(step));
  const steps = sent.filter((step, index) => step !== sent[index - 1]);
  const isEarly = steps.length < due.length && isGivenUp(own.filter(({ step }) => !AIDS.has(step)));
  return (isEarly || steps.length === due.length) && steps.every((step, index) => step === due[index]);
}

/**
 * If a budget does not come back in time, its track ends with the last poll: a refused one, or one that was sent too
 * late.
 */
function isGivenUp(own: readonly Exchange[]): boolean {
  const last = own.at(-1);
  if (!last || !(isPollStep(last.step) || last.step === 'look')) return false;
  if (!isAccepted(last)) return true;
  const spent = own.findLast((each) => isAccepted(each) && each !== last);
  return spent !== undefined && last.sent - spent.sent > (WINDOW_S + GIVE_UP_AFTER_S) * SECOND;
}

/**
 * The single requests of the plan that are sent for certain when these experiments have ended, whatever the answers
 * were.
 */
function dueTrials(plan: Plan, { header, exchanges }: Trace, ended: ReadonlySet<string | null>): readonly Trial[] {
  const { early, late } = plan.schedule;
  const [firstKey] = header.keys.full;
  const hasKey = ({ fault }: Trial): boolean => fault !== 'no-key' && fault !== 'bad-key';
  /** For a slow target, requests without a valid key come at the end. */
  const isAllSent = plan.tracks.length === 0 || ended.has('further');
  /** `silent` lets other experiments run when its budget has come back. */
  const hasShared = ({ id, role }: Track): boolean =>
    ended.has(id) &&
    (role !== 'silent' || exchanges.some(({ experiment, step }) => experiment === id && step === 'second-window'));
  const isDue = (trial: Trial): boolean => {
    const { key, operation, probe } = trial;
    if (key === firstKey || key === 'restricted' || key === null) {
      if (probe !== null) return ended.has('status');
      return ended.has('authentication') && (hasKey(trial) || isAllSent);
    }
    const host = plan.tracks.find((track) => track.key === key && track.kind === operation.kind);
    return host !== undefined && hasShared(host);
  };
  // A check takes the key that has most left.
  const asSent = (trial: Trial): Trial => (header.command === 'check' && isFullKey(trial.key) ? anyKey(trial) : trial);
  if (!ended.has('further')) return early.filter(isDue).map(asSent);
  // Of the late requests with a valid key, plain ones may already have succeeded, and others take the key that has most
  // left.
  const last = late.filter(({ fault }) => fault !== 'none').map((each) => (takesAnyKey(each) ? anyKey(each) : each));
  return [...early.filter(isDue), ...last].map(asSent);
}

/** Whether the requests at the end take the key that has most left. */
function takesAnyKey({ fault }: Pick<Trial, 'fault'> | Pick<Intent, 'fault'>): boolean {
  return fault === 'parameter' || fault === 'missing' || fault === 'internal';
}

function anyKey<Request extends { readonly key: string | null }>(request: Request): Request {
  return { ...request, key: 'any' };
}

const SECOND = 1e6;

const SINGLE: ReadonlySet<string> = new Set(['authentication', 'further']);

function missingTrials(trace: Trace, due: readonly Trial[]): readonly string[] {
  const sent = [...trace.exchanges, ...trace.unanswered];
  // Controls of a status come in addition to the planned ones.
  const single = sent.filter(
    ({ experiment, fault }) => SINGLE.has(experiment) || (experiment === 'status' && fault !== 'none'),
  );
  const names = single.map((each) =>
    nameOfRequest(
      (each.experiment === 'further' && takesAnyKey(each)) || (trace.header.command === 'check' && isFullKey(each.key))
        ? anyKey(each)
        : each,
    ),
  );
  const left = new Map([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
  const isThere = (trial: Trial): boolean => {
    const count = left.get(nameOfTrial(trial)) ?? 0;
    left.set(nameOfTrial(trial), count - 1);
    return count > 0;
  };
  const forms = new Set(
    sent.flatMap(({ key, variation }) => [`${key} ${variation}`, `any ${variation}`, `${variation}`]),
  );
  const missing = due.filter(
    (trial) => !isThere(trial) && !mayBeNone(trial, forms) && !trace.notes.some((note) => isLeftOut(note, trial)),
  );
  const [first] = missing;
  if (!first) return [];
  const { operation, fault, badKey, way } = first;
  const what = [fault, badKey?.name, way].filter(Boolean).join(', ');
  return [`it lacks ${missing.length} of the single requests of its plan, such as one of ${operation.id} (${what})`];
}

/**
 * The requests that show whether good and bad keys were counted come after the good ones and after each part of the bad
 * ones, for each kind that can be repeated.
 */
function unsettled({ header, exchanges, notes }: Trace): readonly string[] {
  if (header.command !== 'certify') return [];
  const own = exchanges.filter(({ experiment, step }) => experiment === 'authentication' && step === 'settle');
  const kinds = (['read', 'write'] as const).filter((kind) => repeatable(header.profile.operations, kind).length > 0);
  const lacking = kinds.filter((kind) => {
    const leftOut = notes.filter(({ text }) => text.startsWith('settle of ')).length;
    return own.filter((each) => each.kind === kind).length + leftOut < 1 + BAD_PARTS;
  });
  return lacking.map((kind) => `authentication lacks a ${kind} that shows what was counted`);
}

/** Whether its key may have no such form, given the forms that were sent. */
function mayBeNone({ badKey, key }: Trial, forms: ReadonlySet<string>): boolean {
  if (badKey?.family !== 'altered' || OF_EVERY_KEY.has(badKey.name)) return false;
  const group = TOGETHER.find((each) => each.has(badKey.name));
  return group ? [...group].every((each) => !forms.has(each)) : !forms.has(`${key} ${badKey.name}`);
}

function isLeftOut(note: NoteLine, trial: Trial): boolean {
  return saysLeftOut(note, stepOf(trial), trial.operation.id);
}

function nameOfRequest({ operation, fault, variation, credential, step, key }: Intent): string {
  const way = credential === 'other-scheme' ? 'bearer' : credential;
  return JSON.stringify([operation, fault, variation, way, step, key]);
}

/** The name of it in the trace. */
function nameOfTrial(trial: Trial): string {
  const { operation, fault, badKey, way, key } = trial;
  const isMadeUp = badKey?.family === 'unknown' || badKey?.family === 'empty';
  const holder = way === 'none' ? null : isMadeUp ? 'unknown' : key;
  return JSON.stringify([operation.id, fault, badKey?.name ?? null, way, stepOf(trial), holder]);
}

function stepOf({ probe, fault }: Trial): string {
  return probe?.name ?? (fault === 'none' ? 'control' : 'probe');
}
