import { LIMITS } from '../catalogue/limits.ts';
import type { Answers, Openers } from '../deployment/answers.ts';
import { SECOND } from '../deployment/deployment.ts';
import type { LimitHeader } from '../deployment/deviations/limit-header.ts';
import type { MarkerHeader } from '../deployment/deviations/marker-header.ts';
import type { OtherLimit } from '../deployment/deviations/other-limit.ts';
import type { RemainingHeader } from '../deployment/deviations/remaining-header.ts';
import type { Random } from '../random/random.ts';
import { type Kind, otherThan } from '../trace/exchange.ts';
import { isArrivalOf } from './arrival-class.ts';
import { type AnswerContext, type Behaviour, type RateHeaders, standing } from './behaviour.ts';
import { keptHeaders } from './kept-headers.ts';
import { markerText } from './marker.ts';

/** Changes some of the three headers, and keeps the others. */
export function headers(change: (lines: RateHeaders, context: AnswerContext) => Partial<RateHeaders>) {
  return (behaviour: Pick<Behaviour, 'headers'>): Pick<Behaviour, 'headers'> => ({
    headers(conforming, context) {
      const lines = behaviour.headers(conforming, context);
      return { ...lines, ...change(lines, context) };
    },
  });
}

/**
 * Moves the marker: this function turns the window's end into the value that is sent. Times are µs of the server's
 * clock.
 */
export function marker(move: (reset: number, context: AnswerContext) => number) {
  return (behaviour: Behaviour) =>
    headers((_lines, context) => {
      const { reset, decided, answered } = context;
      return { reset: [markerText(move(reset, context), decided, answered, behaviour.options.marker)] };
    })(behaviour);
}

/** Limit and Remaining for a limit other than that of clause 8. */
export function otherLimitLines({ kind, limitHeader, remainingFrom, clamped }: OtherLimit, behaviour: Behaviour) {
  return headers((lines, { kind: applies, limit, status, budget, remaining }) => {
    if (applies !== kind || limit === LIMITS[kind] || budget === null) return {};
    const left = status === 429 ? 0 : Math.max(0, remaining + remainingFrom - limit);
    const told = clamped ? Math.min(limitHeader, left) : left;
    return { ...lines, limit: [`${limitHeader}`], remaining: [`${told}`] };
  })(behaviour);
}

export function limitHeaderLines({ kinds, change, only }: LimitHeader, behaviour: Behaviour) {
  return headers(({ limit, remaining }, context) => {
    if (!isMeant(kinds, only, context)) return {};
    if (change === 'remaining') return { limit: remaining };
    if (change === 'limit of the other kind') return { limit: [`${LIMITS[otherThan(context.kind)]}`] };
    return { limit: ['constant' in change ? `${change.constant}` : `${Number(limit[0]) + change.offset}`] };
  })(behaviour);
}

export function remainingHeaderLines({ kinds, change, only }: RemainingHeader, behaviour: Behaviour, random: Random) {
  const told = new Map<string, number[]>();
  const decided = new Map<string | null, { readonly at: number; readonly left: number; readonly reset: number }[]>();
  let refused = 0;
  const value = (left: number, context: AnswerContext): number => {
    const limit = LIMITS[context.kind];
    if (typeof change === 'object') {
      if ('constant' in change) return change.constant;
      if ('offset' in change) return Math.max(0, left + change.offset);
      if ('roundedDownTo' in change) return Math.floor(left / change.roundedDownTo) * change.roundedDownTo;
      if ('atLeast' in change) return Math.max(change.atLeast, left);
      if ('atMost' in change) return Math.min(change.atMost, left);
      if ('late' in change) {
        const own = [...(decided.get(context.budget) ?? []), { at: context.decided, left, reset: context.reset }];
        decided.set(context.budget, own);
        const then = context.decided - change.late;
        return own.findLast(({ at, reset }) => at <= then && reset > then)?.left ?? limit;
      }
      const past = told.get(context.budget ?? '') ?? [];
      told.set(context.budget ?? '', [...past, left].slice(-change.stale - 1));
      return past.at(-change.stale) ?? limit;
    }
    if (change === 'the limit') return limit;
    if (change === 'used') return limit - left;
    if (change === 'below zero') return context.status === 429 ? -(1 + (refused++ % 9)) : left;
    const ofOther = (): number => standing(behaviour, context, otherThan(context.kind)).remaining;
    if (change === 'other kind') return ofOther();
    if (change === 'lower of both kinds') return Math.min(left, ofOther());
    return Math.floor(random() * limit);
  };
  const isIts = only === 'after refusals' ? afterRefusals(kinds) : (each: AnswerContext) => isMeant(kinds, only, each);
  if (change === 'another request') return overwrittenLines(behaviour, isIts);
  if (change === 'repeated') return keptHeaders(behaviour, isIts);
  return headers(({ remaining }, context) =>
    isIts(context) ? { remaining: [`${value(Number(remaining[0]), context)}`] } : {},
  )(behaviour);
}

/** So long after a decision its headers may still be written on the answer to the next request, in µs. */
const OVERWRITTEN = 10_000;

/** The headers of the request that was decided just before, whoever sent it. */
function overwrittenLines(behaviour: Behaviour, isIts: (context: AnswerContext) => boolean) {
  let last: { readonly lines: RateHeaders; readonly decided: number } | null = null;
  return headers((lines, context) => {
    const before = last;
    last = { lines, decided: context.decided };
    return before && isIts(context) && Math.abs(context.decided - before.decided) < OVERWRITTEN ? before.lines : {};
  })(behaviour);
}

export function markerHeaderLines({ kinds, change, only }: MarkerHeader, behaviour: Behaviour, random: Random) {
  const first = new Map<string | null, number>();
  let asked = 0;
  const toGo = (unit: number) =>
    headers((_lines, context) =>
      isMeant(kinds, only, context) ? { reset: [`${Math.ceil((context.reset - context.answered) / unit)}`] } : {},
    )(behaviour);
  if (change === 'seconds to go') return toGo(SECOND);
  if (change === 'milliseconds to go') return toGo(SECOND / 1000);
  if (change === 'other unit') {
    return headers(({ reset: [text = ''] }, context) =>
      isMeant(kinds, only, context) ? { reset: [inOtherUnit(text)] } : {},
    )(behaviour);
  }
  return marker((reset, context) => {
    if (!isMeant(kinds, only, context)) return reset;
    const { budget, decided, answered } = context;
    if (typeof change === 'object') {
      if ('offset' in change) return reset + change.offset;
      if ('ahead' in change) return answered + change.ahead;
      if ('wobble' in change) return reset + (asked++ % 2) * change.wobble;
      if ('multiplesOf' in change) return Math.round(reset / change.multiplesOf) * change.multiplesOf;
      if ('clock' in change) return nextMinute(answered, change.clock === null ? OWN_CLOCK : reset + change.clock);
      if ('scatter' in change) return reset + random() * change.scatter;
      // The clock is read so late that the next window may have begun.
      return decided + change.lag < reset ? reset : reset + 60 * SECOND;
    }
    // While the other budget is unused, it has no window: its end would be a minute from now.
    if (change === 'other kind') return standing(behaviour, context, otherThan(context.kind)).reset;
    if (change !== 'first end') return answered + random() * 60 * SECOND;
    const end = first.get(budget) ?? reset;
    first.set(budget, end);
    return end;
  })(behaviour);
}

/** An end of a minute of a clock that does not follow the windows, in µs. */
const OWN_CLOCK = 17 * SECOND;

/** The next moment after a time that lies whole minutes from another one, in µs. */
function nextMinute(time: number, like: number): number {
  return like + (Math.floor((time - like) / (60 * SECOND)) + 1) * 60 * SECOND;
}

/** Seconds in milliseconds, and the other way round. */
function inOtherUnit(text: string): string {
  // Since the epoch, seconds have ten digits, and milliseconds thirteen.
  return text.length > 11 ? `${Math.ceil(Number(text) / 1000)}` : `${text}000`;
}

/** Whether an answer is the first of its budget that is accepted after a refusal. */
function afterRefusals(kinds: readonly Kind[]): (context: AnswerContext) => boolean {
  const refused = new Set<string>();
  return ({ budget, kind, status }) => {
    if (budget === null || !kinds.includes(kind)) return false;
    if (status !== 429) return refused.delete(budget);
    refused.add(budget);
    return false;
  };
}

/** Answers without a budget have placeholder values, which no deviation of a budget changes. */
function isMeant(kinds: readonly Kind[], only: Answers | Openers, context: AnswerContext): boolean {
  const { arrival, kind, status, budget, remaining, limit } = context;
  if (budget === null || !kinds.includes(kind)) return false;
  if (only === 'all') return true;
  if (only === 'openers') return remaining === limit - 1;
  const { statuses, to } = only;
  return statuses.includes(status) && (!to || isArrivalOf(to, arrival));
}
